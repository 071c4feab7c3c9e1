package ops

import (
	"net/http"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/wire"
)

// What an answer may say besides its JSON.
type (
	// A WithStatus is an answer with a status other than 200.
	WithStatus interface{ HTTPStatus() int }
	// A WithHeader is an answer with headers of its own.
	WithHeader interface{ HTTPHeader(h http.Header) }
	// A Prepared answer has been encoded before. The parts are written one after the other.
	Prepared interface{ HTTPParts() [][]byte }
	// A WithTag is a prepared answer with an entity tag of its own; empty means that it has none.
	WithTag interface{ HTTPTag() string }
	// A Passing answer has members that say only when it was given, as they are in its JSON and in
	// the order in which they are there. Who has the answer but for them has it.
	Passing interface{ HTTPMoments() []string }
	// A Streamed answer is written as it is made.
	Streamed interface {
		HTTPStream(r *http.Request, w http.ResponseWriter)
	}
	// A Given answer rests on something that tells whether it would be the same again; nil for one
	// that must not be given again.
	Given interface {
		Passing
		GivenAnswer() *registry.QuestionAnswer
	}
)

// A Document is an answer that is not JSON of a Go type: a file as it is.
type Document struct {
	// Type is its content type; empty means the operation's.
	Type string
	Body []byte
	// Load returns the body in the place of Body, if that is not nil. It is not called for
	// a client that has it.
	Load func() ([]byte, error)
	// ETag makes the answer conditional; empty means none. It includes the quotes.
	ETag   string
	Header http.Header
}

// EncodeOptions are those of every answer. Text from outside may hold what is not
// UTF-8, and a document shown as it is may have duplicate members: neither is a reason
// not to answer.
var EncodeOptions = json.JoinOptions(
	jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true), json.Deterministic(true),
	json.FormatNilSliceAsNull(false), json.FormatNilMapAsNull(false),
)

// wireTimeOrNone is the time of the wire, and empty for the zero time.
func wireTimeOrNone(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return wire.API.Time(t)
}

// Freshness says how long an answer may be used.
type Freshness struct {
	CheckedAt  string `json:"checked_at" format:"date-time" doc:"The instant the answer is for."`
	FreshUntil string `json:"fresh_until,omitempty" format:"date-time" doc:"How long it may be used."`
}

// HTTPMoments implements passing. The client may use the answer for as long as it says.
func (f *Freshness) HTTPMoments() []string {
	return []string{`"checked_at":"` + f.CheckedAt + `"`, `"fresh_until":"` + f.FreshUntil + `"`}
}

func freshnessOf(checked, fresh time.Time) Freshness {
	return Freshness{wire.API.Time(checked), wireTimeOrNone(fresh)}
}
