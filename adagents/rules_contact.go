package adagents

import (
	"strings"

	"github.com/avow-project/avow/internal/hostname"
	"github.com/avow-project/avow/internal/model"
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
			Spec:  "mission 2.2",
			In:    InContact,
			Bad:   `{"email": "adops@example.com"}`,
			Good:  `{"name": "Example News", "email": "adops@example.com"}`,
		},
		check: func(c *run, x *Contact) {
			if strings.TrimSpace(x.Name) == "" {
				c.sayOf(x.Raw, x.member(atContactName), "name", "the contact has no name")
			}
		},
	},
	{
		Rule: Rule{
			Code: "contact.email_invalid", Severity: Warning, Strict: Error,
			Title: "the contact's email is not an address",
			Why:   "Buyers write to this address when something in the file is unclear.",
			Hint:  "write one plain address, for example adops@example.com",
			Spec:  "mission 2.2",
			In:    InContact,
			Bad:   `{"name": "Example News", "email": "adops at example.com"}`,
			Good:  `{"name": "Example News", "email": "adops@example.com"}`,
		},
		check: func(c *run, x *Contact) {
			if v := x.member(atContactEmail); v.Is(String) && !isEmail(x.Email) {
				c.say(v, "%s is not an email address", quote(x.Email))
			}
		},
	},
}

var _ = hostname.IsCanonical
var _ = model.Contact
