package ops

import (
	"bytes"
	"crypto/rand"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

// splicedFrom is the size from which a file is not copied into the answer about it, but
// sent from where it is kept.
const splicedFrom = 64_000

// A preparedReply is an encoded answer. The file, if it is large, is sent between head and
// tail. The end is what is different each time: the moment at which it is given.
type preparedReply struct{ head, file, tail, end []byte }

// endOfReply is what follows the time in an envelope.
const endOfReply = `"}`

// HTTPParts implements prepared.
func (p *preparedReply) HTTPParts() [][]byte { return [][]byte{p.head, p.file, p.tail, p.end} }

// prepare returns the answer for a check in its envelope.
func prepare(v *registry.Validation, at time.Time) (*preparedReply, error) {
	p, err := splice(v, "reply", func() ([]byte, error) {
		body, err := json.Marshal(validateReplyOf(v), EncodeOptions)
		return bytes.TrimSuffix(body, []byte(endOfReply)), err
	})
	if err == nil {
		p.end = []byte(wire.API.Time(at) + endOfReply)
	}
	return p, err
}

// prepareBare returns the same without an envelope.
func prepareBare(v *registry.Validation) (*preparedReply, error) {
	return splice(v, "validation", func() ([]byte, error) { return json.Marshal(validationOf(v), EncodeOptions) })
}

// splice puts a file into the answer about it. An answer that is shown to many is encoded
// once: that costs more than all the rest.
func splice(v *registry.Validation, name string, encode func() ([]byte, error)) (*preparedReply, error) {
	body, err := v.Encoded(name, encode)
	if err != nil {
		return nil, err
	}
	head, tail, ok := bytes.Cut(body, fileMark())
	if !ok {
		return &preparedReply{head: body}, nil
	}
	file, _ := rawData(v)
	return &preparedReply{head: head, file: file, tail: tail}, nil
}

// showFile shows the file of a check. A large one is a mark that splice replaces.
func (doc *validation) showFile(v *registry.Validation) {
	doc.RawData, doc.Redacted = rawData(v)
	if len(doc.RawData) >= splicedFrom {
		doc.RawData = fileMark()
	}
}

// fileMark is an unguessable JSON string.
var fileMark = sync.OnceValue(func() []byte { return []byte(`"` + rand.Text() + `"`) })

// hiddenMark begins the raw data of a file of which something is hidden. A JSON text does
// not begin with it.
const hiddenMark = 'h'

// rawData returns a file as it is shown, and whether something in it is hidden. It is
// looked through once.
func rawData(v *registry.Validation) (jsontext.Value, bool) {
	made, err := v.Once("raw", func() ([]byte, error) {
		s, mark := redact.Of(v.Body, v.Report), len(v.Body)-len(bytes.TrimPrefix(v.Body, []byte("\ufeff")))
		if !s.Hides() {
			return v.Body[mark:], nil
		}
		return append([]byte{hiddenMark}, s.JSON(mark, len(v.Body))...), nil
	})
	if err == nil && len(made) > 0 && made[0] == hiddenMark {
		return made[1:], true
	}
	return made, false
}
