package discover

import (
	"fmt"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/adstxt"
)

// accept decides whether a manager's file speaks for the publisher. It does when
// it validates and names the publisher; in doubt it does not. The decision rests
// on a check of its own, so that the profile a caller asked for, which is about
// what its author is told, does not change who speaks for a publisher.
func (w *walk) accept(doc document, m adstxt.Manager) (cause, bool) {
	if doc.pointer != nil {
		fault := firstFault(w.plainReport(doc.pointer, adagents.Manager))
		if fault != nil {
			return invalidManager(m, fault), false
		}
	}
	if doc.unchanged {
		// The caller has the file and judges it; see SpeaksFor.
		return cause{}, true
	}
	role := adagents.Manager
	if doc.pointer != nil {
		role = adagents.Authoritative
	}
	report := w.plainReport(doc.hop, role)
	fault := firstFault(report)
	if fault != nil {
		return invalidManager(m, fault), false
	}
	switch scopeOf(report.File, w.d.Domain) {
	case scopeNamed:
		return cause{}, true
	case scopeRevoked:
		return cause{
			code:    "discovery.manager_revoked",
			message: "the file of " + m.Domain + " lists " + w.d.Domain + " in revoked_publisher_domains",
			hint: "if " + m.Domain + " still represents the publisher, ask it to remove the entry; otherwise remove line " +
				fmt.Sprint(m.Line) + " of ads.txt",
		}, false
	default:
		return unscoped(report.File, w.d.Domain, m), false
	}
}

// plainReport returns the report of a hop as it is without the caller's wishes.
func (w *walk) plainReport(h *Hop, role adagents.Role) *adagents.Report {
	if w.o.Profile == adagents.Default && len(w.o.Scopes) == 0 && w.o.MaxFindings == 0 {
		return h.Report
	}
	return adagents.Check(h.Result.Body, adagents.Options{Now: w.d.At, Domain: w.d.Domain, URL: h.Result.URL, Role: role})
}

func invalidManager(m adstxt.Manager, fault *adagents.Finding) cause {
	return cause{
		code: "discovery.manager_invalid",
		message: fmt.Sprintf("the file of %s is not valid: line %d: %s [%s]",
			m.Domain, fault.Line, shown(fault.Message), fault.Code),
		hint: "ask " + m.Domain + " to fix its file; avow validate " + m.Domain +
			" lists everything that is wrong with it",
	}
}

// firstFault returns the first error of a report that keeps a manager's file from
// being accepted, or nil. A property that does not conform is left out and costs
// the file nothing, so errors inside a property that is left out are ignored.
func firstFault(r *adagents.Report) *adagents.Finding {
	skipped := skippedProperties(r)
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Severity == adagents.Error && !forgiven(f, skipped) {
			return f
		}
	}
	return nil
}

// forgiven reports whether an error lies within a property that is left out. When
// a finding stands for others that are not listed, all of them must be of a kind
// that only concerns such properties.
func forgiven(f *adagents.Finding, skipped map[string]bool) bool {
	if f.More > 0 {
		return f.Effect == adagents.SkipEntry && strings.HasPrefix(f.Code, "property.")
	}
	return skipped[propertyAround(f.Pointer)]
}

// skippedProperties returns the pointers of the properties that are left out.
func skippedProperties(r *adagents.Report) map[string]bool {
	skipped := make(map[string]bool)
	for i := range r.Skipped {
		p := r.Skipped[i].Pointer
		if p != "" && propertyAround(p) == p {
			skipped[p] = true
		}
	}
	return skipped
}

// propertyAround returns the pointer of the property that a pointer leads into,
// or "": /properties/N, or /authorized_agents/N/properties/N.
func propertyAround(pointer string) string {
	parts := strings.SplitN(pointer, "/", 6)
	switch {
	case len(parts) >= 3 && parts[1] == "properties":
		return strings.Join(parts[:3], "/")
	case len(parts) >= 5 && parts[1] == "authorized_agents" && parts[3] == "properties":
		return strings.Join(parts[:5], "/")
	}
	return ""
}

// unscoped is the finding for a manager's file that does not name the publisher.
// It shows the member to add, because "explicit scoping" means nothing to most.
func unscoped(f *adagents.File, publisher string, m adstxt.Manager) cause {
	c := cause{
		code:    "discovery.manager_unscoped",
		message: "no usable agent entry in the file of " + m.Domain + " names " + publisher,
		hint: `ask ` + m.Domain + ` to add {"publisher_domain": "` + publisher +
			`", "selection_type": "all"} to publisher_properties of an agent entry, or "publisher_domain": "` +
			publisher + `" to the properties that an agent entry selects`,
	}
	other, ok := otherForm(publisher)
	if ok && scopeOf(f, other) == scopeNamed {
		c.message += "; one names " + other + ", which is another publisher"
	}
	return c
}
