package formats

// A comparison says how the formats of a catalog and of a product lie to each other.
type comparison uint8

// The outcomes. With overlap each side accepts something that the other does not; what
// is left is accepted by both.
const (
	sameLimits comparison = iota
	catalogNarrower
	productNarrower
	overlap
)

var relationNames = [...]string{"equal", "catalog_narrower", "product_narrower", "overlap"}

// String returns the name of the relation.
func (r comparison) String() string { return relationNames[r] }

// and combines the relations of two parameters.
func (r comparison) and(other comparison) comparison {
	switch {
	case r == other || other == sameLimits:
		return r
	case r == sameLimits:
		return other
	}
	return overlap
}

// relate returns the relation when the product, the catalog, or both are the same as
// what they have in common.
func relate(isProduct, isCatalog bool) comparison {
	switch {
	case isProduct && isCatalog:
		return sameLimits
	case isProduct:
		return productNarrower
	case isCatalog:
		return catalogNarrower
	}
	return overlap
}

// A clash is a parameter that leaves nothing in common.
type clash struct {
	// Parameter is its name, or that of another member of the declaration.
	Parameter string
	// Product and Catalog are the values on both sides, nil where one says nothing.
	Product, Catalog any
	// Undecided is set when the values are too rich to be compared.
	Undecided bool
}

// String says what the conflict is.
func (c *clash) String() string {
	text := c.Parameter + ": " + c.side("the product", c.Product) + ", " + c.side("the catalog", c.Catalog)
	if c.Undecided {
		text += "; such values are not compared"
	}
	return text
}

func (c *clash) side(who string, v any) string {
	if v == nil {
		return who + " says nothing"
	}
	return who + " has " + string(shownValue(c.Parameter, v))
}
