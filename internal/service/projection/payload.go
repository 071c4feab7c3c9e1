package projection

import (
	"bytes"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/wire"
)

// FromFile is the source of everything here, in the words of registries that have others.
const FromFile = "adagents_json"

// An Authorization is what the entries of one type let an agent sell of a publisher. The
// members that are always null are of registries that know more than files.
type Authorization struct {
	AuthorizationBase
	SigningKeys     jsontext.Value `json:"signing_keys" doc:"The keys that the publisher lists for the agent, as an array of public JSON Web Keys; null for none."`
	DiscoveryMethod string         `json:"discovery_method" enum:"direct,authoritative_location,ads_txt_managerdomain"`
	ManagerDomain   *string        `json:"manager_domain"`
	Standing        wire.Standing  `json:"standing"`
}

// AuthorizationBase is what an event says about an authorization, too.
type AuthorizationBase struct {
	ID                string  `json:"id" format:"uuid" doc:"The same for the same agent, publisher and type at any time."`
	AgentURL          string  `json:"agent_url" doc:"The agent as the publisher wrote it."`
	AgentURLCanonical string  `json:"agent_url_canonical"`
	PropertyRID       *string `json:"property_rid" doc:"Always null: a row is about a publisher."`
	PropertyIDSlug    *string `json:"property_id_slug" doc:"Always null."`
	PublisherDomain   string  `json:"publisher_domain"`
	AuthorizationScope
	AuthorizedFor   *string `json:"authorized_for" doc:"In the publisher's words."`
	Evidence        string  `json:"evidence" doc:"adagents_json."`
	EndsSoon        string  `json:"ends_soon,omitempty" format:"date-time" doc:"When the first of the entries or of their keys ends, if that is within 14 days."`
	Disputed        bool    `json:"disputed" doc:"A publisher of another site lists an identifier of this one, too."`
	CreatedBy       *string `json:"created_by" doc:"system."`
	ExpiresAt       *string `json:"expires_at" doc:"Always null."`
	CreatedAt       string  `json:"created_at" format:"date-time" doc:"When the version of the file was adopted."`
	UpdatedAt       string  `json:"updated_at" format:"date-time" doc:"The same."`
	OverrideApplied bool    `json:"override_applied" doc:"Always false."`
	OverrideReason  *string `json:"override_reason" doc:"Always null."`
}

// AuthorizationScope is what a row is limited to. What is left out is not limited.
type AuthorizationScope struct {
	AuthorizationType   string              `json:"authorization_type" enum:"property_ids,property_tags,inline_properties,publisher_properties"`
	PropertyIDs         []string            `json:"property_ids,omitempty"`
	PropertyTags        []string            `json:"property_tags,omitempty"`
	PublisherProperties []PublisherSelector `json:"publisher_properties,omitempty" doc:"The selectors, as far as they are about this publisher."`
	PlacementIDs        []string            `json:"placement_ids,omitempty"`
	PlacementTags       []string            `json:"placement_tags,omitempty"`
	Collections         []CollectionIDs     `json:"collections,omitempty"`
	Countries           []string            `json:"countries,omitempty"`
	DelegationType      string              `json:"delegation_type,omitempty"`
	Exclusive           bool                `json:"exclusive"`
	EffectiveFrom       string              `json:"effective_from,omitempty" format:"date-time"`
	EffectiveUntil      string              `json:"effective_until,omitempty" format:"date-time"`
}

// PublisherSelector is a selector of a publisher's properties.
type PublisherSelector struct {
	PublisherDomain string   `json:"publisher_domain"`
	SelectionType   string   `json:"selection_type"`
	PropertyIDs     []string `json:"property_ids,omitempty"`
	PropertyTags    []string `json:"property_tags,omitempty"`
}

// CollectionIDs are collections of a publisher; all of them without ids.
type CollectionIDs struct {
	PublisherDomain string   `json:"publisher_domain"`
	CollectionIDs   []string `json:"collection_ids,omitempty" doc:"Left out for all collections of the publisher."`
}

// publicKey is a key that a publisher lists, without anything that is not public.
type publicKey struct {
	Kid       string `json:"kid"`
	Kty       string `json:"kty"`
	Crv       string `json:"crv,omitempty"`
	Alg       string `json:"alg,omitempty"`
	Use       string `json:"use,omitempty"`
	X         string `json:"x,omitempty"`
	Y         string `json:"y,omitempty"`
	AdcpUse   string `json:"adcp_use,omitempty"`
	RevokedAt string `json:"revoked_at,omitempty"`
}

