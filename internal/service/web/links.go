package web

import (
	"net/url"
	"strings"

	"github.com/avow-project/avow/discover"
)

// moderatePath is the address of the page for moderators, and the beginning of those of its decisions.
const moderatePath = "/moderate"

// dayParam is the parameter for a day, which only forms have.
const dayParam = "on"

// tooSoon is the parameter of a report that was requested again too soon.
const tooSoon = "soon"

// The tabs, in their order.
const findingsTab, sellTab, askTab, historyTab, evidenceTab = "findings", "sell", "ask", "history", "evidence"

// checkURL is the address of the page about a publisher.
func checkURL(domain string, agents, soon bool) string {
	q := url.Values{}
	if agents {
		q.Set("agents", "1")
	}
	if soon {
		q.Set(tooSoon, "1")
	}
	return publisherAddress(domain, q)
}

// publisherLink leads to the page about a publisher, if a file names one.
func publisherLink(written string) string {
	domain, err := discover.CanonicalDomain(written)
	if err != nil {
		return ""
	}
	return checkURL(domain, false, false)
}

// tabURL is the address of a tab of the page about a publisher.
func tabURL(domain, tab string) string {
	q := url.Values{}
	if tab != findingsTab {
		q.Set("tab", tab)
	}
	return publisherAddress(domain, q)
}

// servedURL is the address of the page about a publisher with the text of its file as it was served, or
// laid out.
func servedURL(domain string, served bool) string {
	q := url.Values{}
	if served {
		q.Set("text", "served")
	}
	return publisherAddress(domain, q) + "#raw"
}

func publisherAddress(domain string, q url.Values) string {
	u := url.URL{Path: "/check/" + domain, RawPath: "/check/" + url.PathEscape(domain), RawQuery: q.Encode()}
	return u.String()
}

// agentURL is the address of the page about an agent.
func agentURL(agent string) string { return "/agent/" + url.PathEscape(agent) }

// propertyURL is where it is asked who may sell a property.
func propertyURL(publisher, id string) string {
	if publisher == "" || id == "" {
		return ""
	}
	return askURL([][2]string{{"publisher", publisher}, {"property", id}})
}

// askURL is the address of a question on a page, and apiURL the address of the JSON answer.
func askURL(pairs [][2]string) string { return "/ask" + queryOf(pairs) }

func queryOf(pairs [][2]string) string {
	var b strings.Builder
	for i, p := range pairs {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(url.QueryEscape(p[0]) + "=" + url.QueryEscape(p[1]))
	}
	return b.String()
}

func apiURL(pairs [][2]string) string { return "/api/authorize" + queryOf(pairs) }

// builderURL is where the builder begins with what a domain publishes.
func builderURL(domain string) string {
	return "/build?" + url.Values{"domain": {domain}, "from": {"published"}}.Encode()
}

// ruleURL is the address of the page about a code.
func ruleURL(code string) string { return "/rules/" + url.PathEscape(code) }
