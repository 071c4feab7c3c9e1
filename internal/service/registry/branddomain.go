package registry

import (
	"strings"

	"github.com/avow-project/avow/internal/std/hostname"
)

// BrandDomain returns the domain that a brand is known by: a canonical domain without
// www or m in front, unless that is all there is.
func BrandDomain(canonical string) string {
	for _, prefix := range []string{"www.", "m."} {
		rest, found := strings.CutPrefix(canonical, prefix)
		if !found {
			continue
		}
		_, ok := hostname.Registrable(rest)
		if ok {
			return rest
		}
	}
	return canonical
}

// brandDomain reads the domain of a call about a brand, in whatever way it is written.
func brandDomain(input string) (string, error) {
	domain, _, err := hostname.Canonical(input)
	if err != nil || hostname.IsSpecialUse(domain) || hostname.IsPublicSuffix(domain) {
		return "", &Error{
			Kind: Invalid, Code: "invalid_domain", Message: "Invalid domain format",
			Hint: "give the domain of the brand, such as example.com",
		}
	}
	return BrandDomain(domain), nil
}
