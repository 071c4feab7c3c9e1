package packaging

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// suiteFiles are the files of the conformance suite, by their names in its archive.
var suiteFiles = []struct{ name, from string }{
	{"cases.jsonl", "conformance/suite/cases.jsonl"}, {"basis.json", "conformance/suite/basis.json"},
	{"released.txt", "conformance/suite/released.txt"},
	{"README.md", "docs/conformance.md"},
	{"adapters/adcp.mts", "conformance/adapters/adcp.mts"}, {"adapters/avow.mjs", "conformance/adapters/avow.mjs"},
	{"adapters/schema.mjs", "conformance/adapters/schema.mjs"},
	{"adapters/registry.py", "conformance/adapters/registry.py"},
	{"adapters/main.go", "conformance/adapters/go/main.go"},
	{"pins/README.md", "conformance/pins/README.md"}, {"supplypath/README.md", "conformance/supplypath/README.md"},
	{"scoreboard.md", "docs/scoreboard.md"},
	{"docs/decisions/0006-readings-of-the-specification.md", "docs/decisions/0006-readings-of-the-specification.md"},
	{"docs/decisions/0012-answers-of-discovery.md", "docs/decisions/0012-answers-of-discovery.md"},
	{"docs/decisions/0014-readings-of-resolution.md", "docs/decisions/0014-readings-of-resolution.md"},
	{"docs/decisions/0023-readings-of-pins.md", "docs/decisions/0023-readings-of-pins.md"},
	{"docs/decisions/0029-formats.md", "docs/decisions/0029-formats.md"},
	{"docs/decisions/0046-a-builder-of-files.md", "docs/decisions/0046-a-builder-of-files.md"},
	{"LICENSE", "LICENSE"}, {"NOTICE", "NOTICE"},
}

// inArchive makes the paths of the repository those of the archive.
var inArchive = strings.NewReplacer(
	"[conformance](../conformance/README.md)", "the folder conformance of the repository",
	"../conformance/suite/", "", "../conformance/", "", "conformance/adapters/", "adapters/",
)

// suite returns the archive of the conformance suite: the cases, a manifest with the version, the
// license and checksums of all files.
func (r *release) suite(folder string) ([]byte, error) {
	manifest, err := os.ReadFile(filepath.Join(r.source, "conformance", "suite", "manifest.json"))
	if err != nil {
		return nil, err
	}
	const begin = "{\n"
	if !bytes.HasPrefix(manifest, []byte(begin)) {
		return nil, fmt.Errorf("the manifest of the conformance suite does not begin with %q", begin)
	}
	manifest = append(fmt.Appendf(nil, "{\n  \"suite\": %q,\n", r.version), manifest[len(begin):]...)
	files := []file{{"manifest.json", 0o644, manifest}}
	for _, f := range suiteFiles {
		content, err := os.ReadFile(filepath.Join(r.source, filepath.FromSlash(f.from)))
		if err != nil {
			return nil, err
		}
		if f.name == "README.md" {
			content = []byte(inArchive.Replace(string(content)))
		}
		files = append(files, file{f.name, 0o644, content})
	}
	sortFiles(files)
	var list strings.Builder
	for _, f := range files {
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(f.content), f.name)
	}
	return r.zipped(inFolder(folder, slices.Concat(files, []file{{sums, 0o644, []byte(list.String())}})))
}
