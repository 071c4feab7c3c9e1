package translog_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/avow-project/avow/internal/translog"
)

// badTiles are no paths of tiles.
var badTiles = []string{
	"", "tile/", "tile/0", "tile/0/", "tile/00/000", "tile/0/0", "tile/0/0000", "tile/0/x000/000", "tile/0/001/000", "tile/0/x001", "tile/64/000", "tile/-1/000",
	"tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01", "tile/0/000.p/", "tile/8/0/000", "tile/0/../000", "tile/data/000", "tile/0/+01",
	"tile/0/x999/x999/x999/x999/x999/x999/999",
}

func TestTiles(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]translog.Tile{
		"tile/0/000":                  {Width: 256},
		"tile/1/x001/x234/067":        {Level: 1, N: 1234067, Width: 256},
		"tile/entries/x001/000.p/255": {Entries: true, N: 1000, Width: 255},
		"tile/63/000.p/1":             {Level: 63, Width: 1},
	} {
		got, err := translog.ParseTile(path)
		if err != nil || got != want || got.Path() != path {
			t.Errorf("%s: %+v %v", path, got, err)
		}
	}
	for _, path := range badTiles {
		got, err := translog.ParseTile(path)
		if err == nil {
			t.Errorf("%s is read as %+v", path, got)
		}
	}
	for _, c := range []struct {
		tile translog.Tile
		size int64
		want int
	}{
		{translog.Tile{}, 0, 0}, {translog.Tile{}, 1, 1}, {translog.Tile{}, 255, 255}, {translog.Tile{}, 256, 256}, {translog.Tile{N: 1}, 256, 0}, {translog.Tile{N: 1}, 257, 1},
		{translog.Tile{Level: 1}, 255, 0}, {translog.Tile{Level: 1}, 256, 1}, {translog.Tile{Level: 1}, 65535, 255}, {translog.Tile{Level: 1}, 65536, 256},
		{translog.Tile{Level: 2}, 65537, 1}, {translog.Tile{Level: 8}, 1 << 62, 0}, {translog.Tile{Level: 7}, 1 << 62, 64},
	} {
		if got := c.tile.WidthAt(c.size); got != c.want {
			t.Errorf("%+v has %d hashes at %d, want %d", c.tile, got, c.size, c.want)
		}
	}
}

