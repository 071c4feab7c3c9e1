package directory

import (
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
)

// Namings returns the files that name publishers of whom nothing is known, with those, but for
// publishers that have opted out: of files that came since the last call or, with all, of all.
func (d *Directory) Namings(all bool) []custodian.Naming {
	var out []custodian.Naming
	for _, s := range d.untold(all) {
		if names := d.strangers(s.named); len(names) > 0 {
			out = append(out, custodian.Naming{URL: s.url, Domains: names})
		}
	}
	return out
}

// untold returns what Namings goes through.
func (d *Directory) untold(all bool) []*shared {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []*shared
	for _, s := range d.shared {
		if len(s.named) > 0 && s.url != "" && (all || !s.told) {
			s.told = true
			out = append(out, s)
		}
	}
	return out
}

// strangers are those of some names of whom nothing is known and that are names of publishers.
func (d *Directory) strangers(names []hostname.Domain) []hostname.Domain {
	d.mu.RLock()
	defer d.mu.RUnlock()
	var out []hostname.Domain
	for _, name := range names {
		if d.publishers[name] != nil || d.config.OptedOut(name) {
			continue
		}
		domain, err := custodian.ParseDomain(string(name))
		if err == nil && domain == name {
			out = append(out, name)
		}
	}
	return out
}
