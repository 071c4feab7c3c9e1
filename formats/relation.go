package formats

// A Relation says how the formats of a catalog and of a product lie to each other.
type Relation uint8

// The relations. With Overlap each side accepts something that the other does not; what
// is left is accepted by both.
const (
	Equal Relation = iota
	CatalogNarrower
	ProductNarrower
	Overlap
)

var relationNames = [...]string{"equal", "catalog_narrower", "product_narrower", "overlap"}

// String returns the name of the relation.
func (r Relation) String() string { return relationNames[r] }

// and combines the relations of two parameters.
func (r Relation) and(other Relation) Relation {
	switch {
	case r == other || other == Equal:
		return r
	case r == Equal:
		return other
	}
	return Overlap
}

// relate returns the relation when the product, the catalog, or both are the same as
// what they have in common.
func relate(isProduct, isCatalog bool) Relation {
	switch {
	case isProduct && isCatalog:
		return Equal
	case isProduct:
		return ProductNarrower
	case isCatalog:
		return CatalogNarrower
	}
	return Overlap
}

// A Conflict is a parameter that leaves nothing in common.
type Conflict struct {
	// Parameter is its name, or that of another member of the declaration.
	Parameter string
	// Product and Catalog are the values on both sides, nil where one says nothing.
	Product, Catalog any
	// Undecided is set when the values are too rich to be compared.
	Undecided bool
}

// String says what the conflict is.
func (c *Conflict) String() string {
	text := c.Parameter + ": " + c.side("the product", c.Product) + ", " + c.side("the catalog", c.Catalog)
	if c.Undecided {
		text += "; such values are not compared"
	}
	return text
}

func (c *Conflict) side(who string, v any) string {
	if v == nil {
		return who + " says nothing"
	}
	return who + " has " + string(shownValue(c.Parameter, v))
}
