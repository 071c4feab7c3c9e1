package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/formatkind"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
)

// declarationRules hold for every format declaration, in formats and in placements.
var declarationRules = [][]rule[*formatkind.View]{
	formatKindRules, formatCustomRules, formatDetailRules,
	formatParamRules, formatSizeRules, formatMediaRules, formatSlotRules,
	formatStateRules, formatGraphRules, formatCanvasRules, formatComponentRules,
}

// formatEntryRules are about the identity of an entry.
var formatEntryRules = []rule[*FormatDeclaration]{
	{Rule: Rule{
		Code: "format.not_object", Severity: Error, Effect: SkipEntry,
		Title: "a format is not an object",
		Why:   "A format declaration is an object with a kind and its params; nothing else can be read as one.",
		Hint:  "write a declaration such as {\"format_kind\": \"image\", \"params\": {}}",
		Spec:  "AdCP adagents.json Tech Spec, formats",
		In:    InFormat,
		Bad:   `"image"`,
		Good:  `{"format_option_id": "mpu", "format_kind": "image", "params": {}}`,
		fix:   objectFromText(kindFromText),
	}, shapes: shapes{{notObject, 0, "a format must be an object, not %s"}}},
	{Rule: Rule{
		Code: "format.option_id_missing", Severity: Warning,
		Title: "a format has no format_option_id",
		Why:   "Placements and buyers name a format by this id. Without one the declaration cannot be used by anybody.",
		Hint:  "add a format_option_id that is unique in the file",
		Spec:  "AdCP adagents.json Tech Spec, formats",
		In:    InFormat,
		Bad:   `{"format_kind": "image", "params": {"width": 300, "height": 250}}`,
		Good:  `{"format_option_id": "mpu", "format_kind": "image", "params": {"width": 300, "height": 250}}`,
	}, check: func(r reporter, x *FormatDeclaration) {
		id := x.member(atFormatDeclarationOptionID)
		if x.Raw.Is(Object) && lacksID(id) && !x.member(atFormatDeclarationPublisherDomain).Exists() {
			r.sayOf(x.Raw, id, "format_option_id", "the format has no format_option_id, so no placement can refer to it")
		}
	}},
	{Rule: Rule{
		Code: "format.option_id_duplicate", Severity: Error, Effect: SkipEntry,
		Title: "two formats have the same format_option_id",
		Why: "A reference finds the first declaration with an id. A second one with other content is never seen, or " +
			"seen instead by another reader.",
		Hint:   "give one of them another id, or remove it",
		Spec:   "avow docs/rules.md",
		Varies: "a warning when both declarations say the same",
		In:     InFormat,
		Bad: `{"format_option_id": "mpu", "format_kind": "image", "params": {"width": 300, "height": 250}},
{"format_option_id": "mpu", "format_kind": "image", "params": {"width": 336, "height": 280}}`,
		Good: `{"format_option_id": "mpu", "format_kind": "image", "params": {"width": 300, "height": 250}},
{"format_option_id": "large", "format_kind": "image", "params": {"width": 336, "height": 280}}`,
		fix: anotherID(),
	}, check: checkFormatDuplicate},
	{Rule: Rule{
		Code: "format.publisher_domain_without_id", Severity: Error,
		Title: "publisher_domain without format_option_id",
		Why:   "The two together name a format across publishers; a domain alone names nothing.",
		Hint:  "add format_option_id or remove publisher_domain",
		Spec:  "AdCP canonical formats",
		In:    InFormat,
		Bad:   `{"publisher_domain": "example.com", "format_kind": "image", "params": {}}`,
		Good:  `{"publisher_domain": "example.com", "format_option_id": "mpu", "format_kind": "image", "params": {}}`,
		fix:   publisherOrID,
	}, check: func(r reporter, x *FormatDeclaration) {
		id := x.member(atFormatDeclarationOptionID)
		if lacksID(id) && x.member(atFormatDeclarationPublisherDomain).Exists() {
			r.sayOf(x.Raw, id, "format_option_id", "publisher_domain needs a format_option_id beside it")
		}
	}},
	{Rule: Rule{
		Code: "format.publisher_domain_foreign", Severity: Warning,
		Title: "a format claims another publisher",
		Why: "A publisher declares its own formats. One that names another domain may be a copy, or an attempt to speak " +
			"for another publisher.",
		Hint:   "write the domain the file is served for, or leave publisher_domain out",
		Spec:   "avow docs/rules.md",
		Varies: "another publisher is only noticed when the domain of the file is known",
		In:     InFormat,
		Bad:    `{"publisher_domain": "example.org", "format_option_id": "mpu", "format_kind": "image", "params": {}}`,
		Good:   `{"publisher_domain": "example.com", "format_option_id": "mpu", "format_kind": "image", "params": {}}`,
		given:  func(o *Options) { o.Domain = "example.com" },
	}, check: checkFormatPublisher},
	{Rule: Rule{
		Code: "format.capability_id", Severity: Error,
		Title: "a format uses capability_id",
		Why:   "That member belongs to another part of the protocol. Readers look for format_option_id and find no id.",
		Hint:  "rename it to format_option_id, or remove it",
		Spec:  "AdCP canonical formats",
		In:    InFormat,
		Bad:   `{"format_option_id": "mpu", "capability_id": "mpu", "format_kind": "image", "params": {}}`,
		Good:  `{"format_option_id": "mpu", "format_kind": "image", "params": {}}`,
		fix:   remedy{Safe, optionID.make},
	}, check: func(r reporter, x *FormatDeclaration) {
		if v := x.Raw.Get("capability_id"); v.Exists() {
			r.say(v, "capability_id is not allowed in a format declaration")
		}
	}},
}

