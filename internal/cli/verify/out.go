package verify

import (
	"fmt"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/wire"
	"github.com/avow-project/avow/keypin"
)

// verifiedDocument is the JSON output of the verify command. Its members are a contract
// like those of resultDocument.
type verifiedDocument struct {
	Verdict   string `json:"verdict"`
	Code      string `json:"code"`
	Detail    string `json:"detail"`
	Publisher string `json:"publisher"`
	Agent     string `json:"agent"`
	Profile   string `json:"profile"`
	// KeyID is what the message says; Alg and Thumbprint are of the key that verified.
	KeyID      string   `json:"keyid"`
	Alg        string   `json:"alg"`
	Thumbprint string   `json:"thumbprint"`
	Entries    []string `json:"entries"`
	// Note is the code of what else there is to know, null for nothing.
	Note    *string  `json:"note"`
	Created *string  `json:"created"`
	Expires *string  `json:"expires"`
	Covered []string `json:"covered"`
	// BodyBound tells that the signature covers the body. Without it nothing vouches for
	// the body, whatever the verdict.
	BodyBound bool `json:"body_bound"`
	// Refreshed tells that the publisher was asked once more.
	Refreshed  bool    `json:"refreshed"`
	URL        string  `json:"url"`
	SHA256     string  `json:"sha256"`
	FetchedAt  *string `json:"fetched_at"`
	KnownSince *string `json:"known_since"`
	// Revocations is the list of revoked keys that was asked, null when there was none.
	Revocations *revocationDocument `json:"revocations"`
	// Answer is there for signed responses.
	Answer *signedDocument `json:"answer"`
}

// verifiedCodes are the exit codes.
var verifiedCodes = map[keypin.Verdict]int{
	keypin.Accepted: console.ExitYes, keypin.Rejected: console.ExitNo, keypin.Unpinned: console.ExitUnknown,
	keypin.Unavailable:   console.ExitUnknown,
	keypin.SignedUnbound: console.ExitUnknown, keypin.VerifiedUnpinned: console.ExitUnknown,
}

// showVerified writes the result.
func showVerified(a *console.App, f *verifyFlags, r *keypin.Result, answer *keypin.AnswerResult) error {
	// With a local file, no request was made.
	r.Refreshed = r.Refreshed && f.File == ""
	if f.format.Value == "json" {
		err := console.WriteJSONLine(a.Out, verifiedDocumentOf(f, r, answer))
		if err != nil {
			return err
		}
	} else {
		t := &console.Lines{W: a.Out, Width: a.TextWidth(), Paint: a.Style(console.Stdout)}
		writeVerified(t, f, r, answer)
	}
	if code := verifiedCodes[r.Verdict]; code != console.ExitYes {
		return console.ExitStatus(code)
	}
	return nil
}

func verifiedDocumentOf(f *verifyFlags, r *keypin.Result, answer *keypin.AnswerResult) verifiedDocument {
	doc := verifiedDocument{
		Verdict: r.Verdict.String(), Code: r.Code, Detail: redact.Credentials(r.Detail), Publisher: r.Publisher,
		Agent:   redact.URL(r.Agent),
		Profile: profileName(f), KeyID: r.KeyID, Alg: r.Alg, Thumbprint: r.Thumbprint, Entries: []string{},
		Created: wire.OptionalTime(r.Created), Expires: wire.OptionalTime(r.Expires), Covered: wire.NotNil(r.Covered),
		BodyBound: r.BodyBound, Refreshed: r.Refreshed,
		URL: redact.URL(r.URL), SHA256: r.SHA256, FetchedAt: wire.OptionalTime(r.FetchedAt),
		KnownSince:  wire.OptionalTime(r.KnownSince),
		Revocations: revocationDocumentOf(r.Revocations), Answer: signedDocumentOf(f, answer),
	}
	for _, e := range r.Entries {
		doc.Entries = append(doc.Entries, e.Pointer)
	}
	if r.Note != "" {
		doc.Note = &r.Note
	}
	return doc
}

// profileName is what the profile of the flags calls itself.
func profileName(f *verifyFlags) string {
	if f.profile.Value == signedResponse {
		return signedResponse
	}
	return verifyProfile(f).Name
}

