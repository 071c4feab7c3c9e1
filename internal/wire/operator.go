package wire

import (
	"github.com/avow-project/avow/internal/operator"
	"github.com/avow-project/avow/internal/redact"
)

// Operator is what the operator's brand.json says beside the file.
type Operator struct {
	Agreement string   `json:"agreement"`
	Code      string   `json:"code"`
	Action    string   `json:"action"`
	Message   string   `json:"message"`
	Brand     Brand    `json:"brand"`
	Paths     []Branch `json:"properties"`
}

// Brand is the brand.json.
type Brand struct {
	State   string   `json:"state"`
	Code    string   `json:"code"`
	URL     string   `json:"url"`
	Message string   `json:"message"`
	Notes   []string `json:"notes"`
}

// Branch is one property with what both sides say about it.
type Branch struct {
	PublisherDomain string `json:"publisher_domain"`
	PropertyID      string `json:"property_id"`
	Entry           string `json:"entry"`
	DelegationType  string `json:"delegation_type"`
	Relationship    string `json:"relationship"`
	Pointer         string `json:"pointer"`
	Agreement       string `json:"agreement"`
	Code            string `json:"code"`
	Action          string `json:"action"`
	Message         string `json:"message"`
}

// OperatorOf returns a comparison in JSON; nil when there is none.
func OperatorOf(c *operator.Comparison) *Operator {
	if c == nil {
		return nil
	}
	s := c.Statement
	doc := &Operator{
		Agreement: c.Agreement.String(), Code: operator.Code(c.Agreement), Action: c.Action(), Message: c.Advice(),
		Brand: Brand{
			State: s.State.String(), Code: s.State.Code(), URL: redact.URL(s.URL), Message: redact.Credentials(s.Detail), Notes: []string{},
		},
		Paths: []Branch{},
	}
	for _, note := range s.Notes {
		doc.Brand.Notes = append(doc.Brand.Notes, redact.Credentials(note))
	}
	for i := range c.Paths {
		p := &c.Paths[i]
		doc.Paths = append(doc.Paths, Branch{
			p.PublisherDomain, p.PropertyID, p.Entry, p.DelegationType, redact.Credentials(p.Relationship), p.Pointer,
			p.Agreement.String(), operator.Code(p.Agreement), operator.Action(p.Agreement), redact.Credentials(p.Message),
		})
	}
	return doc
}