// checkFormatDuplicate compares a second declaration with the first of the
// same id. The first one's text is kept, so that many duplicates of a long
// declaration do not write it out again and again.
func checkFormatDuplicate(r reporter, x *FormatDeclaration) {
	i, ok := r.index.formats[x.OptionID]
	if !ok || &r.file.Formats[i] == x || !x.Raw.Is(Object) {
		return
	}
	texts := &r.index.format.texts
	if *texts == nil {
		*texts = make(map[string]string)
	}
	text, ok := (*texts)[x.OptionID]
	if !ok {
		text = conform.CanonicalText(r.file.Formats[i].Raw)
		(*texts)[x.OptionID] = text
	}
	at := x.member(atFormatDeclarationOptionID)
	if text == conform.CanonicalText(x.Raw) {
		r.sayAs(Warning, at, "%s was declared before with the same content", quote(x.OptionID)).withHint("remove the copy")
		return
	}
	r.say(at, "%s was declared before with other content; the first declaration is used", quote(x.OptionID))
}

// checkFormatPublisher leaves files alone that serve several publishers.
func checkFormatPublisher(r reporter, x *FormatDeclaration) {
	v := x.member(atFormatDeclarationPublisherDomain)
	switch {
	case !v.Is(String):
	case !hostname.IsCanonical(x.PublisherDomain):
		r.say(v, "%s is not a lower-case domain name", quote(x.PublisherDomain)).withHint("%s", domainHint(x.PublisherDomain))
	case r.opt.Domain == "" || r.opt.Role == Authoritative || r.opt.Role == Manager:
	case x.PublisherDomain != r.opt.Domain:
		r.say(v, "the format belongs to %s, the file to %s", quote(x.PublisherDomain), quote(r.opt.Domain))
	}
}

// domainHint proposes the canonical form of a domain name.
func domainHint(s string) string {
	domain, _, err := hostname.Canonical(s)
	if err != nil {
		return ""
	}
	return "write " + quote(domain)
}

