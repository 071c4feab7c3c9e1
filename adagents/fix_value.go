package adagents

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/iso3166"
	"github.com/avow-project/avow/internal/std/rfc3339"
)

// The remedies of agents' URLs.

// httpsURL returns the https URL that a text was meant to be, if it can be reached.
func httpsURL(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if !strings.Contains(text, "://") {
		text = "https://" + strings.TrimPrefix(text, "//")
	}
	url, info, err := hostname.CanonicalURL(text)
	if err != nil || info.HasUserinfo || unroutable(&info) || info.Scheme != "https" && info.Scheme != "http" {
		return "", false
	}
	return "https" + strings.TrimPrefix(url, info.Scheme), true
}

var fixURL = remedy{Likely, func(x fixing) []Fix {
	text := x.at.Str()
	if x.at.Is(Array) && x.at.Len() == 1 {
		text = x.at.Index(0).Str()
	}
	url, ok := httpsURL(text)
	if !ok {
		return nil
	}
	return x.one("write the URL as "+clip(url), x.Replace(x.at, jsonedit.String(url)))
}}

// canonicalAgent writes a URL in the form in which it is compared.
func canonicalAgent(kind FixKind) remedy {
	return remedy{kind, func(x fixing) []Fix {
		url, info, err := hostname.CanonicalURL(x.at.Str())
		if err != nil || unroutable(&info) {
			return nil
		}
		url = strings.TrimSuffix(url, "?")
		return x.one("write the URL as "+clip(url), x.Replace(x.at, jsonedit.String(url)))
	}}
}

// The remedies of countries and time windows.

var fixCountry = remedy{Likely, func(x fixing) []Fix {
	s := iso3166.Suggest(x.at.Str())
	codes := s.Members
	if s.Code != "" {
		codes = []string{s.Code}
	}
	if !x.at.Is(String) || len(codes) == 0 {
		return nil
	}
	list := x.Parent(x.at)
	if !x.spend(list.Len()) {
		return nil
	}
	codes = slices.DeleteFunc(slices.Clone(codes), func(code string) bool { return hasItem(list, code) })
	if len(codes) == 0 {
		return x.as(Safe, "remove "+quote(x.at.Str())+", which is listed already", x.Remove(x.at))
	}
	text := strings.TrimSuffix(strings.TrimPrefix(x.List(jsonedit.Strings(codes)...), "["), "]")
	return x.one(fmt.Sprintf("write %s instead of %s", listed(codes), quote(x.at.Str())), x.Replace(x.at, text))
}}

var fixTimestamp = rewriteText(Likely, func(x fixing, text string) (string, bool) {
	return timestampFrom(text, x.Name(x.at) == "effective_until")
})

// timestampFrom returns the timestamp that a text was meant to be. A window that ends on a
// day ends with it, in UTC.
func timestampFrom(text string, end bool) (string, bool) {
	if day := strings.TrimSpace(text) + "T23:59:59Z"; end && rfc3339.Valid(day) {
		return day, true
	}
	return timestampOf(text)
}

var fixInverted = remedy{Choice, func(x fixing) []Fix {
	from, until := x.agent().member(atAgentEffectiveFrom), x.agent().member(atAgentEffectiveUntil)
	return []Fix{choice("exchange the two ends of the window", x.Replace(from, x.Source(until)), x.Replace(until, x.Source(from)))}
}}

var fixExpired = remedy{Choice, func(x fixing) []Fix {
	return []Fix{choice("remove the entry, which has ended", x.Remove(x.agent().Raw))}
}}

// epoch reads a number of seconds or milliseconds since 1970 as a timestamp of this century.
func epoch(v Value) (string, bool) {
	n, err := strconv.ParseInt(v.Text(), 10, 64)
	if err != nil || !v.Is(NumberKind) {
		return "", false
	}
	if n > 1e11 {
		n /= 1000
	}
	at := time.Unix(n, 0).UTC()
	return at.Format(time.RFC3339), at.Year() >= 2000 && at.Year() < 2100
}
