package registry

import (
	"strings"

	"github.com/avow-project/avow/internal/std/hostname"
)

// BrandDomain returns the domain that a brand is known by: a canonical domain without
// www or m in front, unless that is all there is.
func BrandDomain(canonical hostname.Domain) hostname.Domain {
	for _, prefix := range []string{"www.", "m."} {
		rest, found := strings.CutPrefix(string(canonical), prefix)
		if !found {
			continue
		}
		_, ok := hostname.Registrable(rest)
		if ok {
			return hostname.Domain(rest)
		}
	}
	return canonical
}

// brandDomain reads the domain of a call about a brand, in whatever way it is written.
func brandDomain(input string) (hostname.Domain, error) {
	domain, err := hostname.ParseDomain(input)
	if err != nil || hostname.IsSpecialUse(string(domain)) || hostname.IsPublicSuffix(string(domain)) {
		return "", &Error{
			Kind: Invalid, Code: "invalid_domain", Message: "Invalid domain format",
			Hint: "give the domain of the brand, such as example.com",
		}
	}
	return BrandDomain(domain), nil
}
