package servicetest

import (
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"sync/atomic"
	"testing"
)

// canary is the key for the provider. It must not turn up anywhere but there.
const canary = "sk_CANARY_7d793037a0760186574b0282f2f435e7"

// A provider is a brand data provider that gives the key back wherever it can.
type provider struct {
	url   string
	calls atomic.Int64 // those with the key
}

const goodBrand = `{"name": "Good", "description": "Makes good things", "qualityScore": 0.9,
 "logos": [{"type": "logo", "theme": "dark", "formats": [{"src": "https://cdn.example/a.svg", "format": "svg"}]}],
 "colors": [{"hex": "#112233", "type": "brand"}], "company": {"foundedYear": 1999, "industries": [{"name": "Goods"}]}}`

// newProvider starts a provider. What it answers depends on the domain.
func newProvider(t *testing.T) *provider {
	t.Helper()
	p := new(provider)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		if r.Header.Get("Authorization") != "Bearer "+canary {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		p.calls.Add(1)
		answerBrand(w, r)
	}))
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

func answerBrand(w http.ResponseWriter, r *http.Request) {
	const echo = `{"message": "` + canary + `"}`
	asked := path.Base(r.URL.Path)
	switch {
	case asked == "good.example" && path.Base(path.Dir(r.URL.Path)) == "context":
		_, _ = io.WriteString(w, `{"meta": {"domain": "good.example", "canonical_name": "Good"}, "identity": {"tagline": "Good things"}}`)
	case asked == "good.example":
		_, _ = io.WriteString(w, goodBrand)
	case asked == "echo.example":
		_, _ = io.WriteString(w, `{"name": "`+canary+`", "description": "Makes echoes of keys"}`)
	case asked == "escaped.example":
		_, _ = io.WriteString(w, `{"name": "\u0073`+canary[1:]+`", "description": "Makes echoes of keys"}`)
	case asked == "moved.example":
		http.Redirect(w, r, "/v2/brands/domain/good.example?key="+canary, http.StatusFound)
	case asked == "broken.example":
		_, _ = io.WriteString(w, `{"name": "`+canary)
	case asked == "refused.example":
		http.Error(w, echo, http.StatusForbidden)
	default:
		http.Error(w, echo, http.StatusNotFound)
	}
}

// needles are the forms in which a key may be written down.
func needles() [][]byte {
	key := []byte(canary)
	list := [][]byte{key, []byte(hex.EncodeToString(key))}
	for shift := range 3 {
		// What stands before it decides how it comes out in base64, and the ends depend
		// on their neighbours.
		coded := base64.StdEncoding.EncodeToString(append(make([]byte, shift), key...))
		list = append(list, []byte(coded[4:len(coded)-4]))
	}
	return list
}
