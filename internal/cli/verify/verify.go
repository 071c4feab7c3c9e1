// Package verify has the command verify, which checks signed messages against pinned keys.
package verify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/websource"
	"github.com/avow-project/avow/keypin"
)

const verifyHelp = `Verify checks a signed message against the keys that a publisher pins for an agent in the
signing_keys of its file: did the agent send this, and was it changed on the way?

MESSAGE is a file with the message as it went over the wire: the request or status line,
the fields, an empty line, and the body byte for byte. Without it, or with -, standard
input is read. A request whose first line has only a path was sent to its Host over https;
--authority and --scheme say otherwise.

These are the verdicts. accepted: a pinned key signed the message, and everything that the
profile demands is covered and unchanged. rejected: do not act on the message. unpinned: the
publisher lists the agent and pins no keys, so that the signature was not checked.
unavailable: the publisher's file could not be fetched. A key that the pin does not have makes
avow ask the publisher once more, past all caches, before it says no.

--profile says what kind of message it is. request is a request as the protocol signs them
since 3.2, and request-3.1 one of 3.0 or 3.1. Nothing in a message tells the two apart, so
avow never guesses. --digest is what the receiver of request-3.1 announced as
covers_content_digest: with either or forbidden a signature may leave out the body, and the
answer says that the body is not bound. webhook is adcp/webhook-signing/v1. request-3.3 and
webhook-3.3 are the same as receivers check them that follow AdCP 3.3: the key must be pinned and
also be in the agent's key set, which --agent-keys names, and without a pin the key set decides.
The two are compared by the key itself, whatever it is called. response is a
plain response signed by RFC 9421, which the protocol itself does not use. It should be bound
to its request, which --request names; without it, a response is checked by itself, and could
be the answer to another question.

signed-response is the one signed answer that the protocol defines: the JSON of an answer to
verify_brand_claim or verify_brand_claims with the envelope signed_response in it. MESSAGE is
that JSON then, --task and --brand say what was asked, --request has the arguments of the task
as they were sent, and --caller the identity under which the agent knows the caller. Without
the last two the verdict is signed_unbound: signed, and perhaps the answer to another request.
Act on the response that avow shows, not on what stands beside the envelope.

--revocations is the operator's signed list of revoked keys. A list that cannot be had, does
not verify or is too old rejects the message; it is never taken for not revoked. Without a
list, revoked_at of the pin is all that is looked at.

Keys are those of the file that superseded_by names, if the publisher's file names one;
--no-follow-superseded stays with the first.

Signatures hold for five minutes. --at judges an older message as of another time; the
publisher's file is that of today. Whether a nonce was used before cannot be told from one
message: a service does that with the Go package keypin/pinhttp.

Exit codes: 0 accepted, 1 rejected, 2 wrong usage, 3 unpinned, unavailable or
signed_unbound, or the message cannot be read.`

const verifyExamples = `  avow verify --publisher example.com --agent https://agent.example/mcp message.http
  avow verify --publisher example.com --agent https://agent.example/mcp --profile webhook < hook.http
  avow verify --publisher example.com --agent https://agent.example/mcp --file adagents.json --at 2026-01-02T00:00:00Z message.http
  avow verify --publisher example.com --agent https://agent.example/mcp --profile response --request request.http response.http
  avow verify --publisher example.com --agent https://agent.example/mcp --profile signed-response --task verify_brand_claim --brand brand.example --request arguments.json --caller api-client-id:42 answer.json`

// Command returns the command verify.
func Command(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "verify [flags] --publisher DOMAIN --agent URL [MESSAGE]",
		Short:   "check a signed message against a publisher's pinned keys",
		Long:    verifyHelp,
		Example: verifyExamples,
	}
	f := new(verifyFlags)
	flags := cmd.Flags()
	flags.StringVar(&f.publisher, "publisher", "", "`DOMAIN` of the publisher that pins the keys")
	flags.StringVar(&f.agent, "agent", "", "`URL` of the agent's endpoint, as the publisher lists it")
	flags.StringVar(&f.request, "request", "",
		"`FILE` with the request that a response answers, or the arguments that a signed response answers")
	flags.StringVar(&f.authority, "authority", "", "`HOST` that the request was sent to, if its Host field does not say")
	flags.StringVar(&f.scheme, "scheme", "https", "`SCHEME` of a request whose first line has only a path")
	flags.StringVar(&f.at, "at", "", "judge as of this `TIME`, for example 2026-01-02T00:00:00Z, instead of now")
	f.profile = console.AddChoice(cmd, "profile", "kind of message", "request", "request-3.1", "request-3.3", "webhook",
		"webhook-3.3", "response", signedResponse)
	f.digest = console.AddChoice(cmd, "digest", "whether a signature of request-3.1 covers the body", "either", "required",
		"forbidden")
	flags.StringVar(&f.agentKeys, "agent-keys", "",
		"with request-3.3 and webhook-3.3: `FILE` or https URL of the agent's key set, instead of /.well-known/jwks.json "+
			"of its host")
	f.answer.add(cmd)
	f.format = console.AddChoice(cmd, "format", "output format", "text", "json")
	f.addPinFlags(cmd)
	cmd.PreRunE = console.NoEmptyFlag
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return verify(a, cmd, f, args) }
	return cmd
}

