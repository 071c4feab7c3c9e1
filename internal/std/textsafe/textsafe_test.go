package textsafe

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestTerminal(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"", ""},
		{"plain text, with: punctuation!", "plain text, with: punctuation!"},
		{`back\slash and "quotes"`, `back\slash and "quotes"`},
		{"Größe, 日本語, العربية, עברית, ไทย", "Größe, 日本語, العربية, עברית, ไทย"},
		{"e\u0301", "e\u0301"},
		{"😀 ❤\ufe0f ☎\ufe0e", "😀 ❤\ufe0f ☎\ufe0e"},
		{"全角\u3000空白", "全角\u3000空白"},
		{"a\tb\nc\rd", `a\tb\nc\rd`},
		{"\x00\x07\x08\x1b[31m\x7f", `\u{00}\u{07}\u{08}\u{1b}[31m\u{7f}`},
		{"\x1b]52;c;Zm9v\x07", `\u{1b}]52;c;Zm9v\u{07}`},
		{"\u0080\u0085\u009b31m\u009f", `\u{80}\u{85}\u{9b}31m\u{9f}`},
		{"\u061c\u200e\u200f", `\u{61c}\u{200e}\u{200f}`},
		{"\u202a\u202b\u202c\u202d\u202e", `\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}`},
		{"\u2066\u2067\u2068\u2069", `\u{2066}\u{2067}\u{2068}\u{2069}`},
		{"\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e", `\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}\u{ad}\u{180e}`},
		{"\u2028\u2029", `\u{2028}\u{2029}`},
		{"\u00a0\u2003\u202f", `\u{a0}\u{2003}\u{202f}`},
		{"\U000e0001\U000e0041\U000e007f", `\u{e0001}\u{e0041}\u{e007f}`},
		{"\ufe00\U000e0100\U000e01ef", `\u{fe00}\u{e0100}\u{e01ef}`},
		{"\ue000\uf8ff\U000f0000\U0010fffd", `\u{e000}\u{f8ff}\u{f0000}\u{10fffd}`},
		{"\ufdd0\ufffe\uffff\U0010ffff", `\u{fdd0}\u{fffe}\u{ffff}\u{10ffff}`},
		{"\ufff9\ufffa\ufffb\ufffc", `\u{fff9}\u{fffa}\u{fffb}\u{fffc}`},
		{"\u3164\u115f\uffa0\u2800\u034f", `\u{3164}\u{115f}\u{ffa0}\u{2800}\u{34f}`},
		{"\u0378", `\u{378}`},
		{"\ufffd", "\ufffd"},
		{"a\xffb\xc3", `a\xffb\xc3`},
		{"\xed\xa0\x80", `\xed\xa0\x80`},
		{"\xc0\x80", `\xc0\x80`},
		{"\u0600", "\u0600"},
		{"clean then \x1b then clean", `clean then \u{1b} then clean`},
	}
	for _, tt := range tests {
		got := Terminal(tt.in)
		if got != tt.want {
			t.Errorf("Terminal(%+q) = %+q, want %+q", tt.in, got, tt.want)
		}
		if again := Terminal(got); again != got {
			t.Errorf("Terminal changes its own output %+q to %+q", got, again)
		}
	}
}

func TestCleanTextDoesNotAllocate(t *testing.T) {
	s := "Größe, 日本語, plain text and 😀"
	got := testing.AllocsPerRun(100, func() {
		_ = Terminal(s)
		_ = XML(s)
		_ = Annotation("plain 日本語")
		_ = CSV(s)
		_ = Line(s, 80)
	})
	if got != 0 {
		t.Errorf("%v allocations, want 0", got)
	}
}

func TestWidth(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{
		"": 0, "abc": 3, "Größe": 5, "日本語": 6, "ｱｲｳ": 3, "ＡＢ": 4, "😀": 2, "e\u0301": 1, "한글": 4,
		"\u1112\u1161\u11ab": 2, "…": 1, "ไทย": 3, "\u0600": 1,
	} {
		if got := Width(s); got != want {
			t.Errorf("Width(%+q) = %d, want %d", s, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		max  int
		want string
	}{
		{"hello", 5, "hello"},
		{"hello", 4, "hel…"},
		{"hello", 1, "…"},
		{"h", 1, "h"},
		{"hello", 0, ""},
		{"hello", -3, ""},
		{"", 5, ""},
		{"日本語", 6, "日本語"},
		{"日本語", 5, "日本…"},
		{"日本語", 4, "日…"},
		{"日本語", 2, "…"},
		{"a\x1bb", 8, `a\u{1b}b`},
		{"a\x1bb", 7, "a…"},
		{"a\nb", 4, `a\nb`},
		{"a\nb", 3, `a…`},
		{"ab\n\n", 5, `ab\n…`},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"e\u0301e\u0301", 2, "e\u0301e\u0301"},
	}
	for _, tt := range tests {
		if got := Line(tt.in, tt.max); got != tt.want {
			t.Errorf("Line(%+q, %d) = %+q, want %+q", tt.in, tt.max, got, tt.want)
		}
	}
	stacked := Line("e"+strings.Repeat("\u0301", 1<<20), 10)
	if len(stacked) > 10*bytesPerCell+len("…") {
		t.Errorf("a line of 10 cells has %d bytes", len(stacked))
	}
}

func TestXML(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"a <b> & \"c\"", "a <b> & \"c\""},
		{"a\tb\nc\rd", "a\tb\nc\rd"},
		{"a\x00b\x1bc\x0bd", "abcd"},
		{"a\ufffeb\uffffc", "abc"},
		{"a\xffb", "a\ufffdb"},
		{"😀\u0085\u007f", "😀\u0085\u007f"},
	}
	for _, tt := range tests {
		if got := XML(tt.in); got != tt.want {
			t.Errorf("XML(%+q) = %+q, want %+q", tt.in, got, tt.want)
		}
	}
}

