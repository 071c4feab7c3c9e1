package suitetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/formats"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/suite"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/keypin"
	"github.com/avow-project/avow/resolve"
	"github.com/avow-project/avow/supplypath"
)

// A library answers with the Go packages. It has an answer to every kind.
type library struct{}

func (library) Close() {}

func (library) Ask(ctx context.Context, c *suite.Case) (*suite.Answer, error) {
	got, err := map[string]func(context.Context, *suite.Case) (map[string]any, error){
		"check": check, "authorize": authorize, "resolve": list, "formats": formatsOf, "agent_url": agentURL, "identifier": identifier,
		"signature": signature, "supply_path": supplyPath, "create": create, "discovery": discovery, "redirect": discovery,
	}[c.Kind](ctx, c)
	if err != nil {
		return &suite.Answer{Error: err.Error()}, nil //nolint:nilerr // some questions have to be refused
	}
	// As JSON and back, as if it had come from a program.
	text, err := json.Marshal(map[string]any{"answer": got}, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	return suite.ReadReply(c, text)
}

// at returns the time of a case.
func at(c *suite.Case) time.Time {
	t, err := time.Parse(time.RFC3339Nano, c.Time)
	if err != nil {
		panic(err)
	}
	return t
}

// word and texts return a member of the question.
func word(c *suite.Case, name string) string {
	s, _ := c.Question[name].(string)
	return s
}

func texts(c *suite.Case, name string) []string {
	list, _ := c.Question[name].([]any)
	var out []string
	for _, v := range list {
		s, _ := v.(string)
		out = append(out, s)
	}
	return out
}

func flag(c *suite.Case, name string) bool {
	b, _ := c.Question[name].(bool)
	return b
}

// file returns the file with a name, or nil.
func file(c *suite.Case, name string) *suite.File {
	i := slices.IndexFunc(c.Files, func(f suite.File) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &c.Files[i]
}

// text returns the bytes of the file with a name, or nil.
func text(c *suite.Case, name string) []byte {
	f := file(c, name)
	if f == nil {
		return nil
	}
	return f.Bytes()
}

func check(_ context.Context, c *suite.Case) (map[string]any, error) {
	r := adagents.Check(c.Files[0].Bytes(), adagents.Options{})
	skipped := []string{}
	for _, s := range r.Skipped {
		skipped = append(skipped, s.Pointer)
	}
	return map[string]any{"valid": r.Valid(), "skipped": skipped}, nil
}

// source has the documents of a case.
type source struct{ *suite.Case }

// roles are those of files by how they were found.
var roles = map[string]adagents.Role{"direct": adagents.Direct, "authoritative_location": adagents.Authoritative, "ads_txt_managerdomain": adagents.Manager}

func (s source) Document(_ context.Context, publisher string) (*resolve.Document, error) {
	d := &resolve.Document{Publisher: publisher, State: resolve.Absent}
	f := file(s.Case, publisher)
	switch {
	case f == nil || f.State == "absent":
		return d, nil
	case f.State == "unreachable":
		d.State = resolve.Unreachable
		return d, nil
	}
	d.Method, d.URL, d.Revoked, d.Replaced, d.State = f.Method, f.URL, f.Revoked, f.Replaced, resolve.Unusable
	d.File = adagents.Check(f.Bytes(), adagents.Options{Domain: publisher, URL: f.URL, Role: roles[f.Method]}).File
	if d.File != nil {
		d.State = resolve.Usable
	}
	return d, nil
}

func authorize(ctx context.Context, c *suite.Case) (map[string]any, error) {
	q := resolve.Question{
		Publisher: word(c, "publisher"), Agent: word(c, "agent"), Property: word(c, "property"), PropertyType: word(c, "property_type"),
		Identifier: resolve.Identifier{Type: word(c, "identifier_type"), Value: word(c, "identifier_value")},
		Placements: texts(c, "placements"), Signal: word(c, "signal"), Country: word(c, "country"), At: at(c), Inline: flag(c, "inline"),
	}
	for _, pair := range texts(c, "collections") {
		publisher, id, _ := strings.Cut(pair, "/")
		q.Collections = append(q.Collections, resolve.CollectionRef{PublisherDomain: publisher, ID: id})
	}
	a, err := resolve.New(source{c}).Answer(ctx, q)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"verdict": a.Verdict.String(), "authorized": a.Verdict == resolve.Authorized}
	var entries []string
	for i := range a.Grants {
		entries = append(entries, a.Grants[i].Entry)
	}
	if len(entries) > 0 {
		out["entries"] = entries
	}
	if len(a.Needs) > 0 {
		out["needs"] = a.Needs
	}
	if len(a.Placements) > 0 {
		placements := map[string]string{}
		for id, v := range a.Placements {
			placements[id] = v.String()
		}
		out["placements"] = placements
	}
	return out, nil
}

func list(ctx context.Context, c *suite.Case) (map[string]any, error) {
	o := resolve.ListOptions{At: at(c), Country: word(c, "country"), Inline: flag(c, "inline")}
	l, err := resolve.New(source{c}).Properties(ctx, word(c, "publisher"), word(c, "agent"), o)
	if err != nil {
		return nil, err
	}
	properties, confirmed, signals := []any{}, []any{}, []string{}
	seen := map[string]bool{}
	for i := range l.Grants {
		signals = append(signals, l.Grants[i].Signals...)
		for k := range l.Grants[i].Properties {
			p := &l.Grants[i].Properties[k]
			key := p.PublisherDomain + " " + p.PropertyID
			if seen[key] {
				continue
			}
			seen[key] = true
			one := map[string]string{"publisher_domain": p.PublisherDomain, "property_id": p.PropertyID}
			properties = append(properties, one)
			if p.Confirmed {
				confirmed = append(confirmed, one)
			}
		}
	}
	return map[string]any{"verdict": l.Verdict.String(), "properties": properties, "confirmed": confirmed, "signals": signals}, nil
}

func formatsOf(ctx context.Context, c *suite.Case) (map[string]any, error) {
	doc, err := source{c}.Document(ctx, word(c, "publisher"))
	if err != nil {
		return nil, err
	}
	product := file(c, "product")
	if product == nil {
		names := []string{}
		for _, f := range resolve.Formats(doc, word(c, "placement"), word(c, "property")).Formats {
			id := f.OptionID
			if id == "" {
				id = "-"
			}
			names = append(names, id+" "+f.Kind)
		}
		return map[string]any{"formats": names}, nil
	}
	q := formats.Question{Placement: word(c, "placement"), Strict: flag(c, "strict")}
	q.Product, err = formats.ReadProduct(product.Bytes())
	if err != nil {
		return map[string]any{"accepted": []any{}, "refused": []any{}}, nil //nolint:nilerr // nothing of it can be bought
	}
	r, err := formats.Ask(doc, q)
	if err != nil {
		return nil, err
	}
	return bought(r), nil
}

// bought puts a report about formats into the words of the suite.
func bought(r *formats.Report) map[string]any {
	accepted, refused := []any{}, []any{}
	for i := range r.Placements {
		p := &r.Placements[i]
		for k := range p.Accepted {
			f := &p.Accepted[k]
			accepted = append(accepted, map[string]any{
				"placement": p.PlacementID + p.Selector, "name": nameOf(f), "kind": f.Kind, "relation": f.Relation, "params": f.Params,
			})
		}
		for k := range p.Refused {
			f := &p.Refused[k]
			refused = append(refused, map[string]any{"placement": p.PlacementID + p.Selector, "name": nameOf(&f.Format), "kind": f.Format.Kind})
		}
	}
	return map[string]any{"accepted": accepted, "refused": refused}
}

func nameOf(f *formats.FormatReport) string {
	ref := f.Reference
	switch {
	case ref == nil:
		return "-"
	case ref.PublisherDomain != "":
		return ref.PublisherDomain + "/" + ref.FormatOptionID
	}
	return ref.FormatOptionID
}

func agentURL(_ context.Context, c *suite.Case) (map[string]any, error) {
	url, _, err := hostname.CanonicalURL(word(c, "url"))
	if err != nil || word(c, "other") == "" {
		return map[string]any{"canonical": url}, err
	}
	other, _, err := hostname.CanonicalURL(word(c, "other"))
	return map[string]any{"same": url == other}, err
}

func identifier(_ context.Context, c *suite.Case) (map[string]any, error) {
	return map[string]any{"match": hostname.MatchesDomain(word(c, "identifier"), word(c, "host"))}, nil
}

// pins has the keys of the file of a case.
type pins struct{ *suite.Case }

func (p pins) Pins(context.Context, string) (*keypin.Document, error) {
	f := adagents.Check(text(p.Case, "adagents.json"), adagents.Options{Domain: word(p.Case, "publisher")}).File
	return &keypin.Document{Publisher: word(p.Case, "publisher"), State: keypin.Usable, File: f, FetchedAt: at(p.Case), KeysUntil: at(p.Case).Add(time.Hour)}, nil
}

func (p pins) Refresh(ctx context.Context, publisher string) (*keypin.Document, error) {
	return p.Pins(ctx, publisher)
}

func profileOf(c *suite.Case) *keypin.Profile {
	switch word(c, "profile") {
	case "webhook":
		return keypin.Webhooks()
	case "response":
		return keypin.Responses()
	case "unbound_response":
		return keypin.UnsafeUnboundResponses()
	case "request-3.1":
		for _, p := range []keypin.DigestPolicy{keypin.DigestRequired, keypin.DigestForbidden} {
			if p.String() == word(c, "digest") {
				return keypin.Requests31(p)
			}
		}
		return keypin.Requests31(keypin.DigestEither)
	}
	return keypin.Requests()
}

func signature(ctx context.Context, c *suite.Case) (map[string]any, error) {
	var hosted []*keypin.Key
	var err error
	if keys := text(c, "jwks"); keys != nil {
		hosted, err = keypin.ParseKeys(keys)
		if err != nil {
			return nil, err
		}
	}
	v := keypin.New(keypin.Config{Source: pins{c}, Now: func() time.Time { return at(c) }})
	verdict := func(r *keypin.Result) map[string]any {
		return map[string]any{"verdict": r.Verdict.String(), "accepted": r.Verdict == keypin.Accepted}
	}
	if word(c, "profile") == "signed-response" {
		q := keypin.AnswerQuestion{
			Publisher: word(c, "publisher"), Agent: word(c, "agent"), Task: word(c, "task"), Brand: word(c, "brand"), Request: text(c, "arguments"), Unpinned: hosted,
		}
		for _, id := range texts(c, "callers") {
			if id == "none" {
				id = keypin.Anonymous
			}
			q.Callers = append(q.Callers, id)
		}
		r, err := v.VerifyAnswer(ctx, text(c, "answer"), q)
		if err != nil {
			return nil, err
		}
		return verdict(&r.Result), nil
	}
	m, err := keypin.ParseMessage(text(c, "message"), keypin.ParseOptions{})
	if err != nil {
		return nil, err
	}
	if request := text(c, "request"); request != nil {
		m.Request, err = keypin.ParseMessage(request, keypin.ParseOptions{})
		if err != nil {
			return nil, err
		}
	}
	r, err := v.Verify(ctx, m, keypin.Question{Publisher: word(c, "publisher"), Agent: word(c, "agent"), Profile: profileOf(c), Unpinned: hosted})
	if err != nil {
		return nil, err
	}
	return verdict(r), nil
}

func supplyPath(_ context.Context, c *suite.Case) (map[string]any, error) {
	in := &supplypath.Input{
		Owner: supplypath.Party{Domain: word(c, "owner_domain"), File: text(c, "owner"), Shared: flag(c, "owner_shared")},
		Host:  supplypath.Party{Domain: word(c, "host_domain"), File: text(c, "host"), Shared: flag(c, "host_shared"), Held: texts(c, "host_held_revocations")},
		Agent: word(c, "agent_url"), Collection: word(c, "collection_id"), Required: texts(c, "required_property_ids"),
		AdsTxt: map[string][]byte{}, SkipAdsTxt: word(c, "ads_txt") == "skipped",
	}
	for _, name := range []string{"ads.txt", "app-ads.txt"} {
		if f := file(c, name); f != nil {
			in.AdsTxt[name] = f.Bytes()
		}
	}
	switch word(c, "asks") {
	case "files":
		files := supplypath.AdsTxtOf(in)
		return map[string]any{"files": append([]string{}, files.Files...), "all": files.All}, nil
	case "partners":
		partners, ok := supplypath.AdsTxt{Files: texts(c, "files"), All: flag(c, "all")}.Partners(in.AdsTxt)
		switch {
		case !ok:
			return map[string]any{"partners": "unavailable"}, nil
		case len(partners) == 0:
			return map[string]any{"partners": "none"}, nil
		}
		return map[string]any{"partners": partners}, nil
	}
	r := supplypath.Evaluate(in)
	legs := map[string]string{}
	for name, l := range map[string]supplypath.Leg{
		"owner_collection_declared": r.Legs.Collection, "owner_distribution_carriage": r.Legs.Carriage.Leg, "owner_agent_declared": r.Legs.Agent,
		"host_authorization": r.Legs.Host.Leg, "inventory_partner_domain": r.Legs.Partner,
	} {
		legs[name] = "ok"
		if !l.OK {
			legs[name] = string(l.Failure)
		}
	}
	out := map[string]any{"state": r.State, "legs": legs}
	if r.Collection != "" {
		out["resolved_collection_id"] = r.Collection
	}
	return out, nil
}

func create(_ context.Context, c *suite.Case) (map[string]any, error) {
	b, err := adagents.Build(c.Files[0].Bytes(), adagents.BuildOptions{Now: at(c)})
	if err != nil {
		return map[string]any{"created": false}, nil //nolint:nilerr // that is the answer
	}
	return suite.Created(string(b.File)), nil
}

// archive writes the pages of a case as the test internet reads them.
func archive(c *suite.Case) []byte {
	var b strings.Builder
	for i := range c.Files {
		f := &c.Files[i]
		fmt.Fprintf(&b, "-- %s --\n%d\n", f.Name, f.Status)
		for _, h := range f.Headers {
			fmt.Fprintf(&b, "%s: %s\n", h[0], h[1])
		}
		fmt.Fprintf(&b, "\n%s", f.Bytes())
	}
	return []byte(b.String())
}

func discovery(ctx context.Context, c *suite.Case) (map[string]any, error) {
	web, err := fakeweb.Start(archive(c))
	if err != nil {
		return nil, err
	}
	defer web.Close()
	finder := discover.New(discover.Config{
		Client: fetch.New(fetch.Config{Network: web.Network(), Attempts: 1, HopTimeout: time.Minute}), Now: func() time.Time { return at(c) },
	})
	d, err := finder.Domain(ctx, word(c, "domain"), discover.Options{IgnoreSuperseded: true})
	var refused *discover.InputError
	if errors.As(err, &refused) || err != nil {
		return nil, err
	}
	out := map[string]any{"answer": d.Answer.String(), "usable": d.Answer == discover.Usable, "method": d.Method.String(), "found": d.Found}
	for name, value := range map[string]string{"resolved_url": d.ResolvedURL, "manager_domain": d.ManagerDomain} {
		if value != "" {
			out[name] = value
		}
	}
	requests := []string{}
	for _, r := range web.Requests() {
		requests = append(requests, r.URL)
	}
	out["requests"] = requests
	return out, nil
}
