package formats

// A fault is something about a product that its seller or a buyer should know.
type fault struct {
	// Code is ours and stable. Protocol is the name that the protocol gives the fault;
	// it may be empty.
	Code, Protocol string
	// Pointer is the place in the product.
	Pointer string
	Message string
	// Warning is set when nothing is refused because of it.
	Warning bool
}

// protocolNames are the names that the protocol gives faults.
var protocolNames = map[string]string{
	"product.format_unresolved":  "FORMAT_OPTION_UNRESOLVED",
	"product.format_divergent":   "FORMAT_DECLARATION_DIVERGENT",
	"product.format_ambiguous":   "FORMAT_DECLARATION_V1_AMBIGUOUS",
	"product.format_unprojected": "FORMAT_PROJECTION_FAILED",
	"product.format_lossy":       "FORMAT_DECLARATION_V1_LOSSY_MULTI_SIZE",
	"product.private_field":      "PRIVATE_FIELD_IN_PUBLIC_PLACEMENT",
	"selection.unresolved":       "UNSUPPORTED_FEATURE",
	"selection.conflict":         "CONFLICTING_SELECTORS",
}

// warnings are the codes of findings that refuse nothing.
var warnings = map[string]bool{"product.format_divergent": true, "product.format_lossy": true,
	"product.format_ambiguous": true, "product.format_unprojected": true}

func finding(code, pointer, message string) fault {
	return fault{Code: code, Protocol: protocolNames[code], Pointer: pointer, Message: message, Warning: warnings[code]}
}