// formatKindRules are about the two members every declaration needs.
var formatKindRules = []rule[*formatkind.View]{
	{Rule: Rule{
		Code: "format.kind_missing", Severity: Error, Effect: SkipEntry,
		Title: "a format has no format_kind",
		Why:   "The kind says what sort of creative is meant and how params are read.",
		Hint:  "add format_kind, for example image, html5 or video_hosted",
		Spec:  "AdCP adagents.json Tech Spec, formats",
		In:    InFormat,
		Bad:   `{"format_option_id": "mpu", "params": {"width": 300, "height": 250}}`,
		Good:  `{"format_option_id": "mpu", "format_kind": "image", "params": {"width": 300, "height": 250}}`,
		fix:   kindFromParams,
	}, check: func(r reporter, x *formatkind.View) {
		v := x.Raw.Get("format_kind")
		if blank(x.Kind) {
			r.sayOf(x.Raw, v, "format_kind", "the format has no format_kind")
		}
	}},
	{Rule: Rule{
		Code: "format.kind_unknown", Severity: Warning, Strict: Error, Effect: SkipEntry,
		Title: "format_kind is not a known kind",
		Why: "A reader cannot tell what creative is meant, and leaves the format out. A newer protocol version may know " +
			"the kind.",
		Hint: "use one of the canonical kinds, or custom with a schema",
		Spec: "AdCP canonical formats",
		In:   InFormat,
		Bad:  `{"format_option_id": "mpu", "format_kind": "imgae", "params": {"width": 300, "height": 250}}`,
		Good: `{"format_option_id": "mpu", "format_kind": "image", "params": {"width": 300, "height": 250}}`,
		fix:  nearestWord(nil, model.FormatKinds),
	}, check: func(r reporter, x *formatkind.View) {
		if !blank(x.Kind) && !slices.Contains(model.FormatKinds, x.Kind) {
			r.say(x.Raw.Get("format_kind"), "%s is not a known format kind", quote(x.Kind)).withHint("%s",
				suggest(x.Kind, model.FormatKinds))
		}
	}},
	{Rule: Rule{
		Code: "format.params_missing", Severity: Error, Effect: SkipEntry,
		Title: "a format has no params",
		Why:   "The params carry the limits of the format. An empty object says there are none; a missing one says nothing.",
		Hint:  "add params, {} when there is nothing to limit",
		Spec:  "AdCP adagents.json Tech Spec, formats",
		In:    InFormat,
		Bad:   `{"format_option_id": "mpu", "format_kind": "image"}`,
		Good:  `{"format_option_id": "mpu", "format_kind": "image", "params": {"width": 300, "height": 250}}`,
		fix:   emptyParams,
	}, check: func(r reporter, x *formatkind.View) {
		if !x.Raw.Has("params") {
			r.missing(x.Raw, "params", "the format has no params")
		}
	}},
	{Rule: Rule{
		Code: "format.params_type", Severity: Error, Effect: SkipEntry,
		Title: "params is not an object",
		Why:   "The params are named limits; any other value cannot be read as such.",
		Hint:  "write an object such as {\"width\": 300, \"height\": 250}",
		Spec:  "AdCP adagents.json Tech Spec, formats",
		In:    InParams,
		Bad:   `"300x250"`,
		Good:  `{"width": 300, "height": 250}`,
		fix:   paramsFromText,
	}, check: func(r reporter, x *formatkind.View) {
		if v := x.Raw.Get("params"); v.Exists() && !v.Is(Object) {
			r.say(v, "params must be an object, not %s", v.Kind())
		}
	}},
}

