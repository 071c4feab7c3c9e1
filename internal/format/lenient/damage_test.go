package lenient_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// piece is a token of a valid file, or the white space before one.
type piece struct {
	text string
	name bool // a member name
}

var pieceForm = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[\[\]{}:,]|\s+|[^\s\[\]{}:,"]+`)

// pieces cuts a valid file into its tokens and the white space between them.
func pieces(file string) []piece {
	var list []piece
	for _, text := range pieceForm.FindAllString(file, -1) {
		list = append(list, piece{text: text})
	}
	for i := range list {
		if strings.HasPrefix(list[i].text, `"`) {
			list[i].name = next(list, i) == ":"
		}
	}
	return list
}

// next returns the token after the i-th piece.
func next(list []piece, i int) string {
	for _, p := range list[i+1:] {
		if strings.TrimSpace(p.text) != "" {
			return p.text
		}
	}
	return ""
}

// each replaces the texts of the pieces.
func each(change func(list []piece, i int) string) func(string) string {
	return func(file string) string {
		list := pieces(file)
		var b strings.Builder
		for i := range list {
			b.WriteString(change(list, i))
		}
		return b.String()
	}
}

// swap replaces one token by another everywhere.
func swap(from, to string) func(string) string {
	return each(func(list []piece, i int) string {
		if list[i].text == from {
			return to
		}
		return list[i].text
	})
}

// texts changes strings that have neither quotes nor backslashes in them.
func texts(change func(text string, name bool) string) func(string) string {
	return each(func(list []piece, i int) string {
		p := list[i]
		if !strings.HasPrefix(p.text, `"`) {
			return p.text
		}
		inner := p.text[1 : len(p.text)-1]
		if strings.ContainsAny(inner, "'\"\\`“”‘’") {
			return p.text
		}
		return change(inner, p.name)
	})
}

var (
	plainName   = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)
	plainText   = regexp.MustCompile(`^[A-Za-z][\w ./:-]*[\w/]$`)
	plainNumber = regexp.MustCompile(`^[1-9][0-9]*$`)
	lastClosers = regexp.MustCompile(`[\s\]}]*$`)
	lastQuote   = regexp.MustCompile(`(?m)([\w.])"(,?)$`)
	midClosers  = regexp.MustCompile(`(?m)^(  )[\]}],\n`)
)

// damages are the ways in which a file is damaged whose meaning stays clear. All of them get
// the file with two spaces for each level.
var damages = map[string]func(string) string{
	"byte order mark":  func(s string) string { return "\ufeff" + s },
	"line comments":    func(s string) string { return "// top\n" + strings.ReplaceAll(s, "\n", " // \"x\": {\n  # y's\n") },
	"block comments":   swap(",", " /* , \" */,/*\n*/"),
	"trailing commas":  each(trailingComma),
	"doubled commas":   swap(",", ",,"),
	"no commas":        swap(",", " "),
	"semicolons":       swap(",", ";"),
	"no colons":        swap(":", " "),
	"equals signs":     swap(":", " ="),
	"arrows":           swap(":", " =>"),
	"single quotes":    texts(func(s string, _ bool) string { return "'" + s + "'" }),
	"curly quotes":     texts(func(s string, _ bool) string { return "“" + s + "”" }),
	"back quotes":      texts(func(s string, _ bool) string { return "`" + s + "`" }),
	"bare names":       texts(bareName),
	"bare texts":       texts(bareText),
	"Python":           func(s string) string { return swap("null", "None")(swap("true", "True")(swap("false", "False")(s))) },
	"signed numbers":   each(signedNumber),
	"one line":         func(s string) string { return each(oneLine)(s) + ";" },
	"cut off":          func(s string) string { return lastClosers.ReplaceAllString(s, "") },
	"too many closers": func(s string) string { return s + "}]}" },
	"no closing quote": func(s string) string { return lastQuote.ReplaceAllString(s, "$1$2") },
	"one bracket lost": func(s string) string { return once(midClosers, s, ",\n") },
	"code fence":       func(s string) string { return "Here it is:\n```json\n" + s + "\n```\nbye\n" },
	"module":           func(s string) string { return "module.exports = " + s + ";\n" },
	"JSONP":            func(s string) string { return "callback(" + s + ");" },
	"no-break spaces":  each(noBreakSpace),
	"raw line breaks":  func(s string) string { return strings.ReplaceAll(s, `\n`, "\n") },
	"UTF-16":           wide,
	"Windows-1252":     windows,
}

