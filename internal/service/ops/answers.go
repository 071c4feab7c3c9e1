package ops

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

// splicedFrom is the size from which a file is not copied into the answer about it, but
// sent from where it is kept.
const splicedFrom = 64_000

// A preparedReply is an encoded answer. The file, if it is large, is sent between head and
// tail. The end is what is different each time: the moment at which it is given.
type preparedReply struct {
	head, file, tail, end []byte
	// tag returns the entity tag, which all who are given the same share; nil for an answer of its own.
	tag func() string
}

// endOfReply is what follows the time in an envelope.
const endOfReply = `"}`

// HTTPParts implements prepared.
func (p *preparedReply) HTTPParts() [][]byte { return [][]byte{p.head, p.file, p.tail, p.end} }

// HTTPTag implements WithTag.
func (p *preparedReply) HTTPTag() string {
	if p.tag == nil {
		return ""
	}
	return p.tag()
}

// tagOf makes the entity tag of an answer once for all who are given it: hashing a large file takes
// longer than all the rest.
func (p *preparedReply) tagOf(v *registry.Validation, name string) string {
	tag, err := v.Encoded(name+" tag", func() ([]byte, error) {
		sum := sha256.New()
		for _, part := range p.HTTPParts() {
			sum.Write(part)
		}
		return []byte(edge.Tag(sum.Sum(nil))), nil
	})
	if err != nil {
		return ""
	}
	return string(tag)
}

// prepare returns the answer for a check in its envelope.
func prepare(ctx context.Context, v *registry.Validation, at time.Time) (*preparedReply, error) {
	p, err := splice(ctx, v, fmt.Sprint("reply ", v.Cached), func() ([]byte, error) {
		body, err := json.Marshal(validateReplyOf(v), EncodeOptions)
		return bytes.TrimSuffix(body, []byte(endOfReply)), err
	})
	if err == nil {
		p.end = []byte(wire.API.Time(at) + endOfReply)
	}
	return p, err
}

// prepareBare returns the same without an envelope.
func prepareBare(ctx context.Context, v *registry.Validation) (*preparedReply, error) {
	return splice(ctx, v, fmt.Sprint("validation ", v.Cached), func() ([]byte, error) {
		return json.Marshal(validationOf(v), EncodeOptions)
	})
}

// splice puts a file into the answer about it.
func splice(ctx context.Context, v *registry.Validation, name string,
	encode func() ([]byte, error)) (*preparedReply, error) {
	p, err := encodeOnce(ctx, v, name, encode)
	if err != nil {
		return nil, err
	}
	head, tail, ok := bytes.Cut(p.head, fileMark())
	if !ok {
		return p, nil
	}
	p.head, p.tail = head, tail
	p.file, _ = rawData(v)
	budget.Shared(ctx, len(p.file))
	return p, nil
}

// encodeOnce returns an answer in one part. An answer that is shown to many is encoded
// once: that costs more than all the rest.
func encodeOnce(ctx context.Context, v *registry.Validation, name string,
	encode func() ([]byte, error)) (*preparedReply, error) {
	body, err := v.Encoded(name, encode)
	if err != nil {
		return nil, err
	}
	p := &preparedReply{head: body}
	if v.Shared() {
		budget.Shared(ctx, len(body))
		p.tag = func() string { return p.tagOf(v, name) }
	}
	return p, nil
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