// jsonOptions are those of everything that is written: text from files may be invalid
// UTF-8, which must not prevent an answer.
var jsonOptions = json.JoinOptions(
	jsontext.AllowInvalidUTF8(true), json.Deterministic(true), json.FormatNilSliceAsNull(false),
	json.FormatNilMapAsNull(false),
)

// publicKeysOf shows keys; nil for none.
func publicKeysOf(list []adagents.SigningKey) (jsontext.Value, error) {
	if len(list) == 0 {
		return nil, nil
	}
	docs := make([]publicKey, 0, len(list))
	for i := range list {
		k := &list[i]
		docs = append(docs, publicKey{k.Kid, k.Kty, k.Crv, k.Alg, k.Use, k.X, k.Y, k.AdcpUse, string(k.RevokedAt)})
	}
	return json.Marshal(docs, jsonOptions)
}

// AuthorizationOf shows a row with how its publisher stands.
func AuthorizationOf(r *Row, standing wire.Standing) (Authorization, error) {
	out := Authorization{AuthorizationBase: baseOf(r), Standing: standing}
	out.DiscoveryMethod, out.ManagerDomain = MethodOf(r.Location)
	keys, err := publicKeysOf(r.Keys)
	out.SigningKeys = keys
	if keys == nil {
		out.SigningKeys = jsontext.Value("null")
	}
	return out, err
}

func baseOf(r *Row) AuthorizationBase {
	system, adopted := "system", wire.API.Time(r.Adopted)
	out := AuthorizationBase{
		ID: r.ID, AgentURL: redact.URL(r.AgentURL), AgentURLCanonical: redact.URL(r.Agent), PublisherDomain: string(r.Domain),
		AuthorizationScope: scopeOf(r),
		Evidence:           FromFile, EndsSoon: timeOrNone(r.Ends), Disputed: r.Disputed, CreatedBy: &system,
		CreatedAt: adopted,
		UpdatedAt: adopted,
	}
	if r.AuthorizedFor != "" {
		text := redact.Credentials(r.AuthorizedFor)
		out.AuthorizedFor = &text
	}
	return out
}

func scopeOf(r *Row) AuthorizationScope {
	s := AuthorizationScope{
		AuthorizationType: string(r.Type), PropertyIDs: r.PropertyIDs, PropertyTags: r.PropertyTags,
		PlacementIDs: r.PlacementIDs, PlacementTags: r.PlacementTags,
		Countries: r.Countries, DelegationType: r.DelegationType, Exclusive: r.Exclusive,
		EffectiveFrom: timeOrNone(r.EffectiveFrom), EffectiveUntil: timeOrNone(r.EffectiveUntil),
	}
	for _, one := range r.Selectors {
		s.PublisherProperties = append(s.PublisherProperties,
			PublisherSelector{string(r.Domain), one.Type, one.IDs, one.Tags})
	}
	for _, c := range r.Collections {
		n := len(s.Collections)
		if c.ID == "" || n == 0 || s.Collections[n-1].PublisherDomain != c.PublisherDomain ||
			s.Collections[n-1].CollectionIDs == nil {
			s.Collections = append(s.Collections, CollectionIDs{PublisherDomain: c.PublisherDomain})
			n++
		}
		if c.ID != "" {
			s.Collections[n-1].CollectionIDs = append(s.Collections[n-1].CollectionIDs, c.ID)
		}
	}
	return s
}

// timeOrNone is empty for the zero time.
func timeOrNone(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return wire.API.Time(t)
}

// MethodOf is the way to a file in the words of registries, and the domain that serves it;
// nil for the publisher itself.
func MethodOf(l custody.Location) (string, *string) {
	host, _, _ := strings.Cut(strings.TrimPrefix(l.URL, "https://"), "/")
	switch l.Method {
	case custody.Direct:
		return string(custody.Direct), nil
	case custody.ManagerDomain:
		return string(custody.ManagerDomain), &l.Manager
	}
	return string(custody.AuthoritativeLocation), &host
}

// AuthorizationLine is an Authorization in a line, made of what an event says about it and of the end
// of a JSON object with the other members.
func AuthorizationLine(payload, rest []byte) []byte {
	out := append(make([]byte, 0, len(payload)+len(rest)+64), payload[:len(payload)-1]...)
	for _, name := range []string{"signing_keys", "manager_domain"} {
		if !bytes.Contains(payload, []byte(`"`+name+`":`)) {
			out = append(out, `,"`+name+`":null`...)
		}
	}
	out = append(out, ',')
	out = append(out, rest[1:]...)
	return append(out, '\n')
}
