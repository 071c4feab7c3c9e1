package web

import (
	"fmt"
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/std/iso3166"
)

// countryCode turns what people call a country into its code, with a remark: its name, its three-letter code, or a code
// that ISO has in reserve for it, such as UK. The remark says so where the code is not what was written.
// Other texts stay as they are.
func countryCode(text string) (string, string) {
	s := iso3166.Suggest(text)
	switch {
	case s.Code == "":
	case s.Kind == iso3166.EnglishName || s.Kind == iso3166.Alpha3:
		return s.Code, ""
	case s.Kind == iso3166.Replacement:
		return s.Code, strings.ToUpper(strings.TrimSpace(text)) + " was read as " + s.Code + ": " + s.Text
	}
	return text, ""
}

// countryHint says what to write in the place of a text that is not a country.
func countryHint(text, hint string) string {
	s := iso3166.Suggest(text)
	switch {
	case s.Kind == iso3166.Regional && len(s.Members) > 0:
		return "this is a group of countries; ask about one of them: " + strings.Join(s.Members, ", ")
	case s.Kind == iso3166.Unknown || s.Kind == iso3166.Regional:
		return "write the English name of a country or its two-letter code, for example Germany or DE"
	case s.Kind == iso3166.Subdivision:
		return "write the country, " + countryName(s.Code)
	case s.Kind == iso3166.Replacement || s.Kind == iso3166.UserAssigned:
		return s.Text
	}
	return hint
}

// countryName is a country with its code, as people know both.
func countryName(code string) string {
	name := iso3166.Name(code)
	if name == "" {
		return code
	}
	return name + " (" + code + ")"
}

// text is the answer with its proof, to be copied into a message. The origin is where the service is.
func (x *answerView) text(origin string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\nAsked about %s.\n\nProof:\n", x.Verdict.Words, x.Verdict.Detail, timeText(x.At))
	for i, s := range x.Proof {
		fmt.Fprintf(&b, "%d. %s: %s", i+1, s.Kind, s.Value)
		switch s.State {
		case fails:
			b.WriteString(" (this is where it ends)")
		case open:
			b.WriteString(" (open)")
		}
		parts := []string{s.Note, s.Where}
		if s.Href != "" {
			parts = append(parts, origin+s.Href)
		}
		for _, part := range slices.DeleteFunc(parts, func(p string) bool { return p == "" }) {
			b.WriteString("\n   " + part)
		}
		b.WriteString("\n")
	}
	b.WriteString("\nEvidence:\n")
	for _, e := range x.Evidence {
		fmt.Fprintf(&b, "- %s, %s", e.Role, e.State)
		if e.URL != "" {
			b.WriteString(": " + e.URL)
		}
		if e.SHA256 != "" {
			b.WriteString("\n  SHA-256 " + e.SHA256)
		}
		if !e.Fetched.IsZero() {
			b.WriteString("\n  seen " + timeText(e.Fetched))
		}
		b.WriteString("\n")
	}
	return b.String() + "\n" + origin + x.Link + "\n"
}
