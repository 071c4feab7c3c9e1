package jsontree_test

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// suiteSize is the number of files in JSONTestSuite's parsing directory; a
// count that is off means the archive or the table was cut.
const suiteSize = 318

// suite reads the archive. The files are kept packed because many of them are
// deliberately broken text that editors and version control would fix.
func suite(t testing.TB) map[string][]byte {
	t.Helper()
	file, err := os.Open("testdata/jsontestsuite.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	archive := tar.NewReader(unzipped)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		files[header.Name] = data
	}
}

// verdict is one line of the table.
type verdict struct {
	accept bool
	reason string
}

func verdicts(t *testing.T) map[string]verdict {
	t.Helper()
	data, err := os.ReadFile("testdata/jsontestsuite.verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	table := map[string]verdict{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		columns := strings.SplitN(lines.Text(), " ", 3)
		if len(columns) < 2 || columns[1] != "accept" && columns[1] != "reject" {
			t.Fatalf("bad line in the table: %q", lines.Text())
		}
		_, twice := table[columns[0]]
		if twice {
			t.Fatalf("%s is listed twice", columns[0])
		}
		table[columns[0]] = verdict{columns[1] == "accept", strings.Join(columns[2:], "")}
	}
	return table
}

// TestSuiteVerdicts parses every file of the suite with the default limits and
// compares with the table. A file the suite leaves open must say why we decided
// as we did; for the others the suite's own prefix is the verdict.
func TestSuiteVerdicts(t *testing.T) {
	t.Parallel()
	files, table := suite(t), verdicts(t)
	if len(files) != suiteSize || len(table) != suiteSize {
		t.Fatalf("%d files and %d verdicts, want %d of each", len(files), len(table), suiteSize)
	}
	for name, want := range table {
		data, found := files[name]
		if !found {
			t.Errorf("%s has a verdict but is not in the archive", name)
			continue
		}
		checkPrefix(t, name, want)
		_, err := jsontree.Parse(data, jsontree.Options{})
		if (err == nil) != want.accept {
			t.Errorf("%s: accepted is %v, want %v (%v)", name, err == nil, want.accept, err)
		}
		checkError(t, name, data, err)
	}
	for name := range files {
		_, found := table[name]
		if !found {
			t.Errorf("%s has no verdict", name)
		}
	}
}

func checkPrefix(t *testing.T, name string, v verdict) {
	t.Helper()
	switch name[:2] {
	case "y_", "n_":
		if v.accept != (name[0] == 'y') || v.reason != "" {
			t.Errorf("%s: the table contradicts the suite", name)
		}
	case "i_":
		if v.reason == "" {
			t.Errorf("%s: no reason given", name)
		}
	default:
		t.Errorf("%s: unknown prefix", name)
	}
}

// checkError makes sure that a refusal can be shown to a person: it is of the
// package's own type, says something and points into the text.
func checkError(t testing.TB, name string, data []byte, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var own *jsontree.Error
	if !errors.As(err, &own) {
		t.Errorf("%s: error of type %T", name, err)
		return
	}
	if own.Kind == 0 || own.Msg == "" || own.Offset < 0 || own.Offset > len(data) {
		t.Errorf("%s: unusable error %+v for %d bytes", name, own, len(data))
	}
}

// TestSuiteSpecialCases names the files where the parser departs from a plain
// reading of the grammar, with what exactly it reports.
func TestSuiteSpecialCases(t *testing.T) {
	t.Parallel()
	files := suite(t)
	kinds := map[string]jsontree.ErrorKind{
		"i_structure_500_nested_arrays.json":     jsontree.TooDeep,
		"n_structure_100000_opening_arrays.json": jsontree.TooDeep,
		"n_structure_UTF8_BOM_no_data.json":      jsontree.Empty,
		"n_structure_no_data.json":               jsontree.Empty,
		"i_string_UTF-16LE_with_BOM.json":        jsontree.Encoding,
		"i_string_utf16BE_no_BOM.json":           jsontree.Encoding,
		"i_string_utf16LE_no_BOM.json":           jsontree.Encoding,
		"i_string_iso_latin_1.json":              jsontree.NotUTF8,
		"i_string_lone_second_surrogate.json":    jsontree.Syntax,
	}
	for name, want := range kinds {
		_, err := jsontree.Parse(files[name], jsontree.Options{})
		var own *jsontree.Error
		if !errors.As(err, &own) || own.Kind != want {
			t.Errorf("%s: got %+v, want kind %d", name, own, want)
		}
	}
	tree, err := jsontree.Parse(files["i_structure_UTF-8_BOM_empty_object.json"], jsontree.Options{})
	if err != nil || !tree.HasBOM() {
		t.Errorf("byte order mark not noticed: %v", err)
	}
	for _, name := range []string{"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"} {
		tree, err := jsontree.Parse(files[name], jsontree.Options{})
		if err != nil || len(tree.Duplicates()) != 1 {
			t.Errorf("%s: repeated name not noticed: %v", name, err)
		}
	}
}

// suiteNames returns the names of the archive in order, so that seeds keep their
// numbers from run to run.
func suiteNames(files map[string][]byte) []string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
