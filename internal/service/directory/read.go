package directory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// What the parts of a publisher take in memory, about: what is kept of its record and of that
// of its file, with their places in the directory, and what is found by name. The benchmark of
// the directory (docs/scale.md) shows what they come to.
const (
	publisherSize = 1400
	fileSize      = 800
	grantSize     = 120
	nameSize      = 40
)

// read reads a publisher from the records and puts it into the directory. The error is that
// of the context.
func (d *Directory) read(ctx context.Context, domain hostname.Domain) error {
	s, err := d.config.Keeper.Snapshot(ctx, domain)
	return d.take(ctx, domain, s, err, nil)
}

// take puts what was read of a publisher into the directory, or takes it out when there is
// nothing, if that is still wanted when it is known what is there; nil for always. The error is that
// of the context.
func (d *Directory) take(ctx context.Context, domain hostname.Domain, s *custodian.Snapshot, err error, wanted func(*Publisher) bool) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p, common, err := d.make(domain, s, err)
	d.put(domain, p, common, wanted)
	if err != nil {
		d.config.Log.WarnContext(ctx, "cannot read a publisher into the directory", "domain", domain, "error", err)
		d.queue.later(domain)
	}
	return nil
}

// make returns what the directory has of a publisher, and what it shares with others; nil when
// the records have nothing. The error is that of reading: what is in effect cannot be told then,
// so nothing of it is shown until it can.
func (d *Directory) make(domain hostname.Domain, s *custodian.Snapshot, err error) (*Publisher, *shared, error) {
	switch {
	case err == nil && s.Publisher.Revision == 0:
		return nil, nil, nil
	case err != nil:
		p := &Publisher{Domain: domain, Missing: true}
		if s != nil {
			p.keep(s)
		}
		return p, nil, err
	}
	p := &Publisher{Domain: domain, optedOut: d.config.OptedOut(domain)}
	p.keep(s)
	if p.optedOut || s.Document.State != resolve.Usable {
		p.unsettle(s)
		return p, nil, nil
	}
	common := d.common(s)
	p.fill(s, common)
	return p, common, nil
}

// keep takes over what decides about the standing of a publisher.
func (p *Publisher) keep(s *custodian.Snapshot) {
	record := *s.Publisher
	record.Headers, record.Agents, record.Rejected, record.Reply = custody.Headers{}, nil, nil, custody.Reply{}
	record.Domain, record.Hash, record.Learned, record.Listed, record.Via = p.Domain, "", "", "", ""
	p.record, p.absentSince, p.size = &record, s.AbsentSince, publisherSize
	if s.File != nil {
		file := *s.File
		file.Headers, file.Keys, file.Revocations = custody.Headers{}, nil, nil
		file.URL = record.Location.URL // which is the same, and in memory once
		p.file, p.indexed = &file, s.Publisher.Listed == file.Hash
		p.size += fileSize
	}
	if s.Document != nil {
		p.state = s.Document.State
	}
	p.served = s.Served == resolve.Usable
}

// unsettle notes the agents that the publisher is known to have had, of which nothing can be
// told at present. A publisher that has taken its file away has none.
func (p *Publisher) unsettle(s *custodian.Snapshot) {
	if !p.optedOut && s.Served != resolve.Absent && s.Document.State != resolve.Absent {
		p.unsettled = s.Publisher.Agents
		p.size += nameSize * int64(len(p.unsettled))
	}
}

// common returns what publishers of the same file share.
func (d *Directory) common(s *custodian.Snapshot) *shared {
	d.mu.RLock()
	known := d.shared[s.Shared]
	d.mu.RUnlock()
	if known != nil {
		return known
	}
	c := &shared{key: s.Shared, prepared: s.Document.Prepared, named: namedIn(s.Document.File, s.Publisher.Domain), site: Site(s.Publisher.Domain)}
	if s.File != nil {
		c.url = s.File.URL
	}
	c.size = int64(c.prepared.Size()) + nameSize*int64(len(c.named))
	return c
}

