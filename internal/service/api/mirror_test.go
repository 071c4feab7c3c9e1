package api

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
)

// countedStore counts the documents that are read, and fails to read them on demand.
type countedStore struct {
	registry.Store
	documents atomic.Int32
	fail      atomic.Bool
}

func (s *countedStore) Document(ctx context.Context, h registry.Hash) ([]byte, error) {
	s.documents.Add(1)
	if s.fail.Load() {
		return nil, errors.New("no disk")
	}
	return s.Store.Document(ctx, h)
}

// TestTranslatedUnchanged: whoever has the file of a mirror is told so without reading it.
func TestTranslatedUnchanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	hash, err := w.store.PutDocument(t.Context(), []byte(`{"authorized_agents":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	err = w.store.PutMirror(t.Context(), &registry.Mirror{Platform: "video", Document: hash, CreatedAt: noon, UpdatedAt: noon}, "")
	if err != nil {
		t.Fatal(err)
	}
	store := &countedStore{Store: w.store}
	service := registry.New(registry.Config{Store: store})
	t.Cleanup(service.Close)
	handler := New(Config{Operations: ops.New(ops.Config{Service: service}), Log: textLog(w.log)}).Handler()
	get := func(tag string) *http.Response {
		r := httptest.NewRequest(http.MethodGet, "/translated/video/adagents.json", http.NoBody)
		r.Header.Set("If-None-Match", tag)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)
		return answer.Result()
	}
	for _, tt := range []struct {
		tag    string
		fail   bool
		status int
		reads  int32
	}{
		{`"other"`, false, http.StatusOK, 1},
		{`"` + string(hash) + `"`, false, http.StatusNotModified, 0},
		{`"other"`, true, http.StatusInternalServerError, 1},
		{`"` + string(hash) + `"`, true, http.StatusNotModified, 0},
	} {
		store.documents.Store(0)
		store.fail.Store(tt.fail)
		got := get(tt.tag)
		_ = got.Body.Close()
		if got.StatusCode != tt.status || store.documents.Load() != tt.reads {
			t.Errorf("%+v: got %d after %d documents were read", tt, got.StatusCode, store.documents.Load())
		}
		failed := got.StatusCode == http.StatusInternalServerError
		if failed != (got.Header.Get("Etag") == "") || failed != (got.Header.Get("Cache-Control") == "no-store") {
			t.Errorf("%+v: got the headers %v", tt, got.Header)
		}
	}
}
