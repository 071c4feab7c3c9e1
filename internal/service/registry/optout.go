package registry

import "github.com/avow-project/avow/internal/std/hostname"

// hasOptedOut reports whether the owner of a domain wants nothing to do with the service.
func (s *Service) hasOptedOut(domain hostname.Domain) bool {
	return hostname.Within(string(domain), s.optedOut)
}

// refuseOptedOut returns an error when one of some domains has opted out.
func (s *Service) refuseOptedOut(domains ...hostname.Domain) error {
	for _, domain := range domains {
		if s.hasOptedOut(domain) {
			return optedOut(domain)
		}
	}
	return nil
}

func optedOut(domain hostname.Domain) *Error {
	return &Error{
		Kind: Forbidden, Code: "domain_opted_out", Message: string(domain) + " has opted out of this service",
		Hint: "its owner can have the operator change that",
	}
}
