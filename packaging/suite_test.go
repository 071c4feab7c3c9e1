package packaging

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestSuite: the archive of the conformance suite has a manifest with the version, and the right
// checksum of every other file.
func TestSuite(t *testing.T) {
	t.Parallel()
	r := &release{source: "..", version: "1.2.3", date: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}
	content, err := r.suite("conformance-1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	again, err := r.suite("conformance-1.2.3")
	if err != nil || !bytes.Equal(content, again) {
		t.Errorf("made twice, it differs: %v", err)
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range archive.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		files[strings.TrimPrefix(f.Name, "conformance-1.2.3/")] = text
	}
	var manifest struct {
		Suite, License, SHA256 string
		Format, Cases          int
	}
	err = json.Unmarshal(files["manifest.json"], &manifest)
	cases := files["cases.jsonl"]
	if err != nil || manifest.Suite != "1.2.3" || manifest.Format != 1 || manifest.License == "" ||
		manifest.Cases != bytes.Count(cases, []byte("\n")) || manifest.SHA256 != fmt.Sprintf("%x", sha256.Sum256(cases)) {
		t.Errorf("%v: %+v", err, manifest)
	}
	wanted := regexp.MustCompile(`\]\(([^):]+)\)`).FindAllSubmatch(files["README.md"], -1)
	wanted = append(wanted, regexp.MustCompile(`"decision":"([^"]+)"`).FindAllSubmatch(cases, -1)...)
	for _, m := range wanted {
		if files[string(m[1])] == nil {
			t.Errorf("%s is not in the archive", m[1])
		}
	}
	listed := strings.Split(strings.TrimSpace(string(files[sums])), "\n")
	if len(listed) != len(files)-1 || files["LICENSE"] == nil || files["README.md"] == nil {
		t.Errorf("%d checksums of %d files", len(listed), len(files))
	}
	for _, line := range listed {
		sum, name, _ := strings.Cut(line, "  ")
		if sum != fmt.Sprintf("%x", sha256.Sum256(files[name])) {
			t.Errorf("%s has another checksum", name)
		}
	}
}
