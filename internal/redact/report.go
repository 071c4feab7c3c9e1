package redact

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
)

// Report rewrites what findings say about a value that another one
// calls secret. Rules quote the value they object to, or the id of the entry it
// belongs to, so the general words of the rule take the place of the particular
// ones.
func Report(src []byte, report *adagents.Report) *adagents.Report {
	secrets := reportedSecrets(src, report)
	if len(secrets) == 0 && report.Unusable == nil {
		return report
	}
	quoted := quotedForms(src, secrets)
	safe := *report
	safe.Findings = slices.Clone(report.Findings)
	safe.Skipped = slices.Clone(report.Skipped)
	for i := range safe.Findings {
		f := &safe.Findings[i]
		if quotes(f.Message+f.Hint, quoted) || !secretCodes[f.Code] && holding(secrets, f.Offset) >= 0 {
			rule, _ := adagents.LookupRule(f.Code)
			f.Message, f.Hint = rule.Title, rule.Hint
		}
		f.Fixes = slices.DeleteFunc(slices.Clone(f.Fixes), func(x adagents.Fix) bool { return repeats(&x, quoted) })
	}
	for i := range safe.Skipped {
		s := &safe.Skipped[i]
		if quotes(s.Reason, quoted) {
			rule, _ := adagents.LookupRule(s.Code)
			s.Reason = rule.Title
		}
	}
	return &safe
}

// repeats reports whether a fix shows a secret in its title or writes it anew.
func repeats(fix *adagents.Fix, quoted map[string]bool) bool {
	if quotes(fix.Title, quoted) {
		return true
	}
	for _, e := range fix.Edits {
		if len(likelySecrets([]byte(e.New), nil)) > 0 {
			return true
		}
		for text := range quoted {
			escaped := adagents.AppendString(nil, text)
			if strings.Contains(e.New, text) || strings.Contains(e.New, string(escaped[1:len(escaped)-1])) {
				return true
			}
		}
	}
	return false
}

// quotedForms returns the texts that messages show for secret strings: the
// beginning of a long one, the whole of a short one.
func quotedForms(src []byte, secrets []span) map[string]bool {
	forms := map[string]bool{}
	for _, s := range secrets {
		text, err := jsontext.AppendUnquote(nil, src[s.from:s.to])
		if err == nil {
			forms[quotedForm(string(text))] = true
		}
	}
	delete(forms, "")
	return forms
}

// quotedForm is the text up to where messages may cut it.
func quotedForm(text string) string {
	const runes = 40
	n := 0
	for i := range text {
		if n == runes {
			return text[:i]
		}
		n++
	}
	return text
}

// quotes reports whether a message shows one of the texts between quotation
// marks. A message has few of those, and a text that holds some itself must be
// found all the same, so every pair is tried.
func quotes(message string, forms map[string]bool) bool {
	const most = 12
	var marks []int
	for i := range len(message) {
		if message[i] == '"' && len(marks) < most {
			marks = append(marks, i)
		}
	}
	for i, from := range marks {
		for _, to := range marks[i+1:] {
			if forms[quotedForm(message[from+1:to])] {
				return true
			}
		}
	}
	return false
}