// namedIn returns the publishers that a file names, but for its own.
func namedIn(f *adagents.File, own hostname.Domain) []hostname.Domain {
	seen := map[hostname.Domain]bool{}
	var hosts hostname.Memo
	note := func(written string) {
		name, _, err := hosts.Canonical(written)
		if err == nil && name != string(own) && !seen[hostname.Domain(name)] {
			seen[hostname.Domain(strings.Clone(name))] = true
		}
	}
	for i := range f.Properties {
		note(f.Properties[i].PublisherDomain)
	}
	for i := range f.Agents {
		for _, s := range f.Agents[i].Scope().Selectors {
			note(s.PublisherDomain)
			for _, name := range s.PublisherDomains {
				note(name)
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// codeRevoked is the code of decisions about a publisher that the file does not speak for any
// more.
const codeRevoked = "publisher.revoked"

// fill reads the file of a publisher.
func (p *Publisher) fill(s *custodian.Snapshot, common *shared) {
	doc := *s.Document
	doc.Prepared = common.prepared
	p.subject = resolve.NewSubject(&doc)
	decision, _ := p.subject.Decide(&resolve.Question{Publisher: doc.Publisher, At: s.At.Early})
	if decision.Code == codeRevoked {
		p.revoked = s.Publisher.Agents
		p.size += nameSize * int64(len(p.revoked))
		return
	}
	p.readGrants(doc.Publisher, s.At.Early)
	p.readSignals(doc.File)
	owned := resolve.Owned(&doc)
	p.Properties = len(owned)
	p.Types = typesOf(owned)
	identifiers := custodian.IdentifiersOf(owned)
	p.Identifiers = make([]resolve.Identifier, 0, len(identifiers))
	for _, id := range identifiers {
		p.Identifiers = append(p.Identifiers, resolve.Identifier{Type: strings.Clone(id.Type), Value: strings.Clone(id.Value)})
		p.size += 2*nameSize + int64(len(id.Type)+len(id.Value))
	}
}

// typesOf counts properties by type.
func typesOf(owned []*adagents.Property) []TypeCount {
	counts := map[string]int{}
	for i := range owned {
		counts[owned[i].Type]++
	}
	out := make([]TypeCount, 0, len(counts))
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, TypeCount{strings.Clone(kind), counts[kind]})
	}
	return out
}

// readGrants reads which agents may sell something, and when that changes.
func (p *Publisher) readGrants(publisher string, now time.Time) {
	byAgent := map[string]Grant{}
	for _, c := range p.subject.Claims(publisher, "") {
		g := byAgent[c.Agent]
		g.Agent = c.Agent
		g.Types |= typeOf(c.Type)
		g.Pinned = g.Pinned || c.Pinned
		g.Live = g.Live || c.Holds(now)
		for _, edge := range []time.Time{c.From, c.Until} {
			if edge.After(now) && (p.next.IsZero() || edge.Before(p.next)) {
				p.next = edge
			}
		}
		byAgent[c.Agent] = g
	}
	p.Grants = slices.SortedFunc(maps.Values(byAgent), func(a, b Grant) int { return cmp.Compare(a.Agent, b.Agent) })
	p.size += grantSize * int64(len(p.Grants))
}

// readSignals reads which agents sell signals and nothing else.
func (p *Publisher) readSignals(f *adagents.File) {
	var hosts hostname.Memo
	seen := map[string]bool{}
	for i := range f.Agents {
		scope := f.Agents[i].Scope()
		if len(scope.SignalIDs)+len(scope.SignalTags) == 0 || f.Agents[i].Inert() {
			continue
		}
		url, _, err := hosts.CanonicalURL(f.Agents[i].URL)
		_, sells := search(p.Grants, url)
		if err == nil && !sells && !seen[url] {
			seen[url] = true
			p.signals = append(p.signals, strings.Clone(url))
		}
	}
	p.size += nameSize * int64(len(p.signals))
}

// Site is the registrable domain of a publisher.
func Site(domain hostname.Domain) string {
	name, found := hostname.Registrable(string(domain))
	if !found {
		return string(domain)
	}
	return name
}
