package web

import (
	"net/url"
	"slices"
	"strings"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/websource"
	"github.com/avow-project/avow/resolve"
)

// verdict is the first thing the page says.
type verdict struct {
	// Class chooses the colour: good, bad, none or unknown; Mark says the same without.
	Class, Mark string
	Words       string
	// Detail says what that means, and Next what to do.
	Detail, Next string
	// Make is where a file can be made; empty when there is one.
	Make string
	// Draft is where the builder makes one of the domain's ads.txt; empty without that.
	Draft string
}

// headlineStyles are the colours and marks of headlines.
var headlineStyles = map[headline.State][2]string{
	headline.Sells: {"good", "✓"}, headline.Partly: {"unknown", "!"}, headline.Nothing: {"bad", "✗"},
	headline.NoAgents: {"none", "–"},
	headline.NoFile:   {"none", "–"}, headline.Unusable: {"bad", "✗"}, headline.Unknown: {"unknown", "?"},
	headline.Withheld: {"unknown", "?"},
}

// verdictFrom shows a headline.
func verdictFrom(h *headline.Headline) verdict {
	style := headlineStyles[h.State]
	if h.Held && style[0] == "good" {
		style = headlineStyles[headline.Partly]
	}
	out := verdict{Class: style[0], Mark: style[1], Words: capital(safe(h.Text))}
	if h.Detail != "" {
		out.Detail = sentence(safe(h.Detail))
	}
	return out
}

// documentFound is what a check has found, as questions would be answered from it.
func documentFound(v *registry.Validation) *resolve.Document {
	if v.Discovery == nil {
		return documentAtHand(v)
	}
	found := *v.Discovery
	found.Findings = slices.Clone(found.Findings)
	for i := range found.Findings {
		found.Findings[i] = found.Findings[i].Public()
	}
	return websource.DocumentOf(v.Domain, &found)
}

// documentAtHand is a document that was sent.
func documentAtHand(v *registry.Validation) *resolve.Document {
	doc := &resolve.Document{Publisher: v.Domain, State: resolve.Unusable, FetchedAt: v.CheckedAt}
	switch x := v.Report; {
	case x.Unusable != nil:
		doc.Detail = x.Unusable.Findings[0].Message
	case x.File != nil:
		shown := redact.Report(v.Body, x)
		doc.State, doc.File, doc.Skipped = resolve.Usable, x.File, shown.Skipped
	}
	return doc
}

// verdictOf judges a check.
func verdictOf(v *registry.Validation, h *headline.Headline) verdict {
	if v.Discovery == nil && v.Report.Pointer != nil && v.Report.Valid() {
		return verdict{
			Class: "good", Mark: "✓", Words: "Valid pointer",
			Detail: "This document points to " + safe(redact.URL(v.Report.Pointer.AuthoritativeLocation)) +
				". The file there has to be checked, too.",
		}
	}
	out := verdictFrom(h)
	switch {
	case h.State == headline.NoFile && v.Discovery != nil:
		out.Make = "/build?" + url.Values{"domain": {v.Domain}}.Encode()
		if adsTxtOf(v.Discovery) != nil {
			out.Draft = builderURL(v.Domain)
		}
		out.Next = "To declare who may sell your inventory, publish a file at " + safe(v.Discovery.URL) + "."
	case h.State == headline.Unknown:
		out.Detail = strings.TrimSpace(out.Detail + " That is not the same as having no file.")
		out.Next = "See below what was asked and what came back, and check again later."
	}
	return out
}

// adsTxtOf is the ads.txt of a publisher; nil when there is none, or an empty one.
func adsTxtOf(d *discover.Discovery) []byte {
	for i := range d.Trail {
		h := &d.Trail[i]
		if h.AdsTxt != nil && len(h.Result.Body) > 0 {
			return h.Result.Body
		}
	}
	return nil
}