// formatScopeRules are about the properties an entry of formats is for.
var formatScopeRules = []rule[*FormatDeclaration]{
	{Rule: Rule{
		Code: "format.applies_to_property_undefined", Severity: Warning, Effect: DropRef,
		Title: "a format is for a property that does not exist",
		Why:   "Ids are looked up in this file's properties. One that is not there limits the format to nothing.",
		Hint:  "use the property_id of a property in this file",
		Spec:  "AdCP canonical formats",
		In:    InFormat,
		Bad:   `{"format_option_id": "mpu", "format_kind": "image", "applies_to_property_ids": ["sight"], "params": {}}`,
		Good:  `{"format_option_id": "mpu", "format_kind": "image", "applies_to_property_ids": ["site"], "params": {}}`,
	}, check: func(r reporter, x *FormatDeclaration) {
		list := x.member(atFormatDeclarationAppliesToPropertyIDs)
		scopeEmpty(r, "applies_to_property_ids", list)
		for _, v := range list.Elems() {
			if _, ok := r.index.properties.get(v.Str()); !ok && v.Is(String) {
				r.say(v, "no property of this file has the id %s", quote(v.Str())).withHint("%s",
					r.didYouMean(propertyIDs, v.Str()))
			}
		}
	}},
	{Rule: Rule{
		Code: "format.applies_to_tag_unmatched", Severity: Warning, Effect: DropRef,
		Title: "a format is for a tag that no property has",
		Why:   "The tag selects among this file's properties. When none carries it the format is for nothing.",
		Hint:  "use a tag that a property of this file carries",
		Spec:  "AdCP canonical formats",
		In:    InFormat,
		Bad:   `{"format_option_id": "mpu", "format_kind": "image", "applies_to_property_tags": ["sport"], "params": {}}`,
		Good:  `{"format_option_id": "mpu", "format_kind": "image", "applies_to_property_tags": ["news"], "params": {}}`,
	}, check: func(r reporter, x *FormatDeclaration) {
		list := x.member(atFormatDeclarationAppliesToPropertyTags)
		scopeEmpty(r, "applies_to_property_tags", list)
		for _, v := range list.Elems() {
			if v.Is(String) && r.index.propertyTag[v.Str()] == 0 {
				r.say(v, "no usable property of this file carries the tag %s", quote(v.Str()))
			}
		}
	}},
}

// scopeEmpty reports the rule for a scope without entries.
func scopeEmpty(r reporter, name string, list Value) {
	if list.Is(Array) && list.Len() == 0 {
		r.say(list, "%s is empty, so it selects nothing", name).withHint("remove the member to allow every property")
	}
}

// registryHost is the only host whose reference renderers are ever executed.
const registryHost = "adcontextprotocol.org"

const exampleRenderer = `"reference_renderer": {
     "runtime": "browser-esm", "package": "@example/mpu", "version": "1.4.0", "export": "render", "format_revision": "1.0.0",
     "integrity": "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
     "provenance": {"source_repository": "https://github.com/example/mpu", "workflow_path": ".github/workflows/release.yml"}}`

const exampleRendererFile = `{"catalog_role": "community_format_registry",
 "formats": [{"format_option_id": "mpu", "format_kind": "image", "params": {}, "format_revision": "1.0.0",
   ` + exampleRenderer + `}]}`

