package ops

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/service/budget"
	"github.com/avow-project/avow/internal/service/directory"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/feed"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/subscribe"
)

const (
	// SmallBody is the limit of an input that names a few things.
	SmallBody = 64 << 10
	// FileBody is the limit of an input that carries a declaration file.
	FileBody = 5_000_000
)

// An Operation is one row of the table.
type Operation struct {
	// Name is that in documents, logs and limits, unique and stable.
	Name string
	// Summary is a few words, Description some sentences for people.
	Summary, Description string
	Tag                  string
	// HTTP is the method and the path, such as GET /api/authorize; empty when it is not exposed there.
	HTTP string
	// Tool is how language models see it; one without a name is not exposed to them.
	Tool Tool
	// Command and Package are the command and the function of the npm package that answer the same, for the
	// documents alone.
	Command, Package string
	// Class is what the work costs of a client's rate; a row without one is refused at the start.
	Class *edge.Class
	// Scope is what a key must permit; empty when no key is needed. Keyed operations answer more
	// to callers with a key and need none: an ignored key is not an error there.
	Scope registry.Scope
	Keyed bool
	// Closed operations refuse parameters that they do not know: to leave one out would
	// answer another question.
	Closed bool
	// Again is set when answers are Given: they may be given again for as long as they hold.
	Again bool
	// Limit is the body's in bytes; zero means SmallBody.
	Limit int64
	// Shared answers about a file are encoded once for all that ask for the same, and need no memory of
	// their own. Of every other answer the memory to make it, by the size of the files that it is made
	// of, is reserved before, and until it is written; see package budget.
	Shared bool
	// Statuses are those of errors over HTTP, as far as they do not follow from the rest.
	Statuses []int
	// Success are the statuses of an answer; empty means 200.
	Success []int
	// Issues: what is wrong with an input is told as "Invalid request" with a list of issues, as clients
	// of other registries read it.
	Issues bool
	// Enveloped errors carry success and timestamp beside the error.
	Enveloped bool
	// Cache is the Cache-Control of an answer; empty leaves it to the interface.
	Cache string
	// Example is an input: the JSON of a body, or a query string without the question mark.
	Example string
	// Media is the content type of an answer; empty means application/json.
	Media string
	// Output is the type of an answer; Define sets it unless it is set already, for an
	// answer that comes prepared.
	Output reflect.Type

	// Directory is set by Define: the answer rests on the directory, and says on how much of it.
	Directory bool
	// The rest is set by Define.
	Input *Plan
	blank func() any
	call  func(ctx context.Context, in any) (any, error)
}

// Elsewhere says where else the same can be asked; empty for nowhere.
func (o *Operation) Elsewhere() string {
	var names []string
	for _, other := range []struct{ what, name string }{{"the tool ", o.Tool.Name}, {"the command ", o.Command},
		{"the npm function ", o.Package}} {
		if other.name != "" {
			names = append(names, other.what+other.name)
		}
	}
	if names == nil {
		return ""
	}
	return "The same is answered by " + strings.Join(names, " and ") + "."
}

// Define completes an operation with the function that answers it. In is a struct whose fields
// carry the tags of a Plan. Out becomes the JSON of the answer, unless it is a *Document; it may
// say more by implementing the interfaces of this package. The errors of f that are a
// *registry.Error, also wrapped by WithExtras, are shown to the caller; any other is hidden.
func Define[In, Out any](o Operation, f func(ctx context.Context, in *In) (Out, error)) Operation {
	o.Input = planInput(reflect.TypeFor[In](), o.Limit)
	o.Input.closed = o.Closed
	if o.Output == nil {
		o.Output = reflect.TypeFor[Out]()
	}
	o.Directory = reflect.TypeFor[Out]().Implements(reflect.TypeFor[interface{ RestsOn() Gap }]())
	o.blank = func() any { return new(In) }
	o.call = func(ctx context.Context, in any) (any, error) {
		if o.Shared {
			budget.Lighten(ctx)
		}
		ctx, failed := directory.Caught(ctx)
		out, err := f(ctx, in.(*In))
		trouble := failed()
		if trouble != nil {
			return nil, registry.StoreTrouble(trouble) // what was answered without it may be wrong
		}
		return out, err
	}
	return o
}

// Method is that of HTTP.
func (o *Operation) Method() string {
	method, _, _ := strings.Cut(o.HTTP, " ")
	return method
}

// Path is that of HTTP, with wildcards.
func (o *Operation) Path() string {
	_, path, _ := strings.Cut(o.HTTP, " ")
	return path
}

// Blank returns an input without anything in it, for the Plan to fill.
func (o *Operation) Blank() any { return o.blank() }

// Call answers an input that Blank returned.
func (o *Operation) Call(ctx context.Context, in any) (any, error) { return o.call(ctx, in) }

// Config says what answers. Service is required to answer anything.
type Config struct {
	Service *registry.Service
	// Feed tells what changes; nil means that there is none.
	Feed *feed.Feed
	// Subscriptions are those to the feed; nil means that there are none.
	Subscriptions *subscribe.Service
	// Translog has the proofs of answers; nil means that there is no transparency log.
	Translog *notary.Handler
	// ObserveCache is told whether a snapshot was there already; nil for none.
	ObserveCache func(name string, hit bool)
	// BaseURL is where the service is reached from outside, without a slash at the end;
	// empty means that links are relative.
	BaseURL string
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// A Set has the operations of one service. It is safe for concurrent use.
type Set struct {
	// All is the table.
	All []Operation

	service       *registry.Service
	feed          *feed.Feed
	translog      *notary.Handler
	subscriptions *subscribe.Service
	streams       edge.Streams
	snapshots     copies
	// provenSnapshots are those with proofs.
	provenSnapshots copies
	reports         *reports
	baseURL         string
	now             func() time.Time
}

// New returns the operations of a service.
func New(c Config) *Set {
	o := &Set{service: c.Service, feed: c.Feed, subscriptions: c.Subscriptions, translog: c.Translog,
		baseURL: strings.TrimSuffix(c.BaseURL, "/"), now: c.Now}
	if o.now == nil {
		o.now = time.Now
	}
	if c.ObserveCache == nil {
		c.ObserveCache = func(string, bool) {}
	}
	o.snapshots = copies{life: copyLife, now: o.now, observe: c.ObserveCache}
	o.provenSnapshots = copies{now: o.now, observe: c.ObserveCache}
	o.reports = newReports(o.now)
	o.All = slices.Concat(
		o.toolOperations(), o.adagentsOperations(), o.createOperations(), o.propertyOperations(), o.lookupOperations(),
		o.authorizationOperations(), o.supplyOperations(), o.formatsOperations(), o.enrichOperations(),
		o.brandListOperations(),
		o.mirrorOperations(), o.custodyOperations(), o.directoryOperations(), o.feedOperations(), o.propertyCheckOperations(),
		o.propertyBulkOperations(), o.catalogOperations(), []Operation{o.propertyHistoryOperation()}, o.crawlOperations(),
		o.trustOperations(),
		[]Operation{o.describeAgentOperation()}, o.subscriptionOperations(),
	)
	return o
}

// Service is what the operations ask.
func (o *Set) Service() *registry.Service { return o.service }

// NoInput is the input of an operation without any.
type NoInput struct{}