func verify(a *console.App, cmd *cobra.Command, f *verifyFlags, args []string) error {
	q, err := f.question(cmd, args)
	if err != nil {
		return err
	}
	q.Operator = f.answer.issuer
	q.Revocations, err = revoker(a, f)
	if err != nil {
		return err
	}
	ctx, stop := console.Interruptible(cmd.Context())
	defer stop()
	m, err := signedMessage(a, f, args)
	if err != nil {
		return err
	}
	source, end, err := pins(ctx, a, f, q.Publisher)
	if err != nil {
		return err
	}
	defer end()
	q.Published, err = publishedKeys(ctx, a, f)
	if err != nil {
		return err
	}
	v := keypin.New(keypin.Config{Source: source, Now: a.Env.Now})
	if f.profile.Value == signedResponse {
		answer, err := verifyAnswer(ctx, a, f, v, q, args)
		if err != nil {
			return verifyFault(err)
		}
		return showVerified(a, f, &answer.Result, answer)
	}
	r, err := v.Verify(ctx, m, q)
	if err != nil {
		return verifyFault(err)
	}
	return showVerified(a, f, r, nil)
}

// publishedKeys returns the key set of the agent, for the profiles that look at it.
func publishedKeys(ctx context.Context, a *console.App, f *verifyFlags) ([]*keypin.Key, error) {
	if !f.needsKeySet() {
		return nil, nil
	}
	name, src := f.agentKeys, []byte(nil)
	if name == "" || strings.Contains(name, "://") {
		client, err := request.NewClient(a, f.Web)
		if err != nil {
			return nil, err
		}
		set := discover.New(discover.Config{Client: client, Now: a.Env.Now}).KeySet(ctx, f.agent, name)
		if set.Result == nil || set.Result.Outcome != fetch.Found {
			return nil, console.Failure("name the key set with --agent-keys",
				"cannot read the keys that the agent publishes: %s", console.Safe(set.Message))
		}
		name, src = set.URL, set.Result.Body
	} else {
		var err error
		src, err = a.Read(name)
		if err != nil {
			return nil, err
		}
	}
	keys, err := keypin.ParseKeys(src)
	if err != nil {
		return nil, console.Failure(`a key set is {"keys": [...]}, with Ed25519 or P-256 keys`, "%s: %v",
			console.Safe(redact.URL(name)), err)
	}
	return keys, nil
}

// signedMessage reads the message, and the request that it answers.
func signedMessage(a *console.App, f *verifyFlags, args []string) (*keypin.Message, error) {
	if f.profile.Value == signedResponse {
		return nil, nil // an answer is read as JSON
	}
	name := "-"
	if len(args) > 0 {
		name = args[0]
	}
	m, err := message(a, name, keypin.ParseOptions{Scheme: f.scheme, Authority: f.authority})
	if err != nil || f.request == "" {
		return m, err
	}
	m.Request, err = message(a, f.request, keypin.ParseOptions{Scheme: f.scheme, Authority: f.authority})
	if err == nil && m.Request.Status != 0 {
		err = console.Failure("", "%s is a response, not the request that was answered", f.request)
	}
	return m, err
}

// message reads one message.
func message(a *console.App, name string, o keypin.ParseOptions) (*keypin.Message, error) {
	raw, err := a.Read(name)
	if err != nil {
		return nil, err
	}
	shown := name
	if name == "-" {
		shown = "standard input"
	}
	if len(raw) > console.MaxFile {
		return nil, console.Failure("", "%s is larger than %s", shown, console.Bytes(console.MaxFile))
	}
	m, err := keypin.ParseMessage(raw, o)
	if err != nil {
		return nil,
			console.Failure("save the message as it went over the wire: the first line, the fields, an empty line, the body",
				"%s: %v", shown, err)
	}
	return m, nil
}

// pins returns where the publisher's file comes from, and what to do at the end.
func pins(ctx context.Context, a *console.App, f *verifyFlags, publisher string) (keypin.Source, func(), error) {
	none := func() {}
	switch {
	case f.File != "":
		src, err := a.Read(f.File)
		if err != nil {
			return nil, none, err
		}
		return filePins{pinsAtHand(publisher, f.File, src, a.Env.Now())}, none, nil
	case f.NoState:
		web, err := request.NewAsker(a, f.Web, adagents.Options{Now: a.Env.Now()})
		if err != nil {
			return nil, none, err
		}
		return websource.NewPins(web.Finder,
			websource.PinsConfig{Discover: web.Options, Timeout: f.Web.Timeout, Now: a.Env.Now}), none, nil
	}
	kept, err := sources.OpenKept(ctx, a, &f.Flags)
	if err != nil {
		return nil, none, err
	}
	return kept.Pins(), func() { _ = kept.Close() }, nil
}

// filePins is a file at hand. It cannot be fetched again.
type filePins struct{ doc *keypin.Document }

// Pins returns the file.
func (s filePins) Pins(context.Context, string) (*keypin.Document, error) { return s.doc, nil }

// Refresh returns the file as well.
func (s filePins) Refresh(context.Context, string) (*keypin.Document, error) { return s.doc, nil }

// pinsAtHand is the document in a file, as if the publisher served it.
func pinsAtHand(publisher, name string, src []byte, now time.Time) *keypin.Document {
	domain, _, err := hostname.Canonical(publisher)
	if err != nil {
		domain = "" // Verify says so.
	}
	report := adagents.Check(src, adagents.Options{Domain: domain})
	sum := sha256.Sum256(src)
	doc := &keypin.Document{State: keypin.Usable, File: report.File, URL: name, SHA256: hex.EncodeToString(sum[:]),
		FetchedAt: now, KeysUntil: now}
	switch {
	case report.Unusable != nil:
		doc.State, doc.File = keypin.Unusable, nil
		doc.Detail = "avow validate shows why"
	case report.Pointer != nil:
		doc.State, doc.File = keypin.Unreachable, nil
		doc.Detail = name + " is a pointer to another file, which is not fetched when a file is given"
	}
	return doc
}