// rendererRules are about code that a community registry offers for a format.
var rendererRules = []rule[*FormatDeclaration]{
	{Rule: Rule{
		Code: "renderer.invalid", Severity: Error, Effect: DropRef,
		Title: "reference_renderer does not pin a package",
		Why: "A renderer is code from elsewhere. It is only usable when package, exact version, hash and origin are all " +
			"stated.",
		Hint: "state all seven members, and format_revision beside it",
		Spec: "AdCP canonical formats",
		In:   InTopLevel,
		Bad: `{"catalog_role": "community_format_registry",
 "formats": [{"format_option_id": "mpu", "format_kind": "image", "params": {}, "format_revision": "1.0.0",
   "reference_renderer": {
     "runtime": "browser-esm", "package": "@example/mpu", "version": "^1.4.0", "export": "render", "format_revision": "1.0.0",
     "integrity": "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
     "provenance": {"source_repository": "https://github.com/example/mpu", "workflow_path": ".github/workflows/release.yml"}}}]}`,
		Good: exampleRendererFile,
		fix:  toForm(Likely),
	}, check: checkRenderer},
	{Rule: Rule{
		Code: "renderer.requires_registry", Severity: Error, Effect: DropRef,
		Title: "a renderer outside a community format registry",
		Why:   "Only a file that calls itself a community format registry and has a catalog_etag may offer renderers.",
		Hint:  "add catalog_etag and catalog_role community_format_registry, or remove the renderer",
		Spec:  "AdCP canonical formats",
		In:    InTopLevel,
		Bad: `{"formats": [{"format_option_id": "mpu", "format_kind": "image", "params": {}, "format_revision": "1.0.0",
   ` + exampleRenderer + `}]}`,
		Good: exampleRendererFile,
		fix:  registryOrNot,
	}, check: checkRendererRegistry},
	{Rule: Rule{
		Code: "renderer.revision_mismatch", Severity: Error, Effect: DropRef,
		Title: "the renderer is for another revision",
		Why:   "A renderer for one revision of a format may draw another one wrongly.",
		Hint:  "use the same format_revision in both places",
		Spec:  "AdCP canonical formats",
		In:    InTopLevel,
		Bad: `{"catalog_role": "community_format_registry",
 "formats": [{"format_option_id": "mpu", "format_kind": "image", "params": {}, "format_revision": "1.1.0",
   ` + exampleRenderer + `}]}`,
		Good: exampleRendererFile,
		fix:  eitherRevision,
	}, check: func(r reporter, x *FormatDeclaration) {
		renderer := x.ReferenceRenderer
		if renderer == nil || conform.FormFault(x.Revision, model.SemVer) != "" ||
			conform.FormFault(renderer.FormatRevision, model.SemVer) != "" {
			return
		}
		if x.Revision != renderer.FormatRevision {
			r.say(renderer.member(atReferenceRendererFormatRevision), "the renderer is for revision %s, the format is %s",
				renderer.FormatRevision, x.Revision)
		}
	}},
	{Rule: Rule{
		Code: "renderer.untrusted_origin", Severity: Warning, Effect: DropRef,
		Title: "a renderer in a file from elsewhere",
		Why: "Any file can claim to be the registry. Renderers are executed only when the file came from the registry " +
			"itself.",
		Hint:  "remove reference_renderer; it is never executed from here",
		Spec:  "AdCP canonical formats",
		In:    InTopLevel,
		Bad:   exampleRendererFile,
		Good:  `{"formats": [{"format_option_id": "mpu", "format_kind": "image", "params": {}}]}`,
		given: func(o *Options) { o.URL = "https://example.com/.well-known/adagents.json" },
	}, check: func(r reporter, x *FormatDeclaration) {
		v := x.member(atFormatDeclarationReferenceRenderer)
		if r.opt.URL == "" || !v.Exists() {
			return
		}
		_, info, err := hostname.CanonicalURL(r.opt.URL)
		if err != nil || info.Host != registryHost || info.Scheme != "https" {
			r.say(v, "the renderer comes from a file that is not the registry of %s", registryHost)
		}
	}},
}

// checkRenderer asks for the revision beside the renderer as well.
func checkRenderer(r reporter, x *FormatDeclaration) {
	v := x.member(atFormatDeclarationReferenceRenderer)
	if !v.Exists() {
		return
	}
	r.sayConform("reference_renderer", v, &model.FormatDeclaration.Field("reference_renderer").Type)
	revision := x.member(atFormatDeclarationRevision)
	switch {
	case !revision.Exists():
		r.missing(x.Raw, "format_revision", "a format with a reference_renderer needs format_revision")
	case revision.Is(String) && conform.FormFault(x.Revision, model.SemVer) != "":
		r.say(revision, "format_revision %s is not a version such as 1.0.0", quote(x.Revision))
	}
}

// checkRendererRegistry asks once in a file, not once for each renderer.
func checkRendererRegistry(r reporter, x *FormatDeclaration) {
	if !x.member(atFormatDeclarationReferenceRenderer).Exists() || r.index.format.asked {
		return
	}
	r.index.format.asked = true
	for _, name := range []string{"catalog_etag", "catalog_role"} {
		if !r.file.Raw.Has(name) {
			r.missing(r.file.Raw, name, "a file with reference renderers needs %s", name)
		}
	}
}
