package discover

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// readObject reads the JSON object that an agent answers with.
func readObject(body []byte) (jsontree.Value, bool) {
	tree, err := jsontree.Parse(body, jsontree.Options{MaxBytes: maxCard})
	if err != nil {
		return jsontree.Value{}, false
	}
	return tree.Root(), tree.Root().Is(jsontree.Object)
}

// readCard looks for an A2A card: an object that gives the agent a name or a URL.
func readCard(r *fetch.Result, c *AgentCheck) Reply {
	if r.Outcome != fetch.Found {
		return replyOf(r)
	}
	card, ok := readObject(r.Body)
	if !ok {
		return NotSpoken
	}
	name, url := card.Get("name").Str(), card.Get("url").Str()
	if name == "" && url == "" {
		return NotSpoken
	}
	c.Name = name
	return Spoken
}

// namedEndpoint returns the URL in the card of an origin, if it is a path there.
func namedEndpoint(r *fetch.Result, origin string) string {
	card, ok := readObject(r.Body)
	if r.Outcome != fetch.Found || !ok {
		return ""
	}
	url, info, err := hostname.CanonicalURL(card.Get("url").Str())
	if err != nil || info.HasUserinfo || info.HasFragment || !strings.HasPrefix(url, origin+"/") || url == origin+"/" {
		return ""
	}
	return url
}

// readInitialize looks for the answer to an MCP initialize, which comes as JSON or
// as an event of a stream. A stream that the server keeps open never ends in time;
// that it has begun is answer enough.
func readInitialize(r *fetch.Result, c *AgentCheck) Reply {
	x := r.Last()
	if r.Outcome != fetch.Found {
		open := r.Outcome == fetch.Timeout || r.Outcome == fetch.Incomplete
		if open && x.Status == http.StatusOK && x.MediaType == eventStream {
			return Spoken
		}
		return replyOf(r)
	}
	for answer := range messages(r) {
		if !answer.Get("result").Get("protocolVersion").Is(jsontree.String) {
			continue
		}
		if c.Name == "" {
			c.Name = answer.Get("result").Get("serverInfo").Get("name").Str()
		}
		return Spoken
	}
	return NotSpoken
}

// events returns the data of each event of a stream.
func events(stream []byte) [][]byte {
	stream = bytes.ReplaceAll(stream, []byte("\r\n"), []byte("\n"))
	stream = bytes.ReplaceAll(stream, []byte("\r"), []byte("\n"))
	var list [][]byte
	var data []byte
	for line := range bytes.SplitSeq(append(stream, '\n', '\n'), []byte("\n")) {
		if len(line) == 0 {
			if data != nil {
				list = append(list, data)
			}
			data = nil
			continue
		}
		text, found := bytes.CutPrefix(line, []byte("data:"))
		if found {
			data = append(append(data, bytes.TrimPrefix(text, []byte(" "))...), '\n')
		}
	}
	return list
}
