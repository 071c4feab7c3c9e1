package avow

import (
	"context"
	"sync"
	"time"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/websource"
	"github.com/avow-project/avow/keypin"
	"github.com/avow-project/avow/resolve"
)

// These names are those of package resolve, so that most programs need one import.
type (
	// A Question asks whether an agent may sell something of a publisher.
	Question = resolve.Question
	// An Identifier names a property as the market does.
	Identifier = resolve.Identifier
	// A CollectionRef names a content program of a publisher.
	CollectionRef = resolve.CollectionRef
	// An Answer is a verdict with everything it rests on.
	Answer = resolve.Answer
	// A Verdict is the answer in one word.
	Verdict = resolve.Verdict
	// ListOptions narrow what Properties lists.
	ListOptions = resolve.ListOptions
	// A Listing is everything that an agent may sell.
	Listing = resolve.Listing
	// A Source supplies documents.
	Source = resolve.Source
	// A Document is the file that speaks for a publisher.
	Document = resolve.Document
	// A Reason is a step that led to a verdict.
	Reason = resolve.Reason
	// A FormatCatalog is what a publisher's file says about the formats of a placement.
	FormatCatalog = resolve.FormatCatalog
	// A FormatChoice is a format that a placement accepts.
	FormatChoice = resolve.FormatChoice
	// A LimitError is the error for a question whose answer would take too long.
	LimitError = resolve.LimitError
	// A QuestionError is the error for a question that cannot be answered as it is put.
	QuestionError = resolve.QuestionError
)

// The verdicts. Only NotAuthorized is a no.
const (
	Unverified    = resolve.Unverified
	UnusableFile  = resolve.UnusableFile
	NoneAsserted  = resolve.NoneAsserted
	NotAuthorized = resolve.NotAuthorized
	Conditional   = resolve.Conditional
	Authorized    = resolve.Authorized
)

// Config configures a Client. The zero value is ready for use, but a program that sends many
// requests sets Web.Contact.
type Config struct {
	// Source supplies the documents that questions are answered from; nil means that
	// they are found on the web. Discover asks the web in any case.
	Source Source
	// Pins supplies the files that pinned keys are taken from; nil means that they are
	// found on the web. A file is used for as long as max-age allows then, and for an hour at
	// most without one.
	Pins keypin.Source
	// Replay remembers the nonces of signed messages; nil means in the memory of the
	// process.
	Replay keypin.Replay
	// Web says how requests are made. Its clock is Now.
	Web discover.Config
	// Discover says how files are found: whether a replaced mirror is followed, whether
	// caches on the way are asked for fresh answers.
	Discover discover.Options
	// Mirrors are the https URLs of community mirrors, by the domain of the publisher that
	// each is for. Where a publisher has no file, or one without formats, its mirror
	// answers questions about formats; it never authorizes anybody. A mirror that
	// names its replacement is left for it, once. One that cannot be obtained again is used
	// for a week.
	Mirrors map[string]string
	// Keep is how long a document from the web is used again. Zero means a minute; below zero,
	// only questions at the same time share one. What could not be reached is never kept.
	Keep time.Duration
	// Now is the clock; nil means time.Now. It gives questions without an instant theirs.
	Now func() time.Time
}

// A Client answers questions about publishers. The zero value is ready for use, with the
// zero Config. It is safe for concurrent use, starts nothing that outlives a call, and
// must not be copied.
type Client struct {
	config   Config
	once     sync.Once
	finder   *discover.Finder
	resolver *resolve.Resolver
	// fault is that of a Config that cannot be used.
	fault    error
	verifier *keypin.Verifier
}

// New returns a Client.
func New(c Config) *Client { return &Client{config: c} }

