package domainlist

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, column, want string }{
		{"lines", "# all\nA.example\n\n b.example # two\r\na.example\n", "", "[a.example b.example] 0 5:a.example is in line 2 already"},
		{"one column with its name", "Domain\na.example\n", "", "[a.example] 0"},
		{"a name that is no domain", "a.example\ndomain\n", "", `[a.example] 1 2:"domain" is left out: "domain" has no dot`},
		{"columns", "\ufeffid;Site\n1;a.example\n2\n", "", `[a.example] 1 3:"" is left out: the domain is empty`},
		{"column by number", "1,a.example\n2,b.example\n", "2", "[a.example b.example] 0"},
		{"column by name", "x,y\n1,a.example\n", "Y", "[a.example] 0"},
		{"international", "bücher.example\n", "", `[xn--bcher-kva.example] 0 1:"bücher.example" is read as xn--bcher-kva.example`},
	} {
		l, err := Read([]byte(test.src), Options{Column: test.column})
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		got := fmt.Sprint(l.Domains, " ", l.Bad)
		for _, n := range l.Notes {
			got += fmt.Sprintf(" %d:%s", n.Line, n.Text)
		}
		if got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

// TestReadColumns: what a table says about a publisher besides its domain.
func TestReadColumns(t *testing.T) {
	t.Parallel()
	l, err := Read([]byte("Name;Domain;property_id;id\nAlpha News;a.example;alpha;7\n;b.example;;8\n"), Options{})
	if err != nil || fmt.Sprint(l.Names, l.IDs) != "map[a.example:Alpha News] map[a.example:alpha]" {
		t.Errorf("%v %v %v", l.Names, l.IDs, err)
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	var many *TooManyError
	var column *ColumnError
	for _, src := range []string{"a.example\nb.example\nc.example\n", "domain,x\na.example,1\nb.example,2\nc.example,3\n"} {
		_, err := Read([]byte(src), Options{Most: 2})
		if !errors.As(err, &many) {
			t.Errorf("%q: %v", src, err)
		}
	}
	for _, wrong := range []string{"", "3", "0", "-1", "z"} {
		_, err := Read([]byte("x,y\n1,a.example\n"), Options{Column: wrong})
		if !errors.As(err, &column) {
			t.Errorf("column %q: %v", wrong, err)
		}
	}
	l, err := Read([]byte(strings.Repeat("no domain\n", 100)), Options{})
	if err != nil || l.Bad != 100 || len(l.Notes) != mostNotes || l.More != 100-mostNotes {
		t.Errorf("%v, %d notes and %d more", err, len(l.Notes), l.More)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("a.example\n#x\nb,c;\"\n"), "1")
	f.Fuzz(func(_ *testing.T, src []byte, column string) {
		_, _ = Read(src, Options{Column: column, Most: 100}) // it must not panic
	})
}