func TestAnnotation(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, message, property string }{
		{"plain", "plain", "plain"},
		{"50% of a:b,c", "50%25 of a:b,c", "50%25 of a%3Ab%2Cc"},
		{"a\r\n::error::b", "a%0D%0A::error::b", "a%0D%0A%3A%3Aerror%3A%3Ab"},
		{"%0A", "%250A", "%250A"},
		{"a\x1b[0m%", `a\u{1b}[0m%25`, `a\u{1b}[0m%25`},
		{"a\u2028b\xff", `a\u{2028}b\xff`, `a\u{2028}b\xff`},
		{"", "", ""},
	}
	for _, tt := range tests {
		if got := Annotation(tt.in); got != tt.message {
			t.Errorf("Annotation(%+q) = %+q, want %+q", tt.in, got, tt.message)
		}
		if got := AnnotationProperty(tt.in); got != tt.property {
			t.Errorf("AnnotationProperty(%+q) = %+q, want %+q", tt.in, got, tt.property)
		}
	}
}

func TestCSV(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"", ""},
		{"plain", "plain"},
		{"a=b", "a=b"},
		{"=1+1", "'=1+1"},
		{"+1", "'+1"},
		{"-1", "'-1"},
		{"@SUM(A1)", "'@SUM(A1)"},
		{"\t=1", "'\t=1"},
		{"\r=1", "'\r=1"},
		{"\n=1", "'\n=1"},
		{"＝1", "'＝1"},
		{"|cmd", "'|cmd"},
		{"'=1", "'=1"},
	}
	for _, tt := range tests {
		if got := CSV(tt.in); got != tt.want {
			t.Errorf("CSV(%+q) = %+q, want %+q", tt.in, got, tt.want)
		}
	}
}

// dangerous is a second, independent statement of what must not get through.
func dangerous(r rune) bool {
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.Co, r) ||
		unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || unicode.Is(unicode.Noncharacter_Code_Point, r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
		r == 0x00ad || r >= 0x200b && r <= 0x200f || r >= 0x2060 && r <= 0x206f || r == 0xfeff || r == 0x180e ||
		r >= 0xfff9 && r <= 0xfffb || r >= 0xe0000 && r <= 0xe0fff
}

func TestNoDangerousRuneIsVisible(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if dangerous(r) && visible(r) {
			t.Errorf("%U shows as itself", r)
		}
	}
}

func FuzzTerminal(f *testing.F) {
	for _, s := range []string{"", "plain", "\x1b[31m", "a\u202eb", "\xff\xed\xa0\x80", "日本\n", "\U000e0041%,:"} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, s string, max int) {
		max &= 0xff
		outputs := map[string]string{"Terminal": Terminal(s), "Line": Line(s, max), "Annotation": Annotation(s)}
		for name, out := range outputs {
			if !utf8.ValidString(out) {
				t.Errorf("%s(%+q) is not UTF-8", name, s)
			}
			if at := strings.IndexFunc(out, dangerous); at >= 0 {
				t.Errorf("%s(%+q) = %+q", name, s, out)
			}
		}
		if again := Terminal(outputs["Terminal"]); again != outputs["Terminal"] {
			t.Errorf("Terminal changes its own output %+q", outputs["Terminal"])
		}
		if w := Width(outputs["Line"]); w > max {
			t.Errorf("Line(%+q, %d) takes %d cells", s, max, w)
		}
		if p := AnnotationProperty(s); strings.ContainsAny(p, ":,\r\n") {
			t.Errorf("AnnotationProperty(%+q) = %+q", s, p)
		}
	})
}

func FuzzXML(f *testing.F) {
	f.Add("a<b>&\x00\xff\ufffe")
	f.Fuzz(func(t *testing.T, s string) {
		var doc bytes.Buffer
		err := xml.EscapeText(&doc, []byte(XML(s)))
		if err != nil {
			t.Fatal(err)
		}
		var got string
		err = xml.Unmarshal([]byte("<x>"+doc.String()+"</x>"), &got)
		if err != nil || got != XML(s) {
			t.Errorf("XML(%+q) reads back as %+q, %v", s, got, err)
		}
	})
}

func FuzzCSV(f *testing.F) {
	f.Add("=1+1")
	f.Add("-\r\n\"")
	f.Fuzz(func(t *testing.T, s string) {
		var table bytes.Buffer
		w := csv.NewWriter(&table)
		err := w.Write([]string{"x", CSV(s)})
		if err != nil {
			t.Fatal(err)
		}
		w.Flush()
		cell := strings.TrimPrefix(strings.TrimPrefix(table.String(), "x,"), `"`)
		if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "@") || strings.HasPrefix(cell, "+") || strings.HasPrefix(cell, "-") {
			t.Errorf("CSV(%+q) starts a formula: %q", s, cell)
		}
	})
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                          "",
		"plain text, 2 words":       "plain text, 2 words",
		"[x](https://evil.example)": `\[x\]\(https\://evil.example\)`,
		"a|b`c<img>\\*":             "a\\|b\\`c\\<img\\>\\\\\\*",
		"Größe @all":                `Größe \@all`,
	} {
		if got := Markdown(in); got != want {
			t.Errorf("Markdown(%q) = %q, want %q", in, got, want)
		}
	}
}
