package adagents

import (
	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
)

// formatScopeRules are about the properties an entry of formats is for.
var formatScopeRules = []rule[*FormatDeclaration]{
	{
		Rule: Rule{
			Code: "format.applies_to_property_undefined", Severity: Warning, Effect: DropRef,
			Title: "a format is for a property that does not exist",
			Why:   "Ids are looked up in this file's properties. One that is not there limits the format to nothing.",
			Hint:  "use the property_id of a property in this file",
			Spec:  "AdCP canonical formats",
			In:    InFormat,
			Bad:   `{"format_option_id": "mpu", "format_kind": "image", "applies_to_property_ids": ["sight"], "params": {}}`,
			Good:  `{"format_option_id": "mpu", "format_kind": "image", "applies_to_property_ids": ["site"], "params": {}}`,
		},
		check: func(r reporter, x *FormatDeclaration) {
			list := x.member(atFormatDeclarationAppliesToPropertyIDs)
			scopeEmpty(r, "applies_to_property_ids", list)
			for _, v := range list.Elems() {
				if _, ok := r.index.properties.get(v.Str()); !ok && v.Is(String) {
					r.say(v, "no property of this file has the id %s", quote(v.Str())).withHint("%s", r.didYouMean(propertyIDs, v.Str()))
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "format.applies_to_tag_unmatched", Severity: Warning, Effect: DropRef,
			Title: "a format is for a tag that no property has",
			Why:   "The tag selects among this file's properties. When none carries it the format is for nothing.",
			Hint:  "use a tag that a property of this file carries",
			Spec:  "AdCP canonical formats",
			In:    InFormat,
			Bad:   `{"format_option_id": "mpu", "format_kind": "image", "applies_to_property_tags": ["sport"], "params": {}}`,
			Good:  `{"format_option_id": "mpu", "format_kind": "image", "applies_to_property_tags": ["news"], "params": {}}`,
		},
		check: func(r reporter, x *FormatDeclaration) {
			list := x.member(atFormatDeclarationAppliesToPropertyTags)
			scopeEmpty(r, "applies_to_property_tags", list)
			for _, v := range list.Elems() {
				if v.Is(String) && r.index.propertyTag[v.Str()] == 0 {
					r.say(v, "no usable property of this file carries the tag %s", quote(v.Str()))
				}
			}
		},
	},
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
	{
		Rule: Rule{
			Code: "renderer.invalid", Severity: Error, Effect: DropRef,
			Title: "reference_renderer does not pin a package",
			Why:   "A renderer is code from elsewhere. It is only usable when package, exact version, hash and origin are all stated.",
			Hint:  "state all seven members, and format_revision beside it",
			Spec:  "AdCP canonical formats",
			In:    InTopLevel,
			Bad: `{"catalog_role": "community_format_registry",
 "formats": [{"format_option_id": "mpu", "format_kind": "image", "params": {}, "format_revision": "1.0.0",
   "reference_renderer": {
     "runtime": "browser-esm", "package": "@example/mpu", "version": "^1.4.0", "export": "render", "format_revision": "1.0.0",
     "integrity": "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
     "provenance": {"source_repository": "https://github.com/example/mpu", "workflow_path": ".github/workflows/release.yml"}}}]}`,
			Good: exampleRendererFile,
		},
		check: checkRenderer,
	},
	{
		Rule: Rule{
			Code: "renderer.requires_registry", Severity: Error, Effect: DropRef,
			Title: "a renderer outside a community format registry",
			Why:   "Only a file that calls itself a community format registry and has a catalog_etag may offer renderers.",
			Hint:  "add catalog_etag and catalog_role community_format_registry, or remove the renderer",
			Spec:  "AdCP canonical formats",
			In:    InTopLevel,
			Bad: `{"formats": [{"format_option_id": "mpu", "format_kind": "image", "params": {}, "format_revision": "1.0.0",
   ` + exampleRenderer + `}]}`,
			Good: exampleRendererFile,
		},
		check: checkRendererRegistry,
	},
	{
		Rule: Rule{
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
		},
		check: func(r reporter, x *FormatDeclaration) {
			renderer := x.ReferenceRenderer
			if renderer == nil || conform.FormFault(x.Revision, model.SemVer) != "" || conform.FormFault(renderer.FormatRevision, model.SemVer) != "" {
				return
			}
			if x.Revision != renderer.FormatRevision {
				r.say(renderer.member(atReferenceRendererFormatRevision), "the renderer is for revision %s, the format is %s", renderer.FormatRevision, x.Revision)
			}
		},
	},
	{
		Rule: Rule{
			Code: "renderer.untrusted_origin", Severity: Warning, Effect: DropRef,
			Title: "a renderer in a file from elsewhere",
			Why:   "Any file can claim to be the registry. Renderers are executed only when the file came from the registry itself.",
			Hint:  "remove reference_renderer; it is never executed from here",
			Spec:  "AdCP canonical formats",
			In:    InTopLevel,
			Bad:   exampleRendererFile,
			Good:  `{"formats": [{"format_option_id": "mpu", "format_kind": "image", "params": {}}]}`,
			given: func(o *Options) { o.URL = "https://example.com/.well-known/adagents.json" },
		},
		check: func(r reporter, x *FormatDeclaration) {
			v := x.member(atFormatDeclarationReferenceRenderer)
			if r.opt.URL == "" || !v.Exists() {
				return
			}
			_, info, err := hostname.CanonicalURL(r.opt.URL)
			if err != nil || info.Host != registryHost || info.Scheme != "https" {
				r.say(v, "the renderer comes from a file that is not the registry of %s", registryHost)
			}
		},
	},
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
