package web

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// TestPreview: the picture of a report is a PNG of the size that pages want, differs with the headline, and
// never has a publisher asked.
func TestPreview(t *testing.T) {
	t.Parallel()
	c := new(checker)
	seen := map[string]bool{}
	for _, target := range []string{"/preview/good.example.png", "/preview/one.example.png"} {
		got, body := get(t, c, target)
		img, err := png.Decode(strings.NewReader(body))
		if err != nil || got.StatusCode != http.StatusOK || got.Header.Get("Content-Type") != "image/png" || img.Bounds().Size() != image.Pt(previewWidth, previewHeight) || len(body) > 200_000 {
			t.Errorf("%s: %d %v, %d bytes", target, got.StatusCode, err, len(body))
		}
		seen[body] = true
	}
	for _, r := range c.asked {
		if !r.Known && r.Domain == "one.example" {
			t.Errorf("asked for %+v", r)
		}
	}
	if len(seen) != 2 || len(c.asked) == 0 {
		t.Errorf("%d pictures, asked for %v", len(seen), c.asked)
	}
	if _, report := get(t, c, "/check/good.example"); !strings.Contains(report, `<meta property="og:image" content="http://example.com/preview/good.example.png">`) {
		t.Error("the report does not name its picture")
	}
	for _, target := range []string{"/preview/good.example", "/preview/Good.example.png", "/preview/x.png", "/preview/%3Cb%3E.png"} {
		if got, _ := get(t, c, target); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", target, got.StatusCode)
		}
	}
}

// TestPreviewsAreKept: the same card is drawn once, and there are never more than some.
func TestPreviewsAreKept(t *testing.T) {
	t.Parallel()
	var all previews
	card := previewCard{Domain: "good.example", Class: "good", Words: strings.Repeat("word ", 60) + strings.Repeat("x", 300), Stations: []station{stationAt("Says what you mean", "warn", "x"), stationAt("Found", "good", "x")}}
	first, err := all.of(&card)
	if err != nil {
		t.Fatal(err)
	}
	again, err := all.of(&card)
	if err != nil || &first[0] != &again[0] {
		t.Errorf("drawn twice, %v", err)
	}
	for range 3 {
		card.Words = card.Words[1:]
		other, err := all.of(&card)
		if err != nil || bytes.Equal(other, first) {
			t.Errorf("the same picture, %v", err)
		}
	}
	all.kept = make(map[[32]byte][]byte)
	for i := range mostPreviews {
		all.kept[[32]byte{byte(i)}] = first
	}
	_, err = all.of(&card)
	if err != nil || len(all.kept) > mostPreviews {
		t.Errorf("%d are kept, %v", len(all.kept), err)
	}
}

// TestPreviewsAtOnce: fonts keep what they have drawn last, and are used by one picture at a time.
func TestPreviewsAtOnce(t *testing.T) {
	t.Parallel()
	want, err := new(previews).of(&previewCard{Domain: "good.example", Class: "good", Words: "Words"})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			got, err := new(previews).of(&previewCard{Domain: "good.example", Class: "good", Words: "Words"})
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("another picture, %v", err)
			}
		})
	}
	all.Wait()
}
