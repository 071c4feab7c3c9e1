package adagents

import (
	"unicode/utf8"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/std/hostname"
)

// contactRules look at the managing entity. A contact never decides who may
// sell, so none of them has an effect on consumers.
var contactRules = []rule[*Contact]{
	{
		Rule: Rule{
			Code: "contact.name_missing", Severity: Error,
			Title: "a contact needs a name",
			Why:   "The contact tells buyers who manages the file; without a name it tells them nothing.",
			Hint:  "name the publisher or the company that manages the file",
			Spec:  "AdCP adagents.json Tech Spec, contact",
			In:    InContact,
			Bad:   `{"email": "adops@example.com"}`,
			Good:  `{"name": "Example News", "email": "adops@example.com"}`,
			fix:   contactName,
		},
		check: func(r reporter, x *Contact) {
			v := x.member(atContactName)
			if blank(x.Name) && (v.Is(String) || !v.Exists()) {
				r.sayOf(x.Raw, v, "name", "the contact has no name")
			}
		},
	},
	{
		Rule: Rule{
			Code: "contact.name_length", Severity: Error,
			Title: "the contact's name is too long",
			Why:   "A name has at most 255 characters; longer ones do not fit where buyers store them.",
			Hint:  "shorten the name",
			Spec:  "AdCP adagents.json schema, contact",
			In:    InContact,
			Bad: `{"name": "Example News and Weather and Sports and Culture and Business and Science and Travel and Food and Style and ` +
				`Health and Opinion and Podcasts and Video and Games and Crosswords and Recipes and Obituaries and Classifieds and Archives ` +
				`of the Greater Example Metropolitan Area"}`,
			Good: `{"name": "Example News"}`,
		},
		check: func(r reporter, x *Contact) { atMost(r, x.member(atContactName), "name", 255) },
	},
	{
		Rule: Rule{
			Code: "contact.email_invalid", Severity: Warning, Strict: Error,
			Title: "the contact's email is not an address",
			Why:   "Buyers write to this address when something in the file is unclear.",
			Hint:  "write one plain address, for example adops@example.com",
			Spec:  "AdCP adagents.json Tech Spec, contact",
			In:    InContact,
			Bad:   `{"name": "Example News", "email": "adops at example.com"}`,
			Good:  `{"name": "Example News", "email": "adops@example.com"}`,
			fix:   oneOf(Safe, rewriteText(Safe, func(_ fixing, text string) (string, bool) { return emailOf(text) }), removeBlank()),
		},
		check: func(r reporter, x *Contact) {
			if v := x.member(atContactEmail); v.Is(String) && (!conform.IsEmail(x.Email) || utf8.RuneCountInString(x.Email) > 255) {
				r.say(v, "%s is not an email address", quote(x.Email))
			}
		},
	},
	{
		Rule: Rule{
			Code: "contact.domain_invalid", Severity: Warning, Strict: Error,
			Title: "the contact's domain is not a domain name",
			Why:   "The domain identifies the managing entity and is compared with other files.",
			Hint:  "write the bare domain in lower case, for example example.com",
			Spec:  "AdCP adagents.json schema, contact",
			In:    InContact,
			Bad:   `{"name": "Example News", "domain": "https://Example.com/"}`,
			Good:  `{"name": "Example News", "domain": "example.com"}`,
			fix:   plainDomain(Safe),
		},
		check: func(r reporter, x *Contact) {
			v := x.member(atContactDomain)
			if !v.Is(String) || hostname.IsCanonical(x.Domain) {
				return
			}
			f := r.say(v, "%s is not a domain name", quote(x.Domain))
			name, _, err := hostname.Canonical(x.Domain)
			if err == nil {
				f.withHint("write %q", name)
			}
		},
	},
	{
		Rule: Rule{
			Code: "contact.seller_id_length", Severity: Error,
			Title: "the contact's seller_id has a wrong length",
			Why:   "The identifier from the seller list has 1 to 255 characters.",
			Hint:  "write the identifier, or remove the member",
			Spec:  "AdCP adagents.json schema, contact",
			In:    InContact,
			Bad:   `{"name": "Example News", "seller_id": ""}`,
			Good:  `{"name": "Example News", "seller_id": "pub-1234"}`,
			fix:   removeBlank(),
		},
		check: func(r reporter, x *Contact) { between(r, x.member(atContactSellerID), "seller_id", 255) },
	},
	{
		Rule: Rule{
			Code: "contact.tag_id_length", Severity: Error,
			Title: "the contact's tag_id has a wrong length",
			Why:   "The identifier of the fraud-certification program has 1 to 100 characters.",
			Hint:  "write the identifier, or remove the member",
			Spec:  "AdCP adagents.json schema, contact",
			In:    InContact,
			Bad:   `{"name": "Example News", "tag_id": ""}`,
			Good:  `{"name": "Example News", "tag_id": "67890"}`,
			fix:   removeBlank(),
		},
		check: func(r reporter, x *Contact) { between(r, x.member(atContactTagID), "tag_id", 100) },
	},
	{
		Rule: Rule{
			Code: "contact.privacy_policy_url_invalid", Severity: Warning, Strict: Error,
			Title: "privacy_policy_url is not a URL",
			Why:   "Consent flows show this link to consumers.",
			Hint:  "write the whole URL, for example https://example.com/privacy",
			Spec:  "AdCP adagents.json Tech Spec, contact",
			In:    InContact,
			Bad:   `{"name": "Example News", "privacy_policy_url": "example.com/privacy"}`,
			Good:  `{"name": "Example News", "privacy_policy_url": "https://example.com/privacy"}`,
			fix:   secureURL(Safe),
		},
		check: func(r reporter, x *Contact) {
			v := x.member(atContactPrivacyPolicyURL)
			if fault := conform.URLFault(x.PrivacyPolicyURL, false); v.Is(String) && fault != "" {
				r.say(v, "privacy_policy_url %s", fault)
			}
		},
	},
	{
		Rule: Rule{
			Code: "contact.privacy_policy_not_https", Severity: Warning,
			Title: "privacy_policy_url is not https",
			Why:   "Consumers should not read a privacy policy over a connection that can be altered.",
			Hint:  "link to the https page",
			Spec:  "avow docs/rules.md",
			In:    InContact,
			Bad:   `{"name": "Example News", "privacy_policy_url": "http://example.com/privacy"}`,
			Good:  `{"name": "Example News", "privacy_policy_url": "https://example.com/privacy"}`,
			fix:   secureURL(Safe),
		},
		check: func(r reporter, x *Contact) {
			_, info, err := hostname.CanonicalURL(x.PrivacyPolicyURL)
			if err == nil && info.Scheme != "https" {
				r.say(x.member(atContactPrivacyPolicyURL), "privacy_policy_url %s is not an https URL", quote(x.PrivacyPolicyURL))
			}
		},
	},
}

// atMost reports a string of more than limit code points.
func atMost(r reporter, v Value, name string, limit int) {
	if !v.Is(String) {
		return
	}
	if n := utf8.RuneCountInString(v.Str()); n > limit {
		r.say(v, "%s has %d characters, at most %d are allowed", name, n, limit)
	}
}

// between reports a string that is empty or has more than limit code points.
func between(r reporter, v Value, name string, limit int) {
	if v.Is(String) && v.Str() == "" {
		r.say(v, "%s is empty", name)
		return
	}
	atMost(r, v, name, limit)
}
