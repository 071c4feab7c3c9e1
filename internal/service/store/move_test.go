package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/test/pgtest"
	"github.com/avow-project/avow/internal/test/storetest"
)

// opens is Open for a store that has to open; it closes it when the test ends.
func opens(t *testing.T, url string) *Store {
	t.Helper()
	s, err := Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// sqliteStore is a new one.
func sqliteStore(t *testing.T) *Store {
	t.Helper()
	return opens(t, "sqlite:"+filepath.Join(t.TempDir(), "store.db"))
}

// exported is the stream of a store.
func exported(t *testing.T, s *Store) string {
	t.Helper()
	var b bytes.Buffer
	err := Export(t.Context(), s, &b)
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sound ends the test if a store has problems.
func sound(t *testing.T, s *Store) {
	t.Helper()
	problems, err := Check(t.Context(), s)
	if err != nil || len(problems) > 0 {
		t.Fatalf("%d problems, the first %v; %v", len(problems), problems[:min(len(problems), 3)], err)
	}
}

// TestMove: a store that was moved from SQLite to PostgreSQL and back is the same.
func TestMove(t *testing.T) {
	t.Parallel()
	first := sqliteStore(t)
	storetest.Fill(t, first)
	storetest.FillCustody(t, first.Custody())
	stream := exported(t, first)
	for _, s := range []*Store{opens(t, pgtest.URL(t)), sqliteStore(t)} {
		err := Import(t.Context(), s, strings.NewReader(stream))
		if err != nil {
			t.Fatal(err)
		}
		sound(t, s)
		next := exported(t, s)
		if next != stream {
			t.Errorf("the stream has become\n%s\nfrom\n%s", next, stream)
		}
		stream = next
		storetest.Check(t, s)
		storetest.CheckCustody(t, s.Custody())
		one, err := first.Custody().Identity(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		other, err := s.Custody().Identity(t.Context())
		if err != nil || one == "" || one != other {
			t.Errorf("store %q has become %q, %v", one, other, err)
		}
	}
}

// TestMoveMany: the same with more than a page of everything, and work goes on afterwards.
func TestMoveMany(t *testing.T) {
	t.Parallel()
	first, second, third := sqliteStore(t), opens(t, pgtest.URL(t)), sqliteStore(t)
	storetest.FillMany(t, first.Custody())
	stream := exported(t, first)
	for _, s := range []*Store{second, third} {
		err := Import(t.Context(), s, strings.NewReader(stream))
		if err != nil {
			t.Fatal(err)
		}
		if exported(t, s) != stream {
			t.Error("the stream of a moved store differs")
		}
	}
	for _, s := range []*Store{first, second, third} {
		sound(t, s)
		storetest.Fill(t, s)
		storetest.CheckNext(t, s.Custody())
	}
}

// TestEmptyMove: a store without anything can be moved, too.
func TestEmptyMove(t *testing.T) {
	t.Parallel()
	stream := exported(t, sqliteStore(t))
	s := opens(t, pgtest.URL(t))
	err := Import(t.Context(), s, strings.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	sound(t, s)
	if exported(t, s) != stream {
		t.Error("the stream of an empty store differs")
	}
}

// TestImportNeedsAnEmptyStore: whatever a store has in it stays.
func TestImportNeedsAnEmptyStore(t *testing.T) {
	t.Parallel()
	from := sqliteStore(t)
	storetest.Fill(t, from)
	stream := exported(t, from)
	for _, url := range []string{"sqlite:" + filepath.Join(t.TempDir(), "store.db"), pgtest.URL(t)} {
		s := opens(t, url)
		storetest.FillCustody(t, s.Custody())
		before := exported(t, s)
		err := Import(t.Context(), s, strings.NewReader(stream))
		if !errors.Is(err, ErrNotEmpty) {
			t.Errorf("error is %v", err)
		}
		if exported(t, s) != before {
			t.Error("the store has changed")
		}
	}
}

// TestImportBesideAClock: a service that has only looked at its clock has nothing in its
// store yet. What the stream says of the clock and the identity takes the place of that.
func TestImportBesideAClock(t *testing.T) {
	t.Parallel()
	from := sqliteStore(t)
	storetest.Fill(t, from)
	storetest.FillCustody(t, from.Custody())
	stream := exported(t, from)
	for _, url := range []string{"sqlite:" + filepath.Join(t.TempDir(), "store.db"), pgtest.URL(t)} {
		s := opens(t, url)
		_, err := s.Custody().Clock(t.Context(), time.Date(2040, time.January, 1, 0, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatal(err)
		}
		noted := exported(t, s)
		err = Import(t.Context(), s, strings.NewReader(stream[:len(stream)/2]))
		if !errors.Is(err, ErrCut) || exported(t, s) != noted {
			t.Errorf("half of a stream: %v", err)
		}
		err = Import(t.Context(), s, strings.NewReader(stream))
		if err != nil || exported(t, s) != stream {
			t.Errorf("the store is not what was imported: %v", err)
		}
		sound(t, s)
	}
}

// TestImportOfAPart: wherever a stream is cut off, nothing of it is stored, and the whole
// can be imported afterwards.
func TestImportOfAPart(t *testing.T) {
	t.Parallel()
	from := sqliteStore(t)
	storetest.Fill(t, from)
	storetest.FillCustody(t, from.Custody())
	stream := exported(t, from)
	for _, url := range []string{"sqlite:" + filepath.Join(t.TempDir(), "store.db"), pgtest.URL(t)} {
		s := opens(t, url)
		empty := exported(t, s)
		for end := 0; end < len(stream); end += 97 {
			err := Import(t.Context(), s, strings.NewReader(stream[:end]))
			if !errors.Is(err, ErrCut) {
				t.Errorf("%d of %d bytes: %v", end, len(stream), err)
			}
		}
		failing := io.MultiReader(strings.NewReader(stream[:len(stream)/2]), failure{})
		err := Import(t.Context(), s, failing)
		if !errors.Is(err, errFailing) {
			t.Errorf("error is %v", err)
		}
		if exported(t, s) != empty {
			t.Fatal("something was stored")
		}
		err = Import(t.Context(), s, strings.NewReader(stream))
		if err != nil || exported(t, s) != stream {
			t.Errorf("the whole is not imported: %v", err)
		}
	}
}

// errFailing is what failure says.
var errFailing = errors.New("failing")

// A failure cannot be read or written.
type failure struct{}

func (failure) Read([]byte) (int, error)  { return 0, errFailing }
func (failure) Write([]byte) (int, error) { return 0, errFailing }

// signed gives lines the end that belongs to them.
func signed(lines string) string {
	sum := sha256.Sum256([]byte(lines))
	return fmt.Sprintf("%s{\"end\":{\"lines\":%d,\"sha256\":%q}}\n", lines, strings.Count(lines, "\n"), hex.EncodeToString(sum[:]))
}

// TestImportRefuses: a stream that is not as Export writes it is not stored.
func TestImportRefuses(t *testing.T) {
	t.Parallel()
	from := sqliteStore(t)
	storetest.Fill(t, from)
	storetest.FillCustody(t, from.Custody())
	stream := exported(t, from)
	lines := stream[:strings.LastIndex(stream, `{"end"`)]
	if signed(lines) != stream {
		t.Fatalf("the end is another than described: %s", stream[len(lines):])
	}
	s := sqliteStore(t)
	empty := exported(t, s)
	for _, tc := range []struct{ name, old, new, want string }{
		{"another format", `{"avow_store":1}`, `{"avow_store":3}`, "the stream has format 3, this release reads format 1"},
		{"no stream", `{"avow_store":1}`, `{"name":1}`, "not a stream of a store"},
		{"an unknown member", `{"avow_store":1}`, `{"avow_store":1,"x":1}`, "not a stream of a store"},
		{"another table", `{"table":"brands"`, `{"table":"brand"`, "the table brands"},
		{"another column", `"columns":["domain","source","manifest"`, `"columns":["domain","source","manifests"`, "the table brands"},
		{"too few values", `["b","p",1]`, `["b","p"]`, "2 values for 3 columns"},
		{"a missing value", `["b","p",1]`, `["b",null,1]`, "it is missing"},
		{"a fraction", `["b","p",1]`, `["b","p",1.5]`, "invalid syntax"},
		{"a number as text", `["b","p",1]`, `["b","p","1"]`, "invalid syntax"},
		{"text as a number", `["b","p",1]`, `["b",2,1]`, "column period"},
		{"a NUL", `["b","p",1]`, `["b","\u0000",1]`, "NUL"},
		{"a row twice", `["b","p",1]`, "[\"b\",\"p\",1]\n[\"b\",\"p\",1]", "store"},
		{"no Base64", `"e30="`, `"e30"`, "not Base64"},
		{"no text", `"e30="`, `{}`, "not a string"},
		{"a flag as a number", `true,{"domain":"a.example"`, `1,{"domain":"a.example"`, "neither true nor false"},
		{"an unknown member of a record", `{"domain":"a.example","location"`, `{"x":1,"domain":"a.example","location"`, "unknown object member"},
		{"no JSON", `["b","p",1]`, `["b","p",1`, "line"},
		{"another line", `["b","p",1]`, `"b"`, "the table custody_publishers"},
		{"a version without a file", `{"table":"custody_versions"`, `{"table":"custody_versionz"`, "the table custody_versions"},
	} {
		changed := strings.Replace(lines, tc.old, tc.new, 1)
		if changed == lines {
			t.Errorf("%s: there is no %s in\n%s", tc.name, tc.old, lines)
			continue
		}
		err := Import(t.Context(), s, strings.NewReader(signed(changed)))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
	for name, whole := range map[string]string{
		"a changed row":        strings.Replace(stream, `["b","p",1]`, `["b","p",2]`, 1),
		"a row less":           strings.Replace(stream, "[\"b\",\"p\",1]\n", "", 1),
		"more after the end":   stream + "\n",
		"an end without proof": lines + "{\"end\":null}\n",
		"another stream":       "hello\n",
	} {
		err := Import(t.Context(), s, strings.NewReader(whole))
		if err == nil || errors.Is(err, ErrCut) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if exported(t, s) != empty {
		t.Fatal("something was stored")
	}
}

// TestExportFails: what cannot be written is an error, and so is a context that ended.
func TestExportFails(t *testing.T) {
	t.Parallel()
	s := sqliteStore(t)
	storetest.Fill(t, s)
	err := Export(t.Context(), s, failure{})
	if !errors.Is(err, errFailing) {
		t.Errorf("error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = Export(ctx, s, io.Discard)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	_, err = Check(ctx, s)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

// TestImportEndsWithItsContext: also in the middle of a stream, and nothing stays.
func TestImportEndsWithItsContext(t *testing.T) {
	t.Parallel()
	from := sqliteStore(t)
	storetest.Fill(t, from)
	stream := exported(t, from)
	for _, url := range []string{"sqlite:" + filepath.Join(t.TempDir(), "store.db"), pgtest.URL(t)} {
		s := opens(t, url)
		empty := exported(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		half := len(stream) / 2
		err := Import(ctx, s, io.MultiReader(strings.NewReader(stream[:half]), ending(cancel), strings.NewReader(stream[half:])))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error is %v", err)
		}
		if exported(t, s) != empty {
			t.Error("something was stored")
		}
	}
}

// ending is called when it is read.
type ending func()

func (f ending) Read([]byte) (int, error) {
	f()
	return 0, io.EOF
}

// TestImportOfADocument: the bytes of a document arrive whatever they are.
func TestImportOfADocument(t *testing.T) {
	t.Parallel()
	from, to := sqliteStore(t), sqliteStore(t)
	body := bytes.Repeat([]byte{0, 255, '\n', '"'}, 1<<20)
	for i := range body {
		body[i] ^= byte(i * i >> 7)
	}
	h, err := from.PutDocument(t.Context(), body)
	if err != nil {
		t.Fatal(err)
	}
	err = Import(t.Context(), to, strings.NewReader(exported(t, from)))
	if err != nil {
		t.Fatal(err)
	}
	have, err := to.Document(t.Context(), h)
	if err != nil || !bytes.Equal(have, body) || registry.HashOf(have) != h {
		t.Errorf("%d bytes came back as %d, %v", len(body), len(have), err)
	}
}
