package fakeweb

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ archive, want string }{
		{"-- dns --\n-- dns --\n", `line 2, section "dns": there is already a section of this name`},
		{"x\n-- dns --\n\n# c\nUPPER.example 1.2.3.4\n", `line 5, section "dns": "UPPER.example" is not a host name in lower case, with xn-- for other alphabets`},
		{"-- dns --\na.example\n", `line 2, section "dns": a reply is missing: addresses, CNAME name, nxdomain, servfail, silent or empty`},
		{"-- dns --\na.example 1.2.3.4 |\n", `line 2, section "dns": a reply is missing: addresses, CNAME name, nxdomain, servfail, silent or empty`},
		{"-- dns --\na.example 1.2.3\n", `line 2, section "dns": "1.2.3" is not an address`},
		{"-- dns --\na.example fe80::1%eth0\n", `line 2, section "dns": "fe80::1%eth0" is not an address`},
		{"-- dns --\na.example silent 1.2.3.4\n", `line 2, section "dns": silent stands alone`},
		{"-- dns --\na.example CNAME b.example c.example\n", `line 2, section "dns": CNAME takes one name`},
		{"-- dns --\na.example CNAME b..example\n", `line 2, section "dns": "b..example" is not a host name in lower case, with xn-- for other alphabets`},
		{"-- dns --\na.example 1.2.3.4\na.example. 1.2.3.4\n", `line 3, section "dns": a.example has a line already`},
		{"-- tls --\na.example\n", `line 2, section "tls": nothing is said about a.example`},
		{"-- tls --\n-.. expired\n", `line 2, section "tls": "-.." is not a host name in lower case, with xn-- for other alphabets`},
		{"-- tls --\na.example rotten\n", `line 2, section "tls": unknown word "rotten"`},
		{"-- tls --\na.example expired future\n", `line 2, section "tls": expired and future exclude each other`},
		{"-- tls --\na.example expired\na.example tls1.2\n", `line 3, section "tls": a.example has a line already`},
		{"-- http://a.example/ --\n200\n", `line 1, section "http://a.example/": only https is served; the fault http answers in the clear`},
		{"-- https:a.example --\n200\n", `line 1, section "https:a.example": the URL must be https://host[:port]/path[?query]`},
		{"-- https://u@a.example/ --\n200\n", `line 1, section "https://u@a.example/": the URL must be https://host[:port]/path[?query]`},
		{"-- https://a.example/#f --\n200\n", `line 1, section "https://a.example/#f": the URL must be https://host[:port]/path[?query]`},
		{"-- https://[::1/ --\n200\n", `line 1, section "https://[::1/": not a URL`},
		{"-- https:/// --\n200\n", `line 1, section "https:///": "" is not a host name in lower case, with xn-- for other alphabets`},
		{"-- https://a.example:0/ --\n200\n", `line 1, section "https://a.example:0/": "0" is not a port`},
		{"-- get https://a.example/ --\n200\n", `line 1, section "get https://a.example/": "get" is not a method`},
		{"-- https://a.example/ --\n", `line 2, section "https://a.example/": the first line must be a status, such as 200`},
		{"-- https://a.example/ --\n\n", `line 2, section "https://a.example/": the first line must be a status, such as 200`},
		{"-- https://a.example/ --\n199\n", `line 2, section "https://a.example/": "199" is not a status from 200 to 999`},
		{"-- https://a.example/ --\n+20\n", `line 2, section "https://a.example/": "+20" is not a status from 200 to 999`},
		{"-- https://a.example/ --\nOK\n", `line 2, section "https://a.example/": "OK" is not a status from 200 to 999`},
		{"-- https://a.example/ --\n200\nA: b\n{}\n", `line 4, section "https://a.example/": "{}" is not a header; an empty line ends the headers`},
		{"-- https://a.example/ --\n200\n{\"a\": 1}\n", `line 3, section "https://a.example/": "{\"a\": 1}" is not a header; an empty line ends the headers`},
		{"-- https://a.example/ --\n200 slow\n", `line 2, section "https://a.example/": unknown word "slow"`},
		{"-- https://a.example/ --\n200 delay\n", `line 2, section "https://a.example/": unknown word "delay"`},
		{"-- https://a.example/ --\n200 close=1\n", `line 2, section "https://a.example/": unknown word "close=1"`},
		{"-- https://a.example/ --\n200 gzip=best\n", `line 2, section "https://a.example/": unknown word "gzip=best"`},
		{"-- https://a.example/ --\n200 delay=\n", `line 2, section "https://a.example/": delay=: "" is not a duration such as 100ms, of at most 1h0m0s`},
		{"-- https://a.example/ --\n200 delay=2h\n", `line 2, section "https://a.example/": delay=2h: "2h" is not a duration such as 100ms, of at most 1h0m0s`},
		{"-- https://a.example/ --\n200 times=0\n", `line 2, section "https://a.example/": times=0: "0" is not a number from 1 to 10000000`},
		{"-- https://a.example/ --\n200 pad=5GB\n", `line 2, section "https://a.example/": pad=5GB: "5GB" is not a size such as 512, 100KB or 5MiB, of at most 4GB`},
		{"-- https://a.example/ --\n200 pad=-1\n", `line 2, section "https://a.example/": pad=-1: "-1" is not a size such as 512, 100KB or 5MiB, of at most 4GB`},
		{"-- https://a.example/ --\n200 cut=1 stall\n", `line 2, section "https://a.example/": cut=1 and stall exclude each other`},
		{"-- https://a.example/ --\n200 trailers=1KB\n", `line 2, section "https://a.example/": trailers and chunkext need chunked`},
		{"-- https://a.example/ --\n200 raw gzip\n", `line 2, section "https://a.example/": raw sends the section as it is; it allows no coding, padding or header faults`},
		{"-- https://a.example/ --\n200 echo gzip\n", `line 2, section "https://a.example/": echo allows no other word`},
		{"-- https://a.example/ --\n200 bomb=1MB pad=1\n", `line 2, section "https://a.example/": bomb=1MB and pad=1 exclude each other`},
		{"-- https://a.example/ --\n200 size=2\n\nlonger\n", `line 4, section "https://a.example/": the body has 7 bytes already`},
		{"-- https://a.example/ --\n200 base64\n\n???\n", `line 4, section "https://a.example/": the body is not base64`},
		{"-- https://a.example/ --\n200 escaped\n\n\\q\n", `line 4, section "https://a.example/": "\\q\n" does not begin with an escape that is known`},
		{"-- https://a.example/ --\n200 escaped\nA: \\q\n", `line 3, section "https://a.example/": "\\q" does not begin with an escape that is known`},
		{"-- https://a.example/1 --\n200 h2\n-- https://a.example/2 --\n200 chunked\n", `line 4, section "https://a.example/2": chunked needs HTTP/1.1, but a section of a.example says h2`},
	} {
		_, err := Parse([]byte(tt.archive))
		if err == nil || err.Error() != tt.want {
			t.Errorf("%q:\n got %v\nwant %s", tt.archive, err, tt.want)
		}
		var place *ParseError
		if !errors.As(err, &place) || place.Line == 0 || errors.Unwrap(err) == nil {
			t.Errorf("%q: %T", tt.archive, err)
		}
		_, err = Start([]byte(tt.archive))
		if err == nil {
			t.Errorf("%q was started", tt.archive)
		}
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "7": 7, "7B": 7, "2KB": 2000, "2kB": 2000, "2KiB": 2048, "3MB": 3_000_000, "3MiB": 3 << 20, "4GB": 4_000_000_000,
	} {
		got, err := parseSize(text)
		if err != nil || got != want {
			t.Errorf("%s: %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "B", "KB", "1.5MB", "1 MB", "99999999999999999999", "4000000001"} {
		got, err := parseSize(text)
		if err == nil {
			t.Errorf("%q: %d", text, got)
		}
	}
}

// TestDocumentation: the package comment is the definition of the format, so it
// has every word.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	doc := strings.NewReplacer("//\t", "// ", ",", " ", ":", " ", " or ", "  ").Replace(string(text))
	described := map[string]bool{}
	for line := range strings.Lines(doc) {
		for word := range strings.FieldsSeq(line) {
			name, value, ok := strings.Cut(strings.Trim(word, "."), "=")
			if ok && (value == "N" || value == "D") {
				word = name + "="
			}
			described[strings.Trim(word, ".")] = true
		}
	}
	for word := range faults {
		if !described[word] {
			t.Errorf("the word %s is not in doc.go", word)
		}
	}
	for word := range traitWords {
		if !described[word] {
			t.Errorf("the tls word %s is not in doc.go", word)
		}
	}
	for word := range replyWords {
		if !described[word] {
			t.Errorf("the dns word %s is not in doc.go", word)
		}
	}
}

