package supply

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/resolve"
	"github.com/avow-project/avow/supplypath"
)

// A slow clock goes on by a second whenever it is read.
type slowClock struct{ reads atomic.Int64 }

func (c *slowClock) now() time.Time {
	return time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(c.reads.Add(1)) * time.Second)
}

// live are files that are fetched when they are asked for.
type live struct {
	clock *slowClock
	files map[string]string
}

func (l live) Document(_ context.Context, publisher string) (*resolve.Document, error) {
	url := "https://" + publisher + "/.well-known/adagents.json"
	file := adagents.Check([]byte(l.files[publisher]), adagents.Options{Domain: publisher, URL: url}).File
	return &resolve.Document{Publisher: publisher, State: resolve.Usable, Method: "direct", URL: url, File: file, FetchedAt: l.clock.now()}, nil
}

// TestFilesFetchedForTheAnswerCount: a file that is fetched after the question came is not from the future.
func TestFilesFetchedForTheAnswerCount(t *testing.T) {
	t.Parallel()
	clock := &slowClock{}
	files := map[string]string{
		"owner.example": `{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "A", "authorization_type": "property_ids", "property_ids": ["p"]}],
			"collections": [{"collection_id": "c", "name": "C", "kind": "channel", "distribution": [{"publisher_domain": "host.example", "property_ids": ["tv"]}]}]}`,
		"host.example": `{"properties": [{"property_id": "tv", "name": "TV", "property_type": "ctv_app", "identifiers": [{"type": "roku_channel_id", "value": "1"}]}],
			"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "A", "authorization_type": "property_ids", "property_ids": ["tv"],
			"collections": [{"publisher_domain": "owner.example", "collection_ids": ["c"]}]}]}`,
	}
	q := Question{Owner: "owner.example", Host: "host.example", Agent: "https://agent.example/mcp", Collection: "c"}
	a, err := Ask(t.Context(), Sources{Files: live{clock, files}}, q, clock.now)
	if err != nil {
		t.Fatal(err)
	}
	if a.State != supplypath.VerifiedOwnerSold || !a.OwnerFile.Counts || !a.HostFile.Counts {
		t.Errorf("%s; the owner's file: %s; the host's file: %s", a.State, a.OwnerFile.Trouble, a.HostFile.Trouble)
	}
	if a.At.Before(a.OwnerFile.FetchedAt) || a.At.Before(a.HostFile.FetchedAt) {
		t.Errorf("the answer of %s is older than its files", a.At)
	}
}

// TestFilesAreWeighed: files are read once more only with memory for both, which is given back.
func TestFilesAreWeighed(t *testing.T) {
	t.Parallel()
	clock := &slowClock{}
	files := map[string]string{"owner.example": `{"authorized_agents": []}`, "host.example": `{"properties": [], "authorized_agents": []}`}
	full := errors.New("there is no memory")
	for _, want := range []error{nil, full} {
		taken, left := 0, false
		sources := Sources{Files: live{clock, files}, Reserve: func(_ context.Context, size int) (func(), error) {
			taken += size
			return func() { left = true }, want
		}, Text: func(context.Context, string, string) ([]byte, bool) {
			if left {
				t.Error("the memory is given back before the answer is there")
			}
			return nil, false
		}}
		_, err := Ask(t.Context(), sources, Question{Owner: "owner.example", Host: "host.example", Agent: "https://agent.example/mcp"}, clock.now)
		if !errors.Is(err, want) || taken != len(files["owner.example"])+len(files["host.example"]) || left != (want == nil) {
			t.Errorf("%v; %d bytes were weighed, given back: %t", err, taken, left)
		}
	}
}
