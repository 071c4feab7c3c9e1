package formats

import (
	"strings"

	"github.com/avow-project/avow/internal/std/jsontree"
)

// The scopes: in the catalog of a publisher, or on the product alone.
const (
	publisherScope = "publisher"
	productScope   = "product"
)

// A Ref names a format for a buyer. The zero Ref is that of a format without a name,
// which is chosen by its kind and parameters.
type Ref struct {
	// Scope says where the name is looked up: publisher is in the catalog of one, product on the
	// product alone, without a PublisherDomain.
	Scope                     string
	PublisherDomain, OptionID string
}

// String returns the name as it is written on the command line: DOMAIN/ID, or the ID
// alone for one of the product.
func (r Ref) String() string {
	if r.Scope == publisherScope {
		return r.PublisherDomain + "/" + r.OptionID
	}
	return r.OptionID
}

// A RefError is a reference that cannot be used. Protocol is the name that the protocol
// gives the fault.
type RefError struct{ Protocol, Problem string }

// Error returns the problem.
func (e *RefError) Error() string { return e.Problem }

// ParseRef reads DOMAIN/ID, or an ID alone for a format of the product.
func ParseRef(text string) (Ref, error) {
	domain, id, ok := strings.Cut(text, "/")
	if !ok {
		return NewRef(productScope, "", text)
	}
	return NewRef(publisherScope, domain, id)
}

// NewRef returns a reference from its three members.
func NewRef(scope, domain, id string) (Ref, error) {
	switch {
	case id == "":
		return Ref{}, &RefError{Problem: "a reference needs a format_option_id"}
	case scope == productScope && domain != "":
		return Ref{}, &RefError{Problem: "a reference with the scope product has no publisher_domain"}
	case scope == productScope:
		return Ref{Scope: productScope, OptionID: id}, nil
	case scope != publisherScope:
		return Ref{}, &RefError{Problem: "the scope of a reference is publisher or product"}
	}
	name, ok := canonical(domain)
	if !ok {
		return Ref{},
			&RefError{Problem: "a reference with the scope publisher needs the publisher_domain, for example example.com"}
	}
	return Ref{Scope: publisherScope, PublisherDomain: name, OptionID: id}, nil
}

// refOf reads the name of a format from a product: one with a publisher_domain is that
// publisher's, another one the product's own.
func refOf(v jsontree.Value) (Ref, error) {
	id := v.Get("format_option_id").Str()
	if id == "" && !v.Has("publisher_domain") {
		return Ref{}, nil
	}
	scope := v.Get("scope").Str()
	if scope == "" {
		scope = productScope
		if v.Has("publisher_domain") {
			scope = publisherScope
		}
	}
	return NewRef(scope, v.Get("publisher_domain").Str(), id)
}
