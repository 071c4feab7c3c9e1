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
	s := newParsedFiles(2*weight + weight/8)
	read := func(hash string) *parsed {
		r := adagents.Check(body, adagents.Options{Domain: "pub.example", Role: adagents.Direct})
		return s.put(version{hash: hash, publisher: "pub.example", role: adagents.Direct}, newParsed(r, body))
	}
	first, second := read("1"), read("2")
	if count, got := s.kept.Size(); got != 2*weight || count < 2 {
		t.Fatalf("weight %d of %d files, want %d", got, count, 2*weight)
	}
	second.ready()
	size := second.prepared.Size()
	if size < len(body)/8 || size > 2*len(body) {
		t.Errorf("the prepared form of %d bytes takes %d", len(body), size)
	}
	if _, got := s.kept.Size(); got > s.most {
		t.Errorf("weight %d, and there is room for %d", got, s.most)
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
	s := newParsedFiles(fileBytes + 3*bodyFactor*len(small))
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
	if _, got := s.kept.Size(); got != fileBytes+bodyFactor*len(small) {
		t.Error("a file that takes little was shed")
	}
}

// TestSmallFilesAreWeighed: a small file takes many times its bytes in memory, about five
// thousand, so as many are kept as there is room for.
func TestSmallFilesAreWeighed(t *testing.T) {
	t.Parallel()
	const memory, measured = 1_000_000, 5_000
	s, body := newParsedFiles(memory), preparedFile(1)
	r := adagents.Check(body, adagents.Options{Role: adagents.Direct})
	for i := range memory / len(body) {
		s.put(version{hash: fmt.Sprint(i), role: adagents.Direct}, newParsed(r, body))
	}
	if count, _ := s.kept.Size(); count*measured > memory*5/4 || count < 100 {
		t.Errorf("%d files are kept", count)
	}
}