// FuzzParse: any text is either refused with a place or a web that could be
// started: hosts have addresses and ports, and every answer can be made.
func FuzzParse(f *testing.F) {
	f.Add([]byte(namesArchive))
	f.Add([]byte("-- tls --\na.example expired tls1.2\n-- POST https://a.example:8443/x?y --\n200 gzip=members times=2 headers=1KB\nA: b\n\nbody\n"))
	f.Add([]byte("-- https://a.example --\n200 escaped raw drip=1ms\n\\xff\\n\n"))
	f.Add([]byte("-- https://a.example/ --\n200 base64 nonl\r\n\r\naGVsbG8=\r\n"))
	f.Add([]byte("-- https://a.example/ --\n200 h2 pad=3 cut=1\n\n{}\n"))
	f.Fuzz(func(t *testing.T, archive []byte) {
		s, err := Parse(archive)
		if err != nil {
			var place *ParseError
			if !errors.As(err, &place) || place.Line < 1 || place.Line > strings.Count(string(archive), "\n")+2 {
				t.Fatalf("%v", err)
			}
			return
		}
		for host, o := range s.origins {
			if len(o.ports) == 0 || s.names[host] == nil {
				t.Fatalf("%s cannot be reached", host)
			}
			for _, answers := range o.routes {
				for _, a := range answers {
					if a.pad+a.size+a.bomb+a.headers > 1<<13 {
						continue
					}
					if len(a.head()) == 0 || a.framing != framingRaw && a.wire().size() < 0 {
						t.Fatal("an answer without a head")
					}
				}
			}
		}
	})
}