// verified writes a result for people: the verdict, why, what to do, what it rests on.
func writeVerified(t *console.Lines, f *verifyFlags, r *keypin.Result, answer *keypin.AnswerResult) {
	word := r.Verdict.String()
	paint := t.Paint.Yellow
	switch r.Verdict {
	case keypin.Accepted:
		paint = t.Paint.Green
	case keypin.Rejected:
		paint = t.Paint.Red
	}
	fmt.Fprintf(t.W, "%s: %s\n", paint(word), console.WrapHanging(console.Safe(verifiedSentence(r)), t.Width, len(word)+2))
	t.Section()
	if r.Verdict != keypin.Accepted {
		t.Line("why:", console.Safe(redact.Credentials(r.Detail))+" "+t.Paint.Dim("["+r.Code+"]"))
		t.Line("to do:", catalogue.Lookup(r.Code).Hint)
	}
	if r.Refreshed {
		t.Line("asked:", "the publisher once more, past all caches")
	}
	for _, e := range r.Entries {
		t.Line("pinned in:", console.Safe(e.Pointer))
	}
	if r.Note != "" {
		t.Line("note:",
			"no entry that pins the key holds at this time, so the signature is the agent's and the agent may sell nothing by "+
				"it "+t.Paint.Dim("["+r.Note+"]"))
	}
	if r.KeyID != "" {
		t.Line("key:", keyWords(r))
		t.Line("signed:", wire.Time(r.Created)+", holds until "+wire.Time(r.Expires))
		t.Line("covers:", console.Safe(strings.Join(r.Covered, " ")))
	}
	writeSigned(t, answer)
	if r.Alg != "" {
		t.Line("revoked:", revocationWords(r.Revocations))
	}
	if r.OK() && !r.BodyBound {
		t.Line("body:", "not bound: the signature does not cover it, so it may be anybody's; do not act on it")
	}
	if profileName(f) == "unbound response" {
		t.Line("note:", "the response was checked by itself and may answer another request; --request binds it to one")
	}
	t.Line("rests on:", verifiedEvidence(r))
}

// verifiedSentence is the verdict in a sentence. Its outside text is not escaped.
func verifiedSentence(r *keypin.Result) string {
	agent := redact.URL(r.Agent)
	switch r.Verdict {
	case keypin.Accepted:
		if len(r.Entries) == 0 {
			return agent + " signed this message with a key that it publishes; " + r.Publisher + " pins none for it"
		}
		if !r.BodyBound {
			return agent + " signed the head of this message, and not its body, with a key that " + r.Publisher + " pins for it"
		}
		if r.Code == "envelope.accepted" {
			return agent + " signed this answer to your request with a key that " + r.Publisher + " pins for it"
		}
		return agent + " signed this message with a key that " + r.Publisher + " pins for it"
	case keypin.SignedUnbound:
		return agent + " signed this answer with a key that " + r.Publisher +
			" pins for it, and it is not bound to your request"
	case keypin.Unpinned:
		return r.Publisher + " pins no keys for " + agent + ", so the signature was not checked"
	case keypin.Unavailable:
		return "there are no pins of " + r.Publisher + " for " + agent + " to go by; that is not a yes"
	}
	return "do not act on this message in the name of " + agent
}

func keyWords(r *keypin.Result) string {
	parts := []string{r.KeyID}
	if r.Alg != "" {
		parts = append(parts, r.Alg, "thumbprint "+r.Thumbprint)
	}
	return console.Safe(strings.Join(parts, ", "))
}

// verifiedEvidence is the file that the pins are from.
func verifiedEvidence(r *keypin.Result) string {
	if r.SHA256 == "" {
		return ""
	}
	const digits = 12
	text := console.Safe(redact.URL(r.URL)) + ", SHA-256 " + r.SHA256[:min(digits, len(r.SHA256))] + console.Ellipsis
	if r.KnownSince.IsZero() {
		return text // a file at hand, which says nothing about the time
	}
	// What is kept from one run to the next tells how long the pin has stood. Without that,
	// and the first time, it is when the file was obtained: the connection alone vouches.
	return text + ", obtained " + r.FetchedAt.UTC().Format(time.RFC3339) + ", pin known since " +
		r.KnownSince.UTC().Format(time.RFC3339)
}