// prepare makes what a zero Client lacks.
func (c *Client) prepare() {
	c.once.Do(func() {
		if c.config.Now == nil {
			c.config.Now = time.Now
		}
		c.config.Web.Now = c.config.Now
		c.finder = discover.New(c.config.Web)
		source := c.config.Source
		if source == nil {
			source = websource.NewSource(c.finder,
				websource.SourceConfig{Discover: c.config.Discover, Keep: c.config.Keep, Now: c.config.Now})
		}
		if len(c.config.Mirrors) > 0 {
			source, c.fault = websource.WithMirrors(source, c.finder, websource.MirrorConfig{
				URLs: c.config.Mirrors, Discover: c.config.Discover, Keep: c.config.Keep, Now: c.config.Now,
			})
		}
		c.resolver = resolve.New(source)
		pins := c.config.Pins
		if pins == nil {
			pins = websource.NewPins(c.finder, websource.PinsConfig{Discover: c.config.Discover, Now: c.config.Now})
		}
		c.verifier = keypin.New(keypin.Config{Source: pins, Replay: c.config.Replay, Now: c.config.Now})
	})
}

// Authorize answers whether an agent may sell something. A question without an instant is about now. The
// error is a *QuestionError when the question cannot be answered as it is put, a *LimitError when the
// file is made so that the answer would take too long, or an error of the context, the Source or
// Config.Mirrors; that there is no file, or none that can be reached, is part of the answer.
func (c *Client) Authorize(ctx context.Context, q Question) (*Answer, error) {
	c.prepare()
	if q.At.IsZero() {
		q.At = c.config.Now()
	}
	if c.fault != nil {
		return nil, c.fault
	}
	return c.resolver.Answer(ctx, q)
}

// Properties lists everything of a publisher's file that an agent may sell, with the way
// in which it was granted. Errors are those of Authorize.
func (c *Client) Properties(ctx context.Context, publisher, agent string, o ListOptions) (*Listing, error) {
	c.prepare()
	if o.At.IsZero() {
		o.At = c.config.Now()
	}
	if c.fault != nil {
		return nil, c.fault
	}
	return c.resolver.Properties(ctx, publisher, agent, o)
}

// Formats returns the formats that a placement of a publisher accepts on a property, or
// on any property when none is given, and why others are left out. Which of them a product
// accepts too is what package formats says.
func (c *Client) Formats(ctx context.Context, publisher, placement, property string) (*FormatCatalog, error) {
	c.prepare()
	if c.fault != nil {
		return nil, c.fault
	}
	return c.resolver.Formats(ctx, publisher, placement, property)
}

// Discover finds the file that speaks for a domain and returns the way to it with all
// evidence. The error is a *discover.InputError if the text is not a domain.
func (c *Client) Discover(ctx context.Context, domain string) (*discover.Discovery, error) {
	c.prepare()
	return c.finder.Domain(ctx, domain, c.config.Discover)
}

// Verifier returns what checks signed messages of agents against the keys that publishers
// pin, for keypin and its package pinhttp. It is the same for every call.
func (c *Client) Verifier() *keypin.Verifier {
	c.prepare()
	return c.verifier
}

// Revocations returns a keypin.Revoker for the list of an operator's revoked keys at a URL, which
// speaks for an origin such as https://agent.example and is signed with one of the keys. It is
// asked for when it is due. One that cannot be had or verified, or that is older than the one
// before, does not replace it; when that is too old, messages are refused.
func (c *Client) Revocations(url, issuer string, keys ...*keypin.Key) keypin.Revoker {
	c.prepare()
	return websource.NewRevocations(c.finder, websource.Revocations{URL: url, Issuer: issuer, Keys: keys}, c.config.Now)
}

// DocumentOf turns what was found for a publisher into the document that questions are
// answered from. It is for a Source that stores discoveries.
func DocumentOf(publisher string, d *discover.Discovery) *Document {
	return websource.DocumentOf(publisher, d)
}

// PinsOf turns what was found for a publisher into the document that pins are taken from.
// KnownSince is when it was obtained. It is for a keypin.Source that stores discoveries.
func PinsOf(publisher string, d *discover.Discovery) *keypin.Document {
	return websource.PinsOf(publisher, d)
}
