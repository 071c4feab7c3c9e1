package directory

import (
	"iter"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
)

// put puts a publisher in the place of what was known about it, or nothing when it is nil, if that
// is wanted.
func (d *Directory) put(domain hostname.Domain, p *Publisher, common *shared, wanted func(*Publisher) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case wanted != nil && !wanted(d.publishers[domain]):
	case p == nil:
		d.remove(domain)
	default:
		d.replace(p, common)
	}
}

// replace puts a publisher in the place of what was known about it. common is what it shares
// with others; nil when it has no file. Without room for it, it is Missing.
func (d *Directory) replace(p *Publisher, common *shared) {
	d.version++
	before := d.publishers[p.Domain]
	all, site := d.config.Memory, d.config.Memory/siteShare
	if before != nil && !before.Missing { // who is in stays in: those without room came later
		all, site = max(all, d.size), max(site, d.sites[Site(p.Domain)])
	}
	d.takeOut(before)
	if common != nil && !d.admit(p, common, all, site) {
		p = p.bare()
	}
	d.putIn(p)
	d.settleName(p.Domain)
	d.observe(p.Domain)
}

// observe passes on that a publisher was read again.
func (d *Directory) observe(domain hostname.Domain) {
	if d.isLoaded() {
		d.config.Observe(domain)
	}
}

// remove forgets a publisher.
func (d *Directory) remove(domain hostname.Domain) {
	d.version++
	d.takeOut(d.publishers[domain])
	delete(d.publishers, domain)
	d.settleName(domain)
	d.observe(domain)
}

// bare is the publisher without what its file says.
func (p *Publisher) bare() *Publisher {
	return &Publisher{
		Domain: p.Domain, Missing: true, record: p.record, file: p.file, absentSince: p.absentSince, state: p.state, served: p.served, size: publisherSize + fileSize,
	}
}

// admit makes room for a publisher, if there is any below the limits for all and for a site. A
// site has a share, so that one that fills its own keeps nobody else out.
func (d *Directory) admit(p *Publisher, common *shared, all, site int64) bool {
	known := d.shared[common.key]
	if known != nil {
		common = known
	}
	size := p.size
	if known == nil {
		size += common.size
	}
	if d.size+size > all || d.sites[Site(p.Domain)]+size > site {
		return false
	}
	if known == nil {
		d.shared[common.key] = common
		d.charge(common.site, common.size)
		for _, name := range common.named {
			d.named[name]++
			d.settleName(name)
		}
	}
	common.users++
	p.shared = common
	return true
}

func (d *Directory) charge(site string, size int64) {
	d.size += size
	d.sites[site] += size
	if d.sites[site] == 0 {
		delete(d.sites, site)
	}
}

// putIn makes a publisher known.
func (d *Directory) putIn(p *Publisher) {
	d.publishers[p.Domain] = p
	d.charge(Site(p.Domain), p.size)
	if p.Missing {
		d.missing++
	}
	name := string(p.Domain)
	for _, g := range p.Grants {
		d.agentOf(g.Agent).sells.add(name)
	}
	for _, url := range p.signals {
		d.agentOf(url).signals.add(name)
	}
	for _, url := range p.revoked {
		d.agentOf(url).revoked.add(name)
	}
	for _, url := range p.unsettled {
		d.agentOf(url).unsettled.add(name)
	}
	for _, id := range p.Identifiers {
		d.identifiers[id] = append(d.identifiers[id], p.Domain)
	}
	if url, ok := p.elsewhere(); ok {
		if d.byURL[url] == nil {
			d.byURL[url] = map[hostname.Domain]bool{}
		}
		d.byURL[url][p.Domain] = true
	}
}

// takeOut takes everything back that putIn and admit did; of nobody there is nothing.
func (d *Directory) takeOut(p *Publisher) {
	if p == nil {
		return
	}
	d.charge(Site(p.Domain), -p.size)
	if p.Missing {
		d.missing--
	}
	name := string(p.Domain)
	for _, g := range p.Grants {
		d.agents[g.Agent].sells.remove(name)
		d.leaveAgent(g.Agent)
	}
	for _, url := range p.signals {
		d.agents[url].signals.remove(name)
		d.leaveAgent(url)
	}
	for _, url := range p.revoked {
		d.agents[url].revoked.remove(name)
		d.leaveAgent(url)
	}
	for _, url := range p.unsettled {
		d.agents[url].unsettled.remove(name)
		d.leaveAgent(url)
	}
	for _, id := range p.Identifiers {
		rest := slices.DeleteFunc(d.identifiers[id], func(other hostname.Domain) bool { return other == p.Domain })
		d.identifiers[id] = rest
		if len(rest) == 0 {
			delete(d.identifiers, id)
		}
	}
	if url, ok := p.elsewhere(); ok {
		delete(d.byURL[url], p.Domain)
		if len(d.byURL[url]) == 0 {
			delete(d.byURL, url)
		}
	}
	d.leave(p.shared)
}

// elsewhere returns the URL of the publisher's file, if that is not at its own place.
func (p *Publisher) elsewhere() (string, bool) {
	if p.file == nil || custodian.OwnerOf(p.file.URL) == string(p.Domain) {
		return "", false
	}
	return p.file.URL, true
}

// usersOf returns the publishers whose file is at a URL.
func (d *Directory) usersOf(url string) iter.Seq[hostname.Domain] {
	return func(yield func(hostname.Domain) bool) {
		owner := d.publishers[hostname.Domain(custodian.OwnerOf(url))]
		if owner != nil && owner.file != nil && owner.file.URL == url && !yield(owner.Domain) {
			return
		}
		for domain := range d.byURL[url] {
			if !yield(domain) {
				return
			}
		}
	}
}

// leave takes back what admit did for a publisher.
func (d *Directory) leave(s *shared) {
	if s == nil {
		return
	}
	s.users--
	if s.users > 0 {
		return
	}
	delete(d.shared, s.key)
	d.charge(s.site, -s.size)
	for _, name := range s.named {
		d.named[name]--
		if d.named[name] == 0 {
			delete(d.named, name)
		}
		d.settleName(name)
	}
}

// settleName keeps the list of those that are known.
func (d *Directory) settleName(domain hostname.Domain) {
	switch {
	case d.publishers[domain] != nil || d.named[domain] > 0:
		d.names.add(string(domain))
	case d.isLoaded():
		d.names.remove(string(domain))
	default: // a file that was not read yet may name it
		d.hints = append(d.hints, domain)
	}
}

func (d *Directory) agentOf(url string) *agent {
	a := d.agents[url]
	if a == nil {
		a, url = &agent{}, strings.Clone(url) // the file may be forgotten first
		d.agents[url] = a
		d.agentNames.add(url)
	}
	a.version = d.version
	return a
}

// leaveAgent is for an agent after one of its publishers was taken out.
func (d *Directory) leaveAgent(url string) {
	a := d.agents[url]
	if a == nil {
		return
	}
	a.version = d.version
	if a.empty() {
		delete(d.agents, url)
		d.agentNames.remove(url)
	}
}
