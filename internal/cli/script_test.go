package cli

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/textsafe"
	"github.com/avow-project/avow/internal/wire"
)

// exits runs avow and compares its exit code: exits CODE ARGS...
func exits(ts *testscript.TestScript, neg bool, args []string) { runs(ts, "avow", neg, args) }

// asks is exits for avow in the internet that the script describes.
func asks(ts *testscript.TestScript, neg bool, args []string) { runs(ts, "webavow", neg, args) }

func runs(ts *testscript.TestScript, program string, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exits CODE ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(program, args[1:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("avow %s: exit code %d, want %d", strings.Join(args[1:], " "), got, want)
	}
	if strings.Contains(strings.Join(args, " ")+" ", " --format json ") {
		noteMembers(args[1:], ts.ReadFile("stdout"))
	}
}

// clean checks that files hold nothing a terminal would obey or hide.
func clean(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		text := ts.ReadFile(name)
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if (textsafe.Terminal(line) != line) != neg {
				ts.Fatalf("%s: clean is %v for the line %q", name, neg, line)
			}
		}
	}
}

// fetchedAt is when a document was asked for, which no test can know.
var fetchedAt = regexp.MustCompile(`(,\s+at\s+)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

// timeless writes the last output to a file, as if it was made at the moment of all
// tests: timeless FILE.
func timeless(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: timeless FILE")
	}
	text := fetchedAt.ReplaceAllString(ts.ReadFile("stdout"), "${1}"+wire.Time(testNow()))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// sarifValid checks files against the schema of the format.
func sarifValid(ts *testscript.TestScript, neg bool, args []string) {
	schema := sarifSchemaForTest(ts)
	for _, name := range args {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(name)))
		ts.Check(err)
		err = schema.Validate(doc)
		if (err != nil) != neg {
			ts.Fatalf("%s: %v", name, err)
		}
	}
}

// sarifSchemaURL is the address of the schema that a log names.
const sarifSchemaURL = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

func sarifSchemaForTest(ts *testscript.TestScript) *jsonschema.Schema {
	f, err := os.Open("testdata/sarif-schema-2.1.0.json")
	ts.Check(err)
	defer f.Close()
	doc, err := jsonschema.UnmarshalJSON(f)
	ts.Check(err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	ts.Check(c.AddResource(sarifSchemaURL, doc))
	schema, err := c.Compile(sarifSchemaURL)
	ts.Check(err)
	return schema
}

// xmlWellFormed checks that files are well-formed XML documents.
func xmlWellFormed(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		d := xml.NewDecoder(strings.NewReader(ts.ReadFile(name)))
		err := error(nil)
		elements := 0
		for err == nil {
			var token xml.Token
			token, err = d.Token()
			_, start := token.(xml.StartElement)
			if start {
				elements++
			}
		}
		if (errors.Is(err, io.EOF) && elements > 0) == neg {
			ts.Fatalf("%s: %v", name, err)
		}
	}
}

// jsonLines checks that each line of a file is a JSON document with at least
// the members named: json FILE MEMBER...
func jsonLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: json FILE MEMBER...")
	}
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var doc map[string]json.RawMessage
		ts.Check(json.Unmarshal([]byte(line), &doc))
		for _, member := range args[1:] {
			_, ok := doc[member]
			if !ok {
				ts.Fatalf("%s: no member %s in %s", args[0], member, line)
			}
		}
	}
}

// big writes a large file: big FILE KIND.
func big(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: big FILE KIND")
	}
	var content []byte
	switch args[1] {
	case "over": // one byte over the limit
		content = bytes.Repeat([]byte(" "), console.MaxFile+1)
	case "line": // the fault stands in the middle of one very long line
		filler := strings.Repeat(" ", 1<<20)
		content = []byte(`{` + filler + `"contact":{"email":"not an address"}` + filler + `,"authorized_agents":[]}`)
	case "many": // far more findings than anybody reads
		content = []byte(`{"contact":{"email":"no address"},`)
		for i := range 1500 {
			content = fmt.Appendf(content, "\"extra_%d\":1,\n", i)
		}
		content = append(content, `"authorized_agents":[]}`...)
	default:
		ts.Fatalf("unknown kind %s", args[1])
	}
	if !utf8.Valid(content) {
		ts.Fatalf("not UTF-8")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), content, 0o600))
}

// damage changes a store behind its back: damage FILE STATEMENT.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: damage FILE STATEMENT")
	}
	db, err := sql.Open("sqlite", "file:"+ts.MkAbs(args[0]))
	ts.Check(err)
	_, err = db.Exec(args[1])
	ts.Check(err)
	ts.Check(db.Close())
}
