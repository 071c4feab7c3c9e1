package answer

import (
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/redact"
)

// Operator is what the operator's brand.json says beside the file.
type Operator struct {
	Agreement  string         `json:"agreement" enum:"agree,inline,mismatch,incomplete_publisher,incomplete_operator,not_comparable,ambiguous,unknown" doc:"Whether relationship in the operator's brand.json and delegation_type in the file agree; of several properties, the most serious. It never changes a verdict."`
	Code       string         `json:"code" doc:"The same as a code."`
	Action     string         `json:"action" enum:"proceed,hold" doc:"What a buyer should do: proceed, or hold until a person has looked at it."`
	Message    string         `json:"message" doc:"The same for people."`
	Brand      OperatorBrand  `json:"brand"`
	Properties []OperatorPath `json:"properties" doc:"One for each property that an entry covers; when there are more than 100, the most serious."`
	Omitted    int            `json:"omitted,omitzero" doc:"How many properties were left out; absent when none was."`
}

// OperatorBrand is what became of the brand.json.
type OperatorBrand struct {
	State   string   `json:"state" enum:"found,absent,agent_missing,agent_ambiguous,other_domain,unusable,unreachable,not_asked" doc:"What became of the brand.json. One that could not be fetched or read gives unknown, never a mismatch."`
	Code    string   `json:"code" doc:"The same as a code."`
	URL     string   `json:"url" doc:"Where it was found in the end, or looked for."`
	Message string   `json:"message" from:"publisher" doc:"What is wrong or missing, for people."`
	Notes   []string `json:"notes" from:"publisher" doc:"What else is worth knowing, such as another spelling of the agent's URL."`
}

// OperatorPath is one property with what both sides say about it.
type OperatorPath struct {
	PublisherDomain string `json:"publisher_domain"`
	PropertyID      string `json:"property_id" from:"id"`
	Entry           string `json:"entry" doc:"JSON Pointer of the entry in the publisher's file."`
	DelegationType  string `json:"delegation_type" from:"id" doc:"What the entry says; empty when it says nothing."`
	Relationship    string `json:"relationship" from:"id" doc:"What the brand.json says, owned when it lists the property without one; empty when it does not list it."`
	Pointer         string `json:"pointer" from:"publisher" doc:"JSON Pointer of the property in the brand.json."`
	Agreement       string `json:"agreement" enum:"agree,inline,mismatch,incomplete_publisher,incomplete_operator,not_comparable,ambiguous,unknown"`
	Code            string `json:"code"`
	Action          string `json:"action" enum:"proceed,hold"`
	Message         string `json:"message" from:"publisher" doc:"What both sides say, for people."`
}

// OperatorOf returns a comparison in JSON; nil when there is none.
func OperatorOf(c *operator.Comparison) *Operator {
	if c == nil {
		return nil
	}
	s := c.Statement
	doc := &Operator{
		Agreement: c.Agreement.String(), Code: operator.Code(c.Agreement), Action: c.Action(), Message: c.Advice(),
		Brand: OperatorBrand{State: s.State.String(), Code: s.State.Code(), URL: redact.URL(s.URL),
			Message: redact.Credentials(s.Detail), Notes: []string{}},
		Properties: []OperatorPath{}, Omitted: c.Omitted,
	}
	for _, note := range s.Notes {
		doc.Brand.Notes = append(doc.Brand.Notes, redact.Credentials(note))
	}
	for i := range c.Paths {
		p := &c.Paths[i]
		doc.Properties = append(doc.Properties, OperatorPath{
			p.PublisherDomain, p.PropertyID, p.Entry, p.DelegationType, redact.Credentials(p.Relationship), p.Pointer,
			p.Agreement.String(), operator.Code(p.Agreement), operator.Action(p.Agreement), redact.Credentials(p.Message),
		})
	}
	return doc
}
