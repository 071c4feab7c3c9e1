package operator

import (
	"errors"

	"github.com/avow-project/avow/internal/std/jsontree"
)

const (
	// MaxFile is the size limit of a brand.json, as AdCP 3.3 has it.
	MaxFile = 2 << 20
	// MaxDepth is how deep one may be nested.
	MaxDepth = 32
	// MaxValues bounds the memory that a file can take.
	MaxValues = 200_000
)

// A Document is a brand.json that can be read.
type Document struct {
	root jsontree.Value
}

// Parse reads a brand.json. The error says what is wrong with it, after the words "the
// brand.json". A member that is there twice makes it unusable: readers disagree about
// which of the two counts.
func Parse(body []byte) (*Document, error) {
	if len(body) > MaxFile {
		return nil, errors.New("is larger than 2 MiB")
	}
	tree, err := jsontree.Parse(body, jsontree.Options{MaxBytes: MaxFile, MaxDepth: MaxDepth, MaxValues: MaxValues})
	switch {
	case err != nil:
		return nil, errors.New("is not a JSON document")
	case !tree.Root().Is(jsontree.Object):
		return nil, errors.New("is not a JSON object")
	case len(tree.Duplicates()) > 0:
		return nil, errors.New("has a member twice, and readers disagree about which one to use")
	}
	return &Document{root: tree.Root()}, nil
}

// Root returns the object.
func (d *Document) Root() jsontree.Value { return d.root }

// Elsewhere reports whether the document names another one in its place.
func (d *Document) Elsewhere() bool {
	return d.root.Has("authoritative_location") || d.root.Get("house").Is(jsontree.String)
}