func trailingComma(list []piece, i int) string {
	text := list[i].text
	after := next(list, i)
	if (after == "}" || after == "]") && strings.TrimSpace(text) != "" && text != "{" && text != "[" {
		return text + ","
	}
	return text
}

func bareName(s string, name bool) string {
	if name && plainName.MatchString(s) {
		return s
	}
	return `"` + s + `"`
}

func bareText(s string, name bool) string {
	word := strings.ToLower(s)
	if strings.Count(s, ":") > strings.Count(s, "://") {
		return `"` + s + `"` // without quotes it is a member
	}
	if !name && plainText.MatchString(s) && word != "true" && word != "false" && word != "null" && word != "none" && word != "nan" && word != "nil" {
		return s
	}
	return `"` + s + `"`
}

func signedNumber(list []piece, i int) string {
	if plainNumber.MatchString(list[i].text) {
		return "+0" + list[i].text
	}
	return list[i].text
}

func oneLine(list []piece, i int) string {
	if strings.TrimSpace(list[i].text) == "" {
		return " "
	}
	return list[i].text
}

func noBreakSpace(list []piece, i int) string {
	if strings.TrimSpace(list[i].text) == "" {
		return strings.ReplaceAll(list[i].text, " ", "\u00a0")
	}
	return list[i].text
}

// once replaces the first place that form matches.
func once(form *regexp.Regexp, s, by string) string {
	at := form.FindStringIndex(s)
	if at == nil {
		return s
	}
	return strings.TrimRight(s[:at[0]], "\n") + by + s[at[1]:]
}

func wide(s string) string {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

func windows(s string) string {
	var b []byte
	for _, c := range s {
		if c > 0xff {
			return s
		}
		b = append(b, byte(c))
	}
	return string(b)
}

// documents returns the valid files with objects in the repository's test data, in two spaces
// for each level.
func documents(t *testing.T) []string {
	t.Helper()
	var all [][]byte
	for _, pattern := range []string{"adagents/testdata/fmt/*.json", "internal/cli/testdata/readme/*.json", "internal/service/api/examples/*.json"} {
		names, err := filepath.Glob(filepath.Join("../../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, data)
		}
	}
	names, err := filepath.Glob("../../../conformance/formats/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			all = append(all, file.Data)
		}
	}
	var list []string
	for _, data := range all {
		var b bytes.Buffer
		tree, err := jsontree.Parse(data, jsontree.Options{})
		if err == nil && tree.Root().Is(jsontree.Object) && len(data) < 20_000 && json.Indent(&b, bytes.TrimSpace(data), "", "  ") == nil {
			list = append(list, b.String())
		}
	}
	if len(list) < 50 {
		t.Fatalf("only %d files", len(list))
	}
	return list
}

// meaning writes what a file says, whatever its layout. Numbers stay as they are written.
func meaning(t *testing.T, file string) string {
	t.Helper()
	tree, err := jsontree.Parse([]byte(file), jsontree.Options{})
	if err != nil {
		t.Fatalf("%v: %.500s", err, file)
	}
	var b strings.Builder
	var write func(v jsontree.Value)
	write = func(v jsontree.Value) {
		switch v.Kind() {
		case jsontree.Object:
			b.WriteString("{")
			for m := range v.Members() {
				b.WriteString(m.Name() + "\x00:")
				write(m.Value())
			}
			b.WriteString("}")
		case jsontree.Array:
			b.WriteString("[")
			for _, e := range v.Elems() {
				write(e)
			}
			b.WriteString("]")
		case jsontree.String:
			b.WriteString(v.Str() + "\x00,")
		default:
			b.WriteString(v.Text() + ",")
		}
	}
	write(tree.Root())
	return b.String()
}

// TestDamage damages valid files and expects them back.
func TestDamage(t *testing.T) {
	t.Parallel()
	files := documents(t)
	for kind, damage := range damages {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			changed, wrong := 0, 0
			for _, file := range files {
				broken := damage(file)
				if broken == file {
					continue
				}
				changed++
				got, _ := read(t, []byte(broken))
				if got == "" || meaning(t, got) != meaning(t, file) {
					wrong++
					if wrong < 3 {
						t.Errorf("%s\nwas broken as %.3000s\nand read as %.3000s", file, broken, got)
					}
				}
			}
			if changed == 0 {
				t.Error("no file was changed")
			}
			if wrong > 0 {
				t.Errorf("%d of %d files did not come back", wrong, changed)
			}
		})
	}
}
