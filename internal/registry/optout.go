package registry

import "github.com/avow-project/avow/internal/hostname"

// refuseOptedOut returns an error for a domain whose owner wants nothing to do with the
// service.
func (s *Service) refuseOptedOut(domains ...string) error {
	for _, domain := range domains {
		if hostname.Within(domain, s.optedOut) {
			return &Error{
				Kind: Forbidden, Code: "domain_opted_out", Message: domain + " has opted out of this service",
				Hint: "its owner can have the operator change that",
			}
		}
	}
	return nil
}
