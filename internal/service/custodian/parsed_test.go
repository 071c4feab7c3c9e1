package custodian

import (
	"fmt"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
)

// preparedFile is a file with n properties.
func preparedFile(n int) []byte {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"property_id": "p%d", "property_type": "website", "name": "N", "identifiers": [{"type": "domain", "value": "p%d.pub.example"}]}`, i, i)
	}
	return []byte(`{"properties": [` + strings.Join(list, ",") + `], "authorized_agents": [
		{"url": "https://agent.example/mcp", "authorized_for": "All", "authorization_type": "property_ids", "property_ids": ["p0"]}]}`)
}

// TestPreparedIsWeighed: what questions are answered from is made once for a version, and
// takes part of the memory that there is for files.
func TestPreparedIsWeighed(t *testing.T) {
	t.Parallel()
	body := preparedFile(100)
	weight := fileBytes + bodyFactor*len(body)
	s := newParsedFiles(2*weight+weight/8, weight)
	read := func(hash string) *parsed {
		r := adagents.Check(body, adagents.Options{Domain: "pub.example", Role: adagents.Direct})
		return s.put(version{hash: hash, publisher: "pub.example", role: adagents.Direct}, newParsed(r, body))
	}
	first, second := read("1"), read("2")
	if count, got := s.kept.Size(); got != 2*(weight+dependsBytes) || count < 2 {
		t.Fatalf("weight %d of %d files, want %d", got, count, 2*(weight+dependsBytes))
	}
	second.ready()
	size := second.prepared.Size()
	if size < len(body)/8 || size > 2*len(body) {
		t.Errorf("the prepared form of %d bytes takes %d", len(body), size)
	}
	if _, got := s.kept.Size(); got > s.mostKept {
		t.Errorf("weight %d, and there is room for %d", got, s.mostKept)
	}
	if s.get(version{hash: "2", publisher: "pub.example", role: adagents.Direct}) != second {
		t.Error("the file in use was dropped")
	}
	s.kept.Delete(first.key)
	_, before := s.kept.Size()
	first.ready()
	if _, got := s.kept.Size(); got > before {
		t.Error("a file that is not kept is counted")
	}
}

// TestShed: a file that takes more than all others may is kept until somebody needs the
// memory, and no other goes with it.
func TestShed(t *testing.T) {
	t.Parallel()
	small, large := preparedFile(1), preparedFile(100)
	s := newParsedFiles(fileBytes+3*bodyFactor*len(small), fileBytes+3*bodyFactor*len(small))
	read := func(hash string, body []byte) {
		r := adagents.Check(body, adagents.Options{Domain: "pub.example", Role: adagents.Direct})
		s.put(version{hash: hash, publisher: "pub.example", role: adagents.Direct}, newParsed(r, body))
	}
	read("large", large)
	if count, _ := s.kept.Size(); count == 0 {
		t.Error("the only file is not kept")
	}
	s.shed()
	if _, got := s.kept.Size(); got != 0 {
		t.Errorf("weight %d after it was shed", got)
	}
	read("small", small)
	s.shed()
	if _, got := s.kept.Size(); got != fileBytes+bodyFactor*len(small)+dependsBytes {
		t.Error("a file that takes little was shed")
	}
}

// TestSmallFilesAreWeighed: a small file takes many times its bytes in memory, about five
// thousand, so as many are kept as there is room for.
func TestSmallFilesAreWeighed(t *testing.T) {
	t.Parallel()
	const memory, measured = 1_000_000, 5_000
	s, body := newParsedFiles(memory, memory), preparedFile(1)
	r := adagents.Check(body, adagents.Options{Role: adagents.Direct})
	for i := range memory / len(body) {
		s.put(version{hash: fmt.Sprint(i), role: adagents.Direct}, newParsed(r, body))
	}
	if count, _ := s.kept.Size(); count*measured > memory*5/4 || count < 100 {
		t.Errorf("%d files are kept", count)
	}
}

// TestAskedFilesStay: files that questions are asked about are not put out by others that are looked
// at, also where it depends on the publisher what is in them, and have a limit of their own.
func TestAskedFilesStay(t *testing.T) {
	t.Parallel()
	for role, depends := range map[adagents.Role]bool{adagents.Direct: true, adagents.Authoritative: false} {
		body := preparedFile(1)
		weight := fileBytes + bodyFactor*len(body) + dependsBytes
		s := newParsedFiles(2*weight, 3*weight)
		read := func(hash string) version {
			r := adagents.Check(body, adagents.Options{Domain: "pub.example", Role: role})
			v := version{hash: hash, publisher: "pub.example", role: role}
			s.put(v, newParsed(r, body))
			return v
		}
		asked := read("asked")
		f := s.get(asked)
		if f.depends != depends {
			t.Fatalf("role %v depends on the publisher: %v", role, f.depends)
		}
		s.ask(f.key)
		s.ask(f.key) // by another question
		for i := range 10 {
			read(fmt.Sprint(i))
		}
		if s.get(asked) != f {
			t.Errorf("role %v: it is gone", role)
		}
		for i := range 10 {
			v := read(fmt.Sprint("asked ", i))
			s.ask(s.get(v).key)
		}
		if _, got := s.asked.Size(); got > 3*weight {
			t.Errorf("role %v: they weigh %d", role, got)
		}
		if s.get(asked) != nil {
			t.Errorf("role %v: it stays for ever", role)
		}
	}
}
