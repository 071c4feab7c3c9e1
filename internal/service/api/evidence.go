package api

import (
	"time"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/resolve"
)

// reason is a step that led to a verdict.
type reason struct {
	Code    string `json:"code" doc:"A stable word; avow explain tells more."`
	URL     string `json:"url,omitempty" doc:"The document concerned."`
	Pointer string `json:"pointer,omitempty" doc:"JSON Pointer of the location in it."`
	Message string `json:"message" doc:"The step in a sentence."`
}

// The message of a publisher that cannot be reached says why. That is for the operator:
// whether a name exists or leads to a private address would let anybody explore the
// network that the service runs in.
const (
	codeUnreachable    = "file.unreachable"
	unreachableMessage = "it could not be determined whether the publisher has a file"
)

func reasonsOf(list []resolve.Reason) []reason {
	docs := make([]reason, 0, len(list))
	for _, r := range list {
		message := redact.Credentials(r.Message)
		if r.Code == codeUnreachable {
			message = unreachableMessage
		}
		docs = append(docs, reason{r.Code, redact.URL(r.URL), r.Pointer, message})
	}
	return docs
}

// evidence is a document that an answer rests on.
type evidence struct {
	Publisher string `json:"publisher" doc:"The publisher it speaks for."`
	Role      string `json:"role,omitempty" doc:"What it is: file, or on the way to it pointer, ads_txt, manager or replaced."`
	State     string `json:"state" doc:"usable, unusable, absent, unreachable or withheld."`
	Method    string `json:"method" doc:"How it was found: direct, authoritative_location or ads_txt_managerdomain."`
	URL       string `json:"url" doc:"Where it came from in the end."`
	SHA256    string `json:"sha256" doc:"Of its bytes; empty when there is none."`
	FetchedAt string `json:"fetched_at,omitempty" format:"date-time" doc:"When it was obtained."`
}

func evidenceOf(list []resolve.Evidence) []evidence {
	docs := make([]evidence, 0, len(list))
	for i := range list {
		e := &list[i]
		docs = append(docs, evidence{
			e.Publisher, e.Role, e.State.String(), e.Method, redact.URL(e.URL), e.SHA256, wireTimeOrNone(e.FetchedAt),
		})
	}
	return docs
}

// grant is an entry that covers what was asked, or would under a condition.
type grant struct {
	Entry             string   `json:"entry" doc:"JSON Pointer of the agent entry."`
	URL               string   `json:"url" doc:"The document it stands in."`
	AuthorizationType string   `json:"authorization_type" doc:"How the entry selects."`
	DelegationType    string   `json:"delegation_type,omitempty" doc:"direct, delegated or ad_network."`
	AuthorizedFor     string   `json:"authorized_for,omitempty" doc:"What the agent may sell, in the publisher's words."`
	Exclusive         bool     `json:"exclusive" doc:"The publisher calls it the only path."`
	Properties        int      `json:"properties" doc:"How many properties it covers of what was asked."`
	Countries         []string `json:"countries,omitempty" doc:"The countries it is limited to."`
	Signals           []string `json:"signals,omitempty" doc:"The ids of the signals it covers of what was asked."`
	Placements        []string `json:"placements,omitempty" doc:"The placements it is limited to."`
	Collections       []string `json:"collections,omitempty" doc:"The content programs it is limited to, as DOMAIN/ID."`
	From              string   `json:"from,omitempty" format:"date-time" doc:"When it begins to hold."`
	Until             string   `json:"until,omitempty" format:"date-time" doc:"When it ceases to hold."`
	PinnedKeys        []string `json:"pinned_keys,omitempty" doc:"The ids of the keys pinned for the agent."`
	Needs             []string `json:"needs,omitempty" doc:"What the question must say before it can be judged."`
}

func grantsOf(list []resolve.Grant) []grant {
	docs := make([]grant, 0, len(list))
	for i := range list {
		g := &list[i]
		docs = append(docs, grant{
			Entry: g.Entry, URL: redact.URL(g.URL), AuthorizationType: string(g.AuthorizationType), DelegationType: g.DelegationType,
			AuthorizedFor: redact.Credentials(g.AuthorizedFor), Exclusive: g.Exclusive, Properties: len(g.Properties), Countries: g.Countries,
			Signals: g.Signals, Placements: g.Placements, Collections: collectionNames(g.Collections), From: wireTimeOrNone(g.From), Until: wireTimeOrNone(g.Until), PinnedKeys: g.PinnedKeys, Needs: g.Needs,
		})
	}
	return docs
}

func changesOf(list []string) []string {
	docs := make([]string, 0, len(list))
	for _, s := range list {
		docs = append(docs, redact.Credentials(s))
	}
	return docs
}

// Freshness says how long an answer may be used.
type Freshness struct {
	CheckedAt  string `json:"checked_at" format:"date-time" doc:"The instant the answer is for."`
	FreshUntil string `json:"fresh_until,omitempty" format:"date-time" doc:"How long it may be used."`
}

func freshnessOf(checked, fresh time.Time) Freshness {
	return Freshness{wireTime(checked), wireTimeOrNone(fresh)}
}