// badKeys are no public keys.
func badKeys(good, private string) map[string]string {
	return map[string]string{
		"private": private, "wrong number": strings.Replace(good, "08bdff8c", "08bdff8d", 1), "upper case": strings.Replace(good, "08bdff8c", "08BDFF8C", 1),
		"stray bits": strings.TrimSuffix(good, "e") + "f", "another type": strings.Replace(good, "+AS", "+BS", 1), "short": good[:len(good)-4],
		"no name": good[len(origin):], "space": " " + good, "line end": good + "\n", "empty": "",
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	skey, vkey, err := note.GenerateKey(rand.Reader, "log.example")
	if err != nil {
		t.Fatal(err)
	}
	s, err := translog.ParseSigner(skey)
	if err != nil || s.String() != vkey || s.Private() != skey {
		t.Fatalf("a key of package note is read as %v %v", s, err)
	}
	log, _, _ := keys(t)
	good := log.String()
	for name, bad := range badKeys(good, skey) {
		k, err := translog.ParseKey(bad)
		if err == nil {
			t.Errorf("%s is read as %v", name, k)
		}
		if err != nil && strings.Contains(err.Error(), skey[len(skey)-20:]) {
			t.Errorf("%s: the error shows the private key", name)
		}
	}
}

// policies have each clause of the format, and what other readers let pass.
func policies(t testing.TB) (map[string]string, map[string]string) {
	t.Helper()
	log, a, b := keys(t)
	c := signer(t, "c.example", translog.Timed, "third")
	head := "log " + log.String() + "\nwitness a " + a.String() + "\nwitness b " + b.String() + " https://b.example/w\n"
	good := map[string]string{
		"none":           "log " + log.String() + "\nquorum none\n",
		"one":            head + "quorum a\n",
		"any":            head + "group g any a b\nquorum g\n",
		"all":            head + "group g all a b\nquorum g\n",
		"number":         head + "group g 2 a b\nquorum g",
		"nested":         head + "witness c " + c.String() + "\ngroup g any b c\ngroup h all a g\nquorum h\n",
		"comments, tabs": "# a policy\n\n \t# more\nlog\t" + log.String() + "  https://registry.example.com/log \nquorum\tnone\n",
	}
	bad := map[string]string{
		"empty": "", "no log": "quorum none\n", "no quorum": head, "two quorums": head + "quorum a\nquorum b\n", "unknown quorum": head + "quorum z\n",
		"zero": head + "group g 0 a b\nquorum g\n", "too many": head + "group g 3 a b\nquorum g\n", "padded": head + "group g 01 a b\nquorum g\n", "sign": head + "group g +1 a b\nquorum g\n",
		"member twice": head + "group g 2 a b a\nquorum g\n", "in two groups": head + "group g 1 a\ngroup h 2 a b\nquorum h\n", "member below": head + "group g 1 c\nwitness c " + c.String() + "\nquorum g\n",
		"no members": head + "group g any\nquorum g\n", "none as member": head + "group g any none\nquorum g\n", "itself": head + "group g any g\nquorum g\n",
		"key under two names": head + "witness c " + a.String() + "\nquorum c\n", "name twice": head + "witness a " + c.String() + "\nquorum a\n", "named none": head + "witness none " + c.String() + "\nquorum none\n",
		"log twice": head + "log " + log.String() + "\nquorum none\n", "timed log": "log " + a.String() + "\nquorum none\n", "plain witness": head + "witness c " + signer(t, "c", translog.Plain, "p").String() + "\nquorum c\n",
		"CR": strings.ReplaceAll(head, "\n", "\r\n") + "quorum a\r\n", "unknown line": head + "quorums a\nquorum a\n", "comment behind": head + "quorum a # both\n",
		"wrong number": strings.Replace(head, "+451b7299", "+451b7298", 1) + "quorum a\n", "no-break space": head + "quorum\u00a0a\n",
	}
	return good, bad
}

func TestPolicies(t *testing.T) {
	t.Parallel()
	good, bad := policies(t)
	signed := exampleTree(t).proof(t, 0, 4).Signed
	for name, text := range good {
		p, err := translog.ParsePolicy([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_, err = p.Check(signed)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range bad {
		_, err := translog.ParsePolicy([]byte(text))
		if err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

// notes are a signed checkpoint, and some that other readers let pass.
func notes(t testing.TB) (string, map[string]string) {
	t.Helper()
	good := string(exampleTree(t).proof(t, 0, 4).Signed)
	head, sigs, _ := strings.Cut(good, "\n\n")
	lines := strings.SplitAfter(sigs, "\n")
	bad := map[string]string{
		"no signature": head + "\n", "signature twice": good + lines[0], "stray bits": strings.Replace(good, "wM=\n", "wN=\n", 1), "CR": strings.ReplaceAll(good, "\n", "\r\n"),
		"unknown twice": good + "— x AAAAAAA=\n— x AAAAAAA=\n", "empty signature": good + "— x \n", "large": good + strings.Repeat("— x AAAAAAA=\n", 5000),
	}
	return good, bad
}

// TestBadNotes has checkpoints that other readers let pass.
func TestBadNotes(t *testing.T) {
	t.Parallel()
	log, clock, witness := keys(t)
	good, bad := notes(t)
	for name, bad := range bad {
		_, _, err := translog.Open([]byte(bad), &log.Key, &clock.Key, &witness.Key)
		if err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	_, by, err := translog.Open([]byte(good+"— x AAAAAAA=\n"), &log.Key)
	if err != nil || len(by) != 1 {
		t.Errorf("a signature of a stranger: %v %v", by, err)
	}
	for name, c := range map[string]string{
		"zeros": origin + "\n04\nYTHXGNPtL+3lD8Xhnx9bc52SzWqQ33c27+HN1Et0dro=\n", "negative": origin + "\n-4\nYTHXGNPtL+3lD8Xhnx9bc52SzWqQ33c27+HN1Et0dro=\n",
		"short root": origin + "\n4\nYTHXGNM=\n", "no root": origin + "\n4\n", "plus": origin + "\n+4\nYTHXGNPtL+3lD8Xhnx9bc52SzWqQ33c27+HN1Et0dro=\n",
	} {
		s, err := note.NewSigner(log.Private())
		if err != nil {
			t.Fatal(err)
		}
		signed, err := note.Sign(&note.Note{Text: c}, s)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = translog.Open(signed, &log.Key)
		if err == nil {
			t.Errorf("a head with %s is accepted", name)
		}
	}
}

// badLeaves are leaves that were changed in ways that a careless reader would not notice.
func badLeaves(t testing.TB) map[string]string {
	t.Helper()
	l := leaves(t)
	adopted, located := string(text(t, l[1])), string(text(t, l[2]))
	before, _, _ := strings.Cut(adopted, "counts")
	return map[string]string{
		"empty": "", "no end": strings.TrimSuffix(adopted, "\n"), "CR": strings.ReplaceAll(adopted, "\n", "\r\n"), "another format": strings.Replace(adopted, "leaf/1", "leaf/2", 1),
		"unknown line": strings.Replace(adopted, "counts", "note x\ncounts", 1), "empty line": adopted + "\n", "two previous": adopted + "previous none\n",
		"order": strings.Replace(strings.Replace(located, "number 5\n", "", 1), "place", "number 5\nplace", 1), "zeros": strings.Replace(adopted, "number 4", "number 04", 1),
		"plus": strings.Replace(adopted, "number 4", "number +4", 1), "upper case": strings.Replace(adopted, "5427afba", "5427AFBA", 1), "date": strings.Replace(adopted, "2026-11-16T14:02:11.25", "2026-11-31T14:02:11.25", 1),
		"digits": strings.Replace(adopted, ".250000Z", ".25Z", 1), "zone": strings.Replace(adopted, ".250000Z", ".250000+00:00", 1), "no counts": before + "previous none\n",
		"place of a file": strings.Replace(adopted, "document", "place none\ndocument", 1), "publisher": strings.Replace(located, "example.com", "Example.com", 1), "no domain": strings.Replace(located, " example.com", "", 1),
		"two spaces": strings.Replace(located, "place direct ", "place direct  ", 1), "code": strings.Replace(located, "publisher.located", "located", 1),
	}
}

func TestBadLeaves(t *testing.T) {
	t.Parallel()
	for name, bad := range badLeaves(t) {
		got, err := translog.ParseLeaf([]byte(bad))
		if err == nil {
			t.Errorf("%s is read as %+v", name, got)
		}
	}
}

// TestUnwritable has leaves that must not come into a log.
func TestUnwritable(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(l *translog.Leaf){
		"a time with nanoseconds": func(l *translog.Leaf) { l.At = l.At.Add(time.Nanosecond) },
		"a year of five digits":   func(l *translog.Leaf) { l.At = time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC) },
		"a name with a line end":  func(l *translog.Leaf) { l.Subject.Name = "a.example\nkind x.y" },
		"signs out of order":      func(l *translog.Leaf) { l.Signs = []string{"b", "a"} },
		"a sign twice":            func(l *translog.Leaf) { l.Signs = []string{"a", "a"} },
		"too long":                func(l *translog.Leaf) { l.Signs = longSigns() },
		"no kind":                 func(l *translog.Leaf) { l.Kind = "" },
	} {
		l := leaves(t)[2]
		change(l)
		b, err := l.Text()
		if err == nil {
			t.Errorf("%s is written:\n%s", name, b)
		}
	}
}

func longSigns() []string {
	var all []string
	for c := 'a'; c <= 'z'; c++ {
		for d := 'a'; d <= 'z'; d++ {
			all = append(all, string(c)+string(d)+"_______")
		}
	}
	return all
}

// TestSignatures: bytes that are no note have no lines with signatures.
func TestSignatures(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "x": "", "\n": "", "a\n\nb\n": "b\n", "\n\n": ""} {
		if got := string(translog.Signatures([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
