package registry

import "github.com/avow-project/avow/internal/std/hostname"

// hasOptedOut reports whether the owner of a domain wants nothing to do with the service.
func (s *Service) hasOptedOut(domain string) bool { return hostname.Within(domain, s.optedOut) }

// refuseOptedOut returns an error when one of some domains has opted out.
func (s *Service) refuseOptedOut(domains ...string) error {
	for _, domain := range domains {
		if s.hasOptedOut(domain) {
			return optedOut(domain)
		}
	}
	return nil
}

func optedOut(domain string) *Error {
	return &Error{
		Kind: Forbidden, Code: "domain_opted_out", Message: domain + " has opted out of this service",
		Hint: "its owner can have the operator change that",
	}
}
