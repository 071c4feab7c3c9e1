package adagents

// agentPropertyRules look at references to the file's properties.
var agentPropertyRules = []rule[*Agent]{
	{Rule: Rule{
		Code: "agent.no_properties_catalog", Severity: Warning, Effect: EmptyEntry,
		Title: "an agent refers to properties, but the file has none",
		Why: "property_ids and property_tags select from the file's own properties. Without usable properties the entry " +
			"authorizes nothing; readers invent none.",
		Hint:  "list the properties at the top level, or use another authorization_type",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InFile,
		Along: []string{"file.authorizes_nobody"},
		Bad: goodFile + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "The site",
    "authorization_type": "property_ids",
    "property_ids": ["site"],` + exampleKeys,
		Good: goodFile + `  "properties": [{
    "property_id": "site",
    "property_type": "website",
    "name": "Example News",
    "identifiers": [{"type": "domain", "value": "example.com"}],
    "publisher_domain": "example.com"
  }],
  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "The site",
    "authorization_type": "property_ids",
    "property_ids": ["site"],` + exampleKeys,
	}, check: func(r reporter, a *Agent) {
		if s := a.companion(); s != nil && s.form != nil && !s.signal {
			if v := a.member(s.at); v.Is(Array) && v.Len() > 0 && r.scope().usable == 0 {
				r.say(v, "%s refers to the file's properties, but the file has no usable one", s.name)
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.property_id_undefined", Severity: Warning, Effect: DropRef,
		Title: "an agent refers to a property that is not there",
		Why: "An id that no property of the file has authorizes nothing. Properties of other entries and other files are " +
			"never searched.",
		Hint: "correct the id, or add the property to the file's properties",
		Spec: "AdCP adagents.json Tech Spec, authorized_agents",
		In:   InAgent,
		fix:  nearOrRemove(propertyIDs),
		Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Display on two sites",
  "authorization_type": "property_ids",
  "property_ids": ["site", "sports"]
}`,
		Good: sellerOfSite + "\n}",
	}, check: func(r reporter, a *Agent) {
		if r.scope().usable == 0 {
			return
		}
		for _, v := range a.selected(atAgentPropertyIDs).Elems() {
			if id := v.Str(); isID(id) && r.propertyByID(id) < 0 {
				undefinedProperty(r, v, id)
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.property_tag_unmatched", Severity: Warning, Effect: DropRef,
		Title: "an agent refers to a tag that no property carries",
		Why: "A tag selects the properties that carry it. An explanation under tags does not make a tag match, and no " +
			"tag means all properties.",
		Spec: "AdCP adagents.json Tech Spec, authorized_agents",
		In:   InAgent,
		fix:  nearOrRemove(propertyTags),
		Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Display on all sites",
  "authorization_type": "property_tags",
  "property_tags": ["news", "all"]
}`,
		Good: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Display on news sites",
  "authorization_type": "property_tags",
  "property_tags": ["news"]
}`,
	}, check: func(r reporter, a *Agent) {
		if r.scope().usable == 0 {
			return
		}
		for _, v := range a.selected(atAgentPropertyTags).Elems() {
			tag := v.Str()
			if !isID(tag) || r.index.propertyTag[tag] > 0 || r.revokedTags()[tag] != "" {
				continue
			}
			f := r.say(v, "no usable property carries the tag %s", quote(tag))
			if hint := r.didYouMean(propertyTags, tag); hint != "" {
				f.withHint("%s", hint)
			} else {
				f.withHint("add the tag %s to the properties that are meant", whole(tag))
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.revoked_scope", Severity: Warning, Effect: DropRef,
		Title: "an agent refers to a revoked publisher",
		Why: "A domain in revoked_publisher_domains is no longer authorized wherever else it appears, so the reference " +
			"covers nothing.",
		Hint:  "remove the reference, or the revocation if the publisher is back",
		Spec:  "AdCP adagents.json Tech Spec, revoked_publisher_domains",
		In:    InFile,
		Along: []string{"property.revoked"},
		Bad: goodFile + revokedProperties + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "Two sites",
    "authorization_type": "property_ids",
    "property_ids": ["site", "sports"],` + exampleKeys,
		Good: goodFile + twoProperties + `  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "Two sites",
    "authorization_type": "property_ids",
    "property_ids": ["site", "sports"],` + exampleKeys,
	}, check: func(r reporter, a *Agent) {
		if len(r.index.revoked) == 0 {
			return
		}
		sayRevoked(r, a)
		for i := range a.Collections {
			s := &a.Collections[i]
			if domain, ok := s.domain(&r.index.hosts); ok && r.revoked(domain) {
				r.say(s.member(atCollectionSelectorPublisherDomain), "the publisher %s of these collections is revoked",
					quote(domain))
			}
		}
	}},
}

const (
	twoProperties = `  "properties": [
    {
      "property_id": "site",
      "property_type": "website",
      "name": "Example News",
      "identifiers": [{"type": "domain", "value": "example.com"}],
      "publisher_domain": "example.com"
    },
    {
      "property_id": "sports",
      "property_type": "website",
      "name": "Example Sports",
      "identifiers": [{"type": "domain", "value": "example.org"}],
      "publisher_domain": "example.org"
    }
  ],
`
	revokedProperties = twoProperties + `  "revoked_publisher_domains": [
    {"publisher_domain": "example.org", "revoked_at": "2026-01-01T00:00:00Z"}
  ],
`
)

// undefinedProperty reports an id without a usable property, unless the reason
// is a revocation, which is reported as such.
func undefinedProperty(r reporter, v Value, id string) {
	i, ok := r.index.properties.get(id)
	if !ok {
		r.say(v, "no property has the id %s", quote(id)).withHint("%s", r.didYouMean(propertyIDs, id))
		return
	}
	if r.revokedOwner(&r.file.Properties[i]) != "" {
		return
	}
	r.say(v, "the property %s (/properties/%d) is left out as non-conforming", quote(id), i).
		withHint("correct the property")
}

// sayRevoked reports the ids and tags of an entry that lead to revoked
// properties only.
func sayRevoked(r reporter, a *Agent) {
	if r.scope().usable == 0 {
		return
	}
	for _, v := range a.selected(atAgentPropertyIDs).Elems() {
		i, ok := r.index.properties.get(v.Str())
		if !ok || r.propertyByID(v.Str()) >= 0 {
			continue
		}
		if domain := r.revokedOwner(&r.file.Properties[i]); domain != "" {
			r.say(v, "the property %s belongs to %s, which is revoked", quote(v.Str()), quote(domain))
		}
	}
	for _, v := range a.selected(atAgentPropertyTags).Elems() {
		if domain := r.revokedTags()[v.Str()]; domain != "" && r.index.propertyTag[v.Str()] == 0 {
			r.say(v, "only properties of revoked publishers carry the tag %s, such as those of %s", quote(v.Str()),
				quote(domain))
		}
	}
}

// agentSignalRules look at references to the file's signals.
var agentSignalRules = []rule[*Agent]{
	{Rule: Rule{
		Code: "agent.signal_id_undefined", Severity: Warning, Effect: DropRef,
		Title: "an agent refers to a signal that is not there",
		Why:   "An id that no signal of the file has authorizes nothing.",
		Hint:  "correct the id, or add the signal to the file's signals",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InAgent,
		fix:   nearOrRemove(signalIDs),
		Bad:   signalSeller + `  "signal_ids": ["auto_intender", "dog_owner"]` + "\n}",
		Good:  signalSeller + `  "signal_ids": ["auto_intender"]` + "\n}",
	}, check: func(r reporter, a *Agent) {
		if r.scope().catalogs > 0 {
			return
		}
		for _, v := range a.selected(atAgentSignalIDs).Elems() {
			id := v.Str()
			if i, ok := r.index.signals[id]; ok && isSignalID(id) && r.file.Signals[i].effect.gone() {
				r.say(v, "the signal %s (/signals/%d) is left out as non-conforming", quote(id), i).withHint("correct the signal")
			} else if !ok && isSignalID(id) {
				r.say(v, "no signal has the id %s", quote(id)).withHint("%s", r.didYouMean(signalIDs, id))
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.signal_tag_unmatched", Severity: Warning, Effect: DropRef,
		Title: "an agent refers to a tag that no signal carries",
		Why:   "A tag selects the signals that carry it. An explanation under signal_tags alone does not make a tag match.",
		Hint:  "add the tag to the signals that are meant, or correct it",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InAgent,
		Bad: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Auto signals",
  "authorization_type": "signal_tags",
  "signal_tags": ["auto", "pets"]
}`,
		Good: `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Auto signals",
  "authorization_type": "signal_tags",
  "signal_tags": ["auto"]
}`,
	}, check: func(r reporter, a *Agent) {
		if r.scope().catalogs > 0 {
			return
		}
		for _, v := range a.selected(atAgentSignalTags).Elems() {
			if tag := v.Str(); isSignalTag(tag) && r.index.signalTag[tag] == 0 {
				r.say(v, "no usable signal carries the tag %s", quote(tag))
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.signals_catalog_form", Severity: Info,
		Title: "signals of an outside catalog cannot be checked",
		Why: "The file refers to a signal catalog instead of defining its signals, so it cannot be said here whether the " +
			"catalog has these ids or tags.",
		Hint: "nothing to do if the catalog has them",
		Spec: "AdCP adagents.json Tech Spec, authorized_agents",
		In:   InFile,
		Bad: goodFile + `  "signals": [{
    "catalog_url": "https://data.example/signals.json",
    "relationship": "direct",
    "description": "Car buyers"
  }],
  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "Auto intenders",
    "authorization_type": "signal_ids",
    "signal_ids": ["auto_intender"],` + exampleKeys,
		Good: goodFile + `  "signals": [{
    "id": "auto_intender",
    "name": "Auto intender",
    "value_type": "binary"
  }],
  "authorized_agents": [{
    "url": "https://agent.example/mcp",
    "authorized_for": "Auto intenders",
    "authorization_type": "signal_ids",
    "signal_ids": ["auto_intender"],` + exampleKeys,
	}, check: func(r reporter, a *Agent) {
		s := a.companion()
		if s == nil || !s.signal || r.scope().catalogs == 0 {
			return
		}
		list := a.member(s.at)
		for _, v := range list.Elems() {
			if text := v.Str(); !blank(text) && !r.resolves(s, text) {
				r.say(list, "the file refers to a signal catalog, so %s in %s cannot be checked here", quote(text), s.name)
				return
			}
		}
	}},
}

const signalSeller = `{
  "url": "https://seller.example/mcp",
  "authorized_for": "Auto intenders",
  "authorization_type": "signal_ids",
`
