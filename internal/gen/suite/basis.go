package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/internal/suite"
)

// A basis says what cases rest on.
type basis struct {
	// Documents are public documents by a short name, without sentences.
	Documents map[string]suite.Basis `json:"documents"`
	// Sentences are what documents say, by a short name.
	Sentences map[string]sentence `json:"sentences"`
	// Rules are the sentences behind the rules of the READMEs. A rule that is not there is a
	// reading of this project.
	Rules map[string]string `json:"rules"`
	// Groups are the sentences behind the vectors of a group that name no rule.
	Groups map[string]string `json:"groups"`
	// Vectors are the sentences behind single vectors, where that of their rule is about more.
	Vectors map[string]string `json:"vectors"`
	// Codes are what the published schema says about the examples of a rule of the checker.
	Codes map[string]sentence `json:"codes"`
	// Decisions are the records behind the readings, by kind of vector.
	Decisions map[string]string `json:"decisions"`
	// Readings are vectors that go beyond the sentences of their rules.
	Readings []string `json:"readings"`
	// Robust are groups about hostile or broken input.
	Robust []string `json:"robust"`
}

// A sentence is a part of a document.
type sentence struct {
	Document string `json:"document"`
	Section  string `json:"section"`
	Sentence string `json:"sentence"`
}

func readBasis(path string) (*basis, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	b := &basis{}
	err = json.Unmarshal(text, b, json.RejectUnknownMembers(true))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, of := range []map[string]string{b.Rules, b.Groups, b.Vectors} {
		for name, s := range of {
			if _, ok := b.Sentences[s]; !ok {
				return nil, fmt.Errorf("%s: %s rests on %q, which is not there", path, name, s)
			}
		}
	}
	for name, s := range b.Sentences {
		if _, ok := b.Documents[s.Document]; !ok || s.Sentence == "" {
			return nil, fmt.Errorf("%s: the sentence %s has no document", path, name)
		}
	}
	return b, nil
}

// quote returns the basis that a sentence is.
func (b *basis) quote(s sentence) suite.Basis {
	out := b.Documents[s.Document]
	out.Section, out.Sentence = s.Section, s.Sentence
	return out
}

var ruleNumber = regexp.MustCompile(`^[A-G][0-9]+$`)

// rulesOf cuts the numbers of rules off the sentence that says what a vector shows.
func rulesOf(summary string) (string, []string) {
	at := strings.LastIndex(summary, " (")
	if at < 0 {
		return summary, nil
	}
	var rules []string
	for word := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSuffix(summary[at+2:], "."), ")"), ", ") {
		if !ruleNumber.MatchString(word) {
			return summary, nil
		}
		rules = append(rules, word)
	}
	return summary[:at] + ".", rules
}

// of says what a vector rests on. A vector is normative if all of its rules rest on sentences.
func (b *basis) of(folder, name string, rules []string) (suite.Label, suite.Basis) {
	group, _, _ := strings.Cut(name, "_")
	ours := suite.Basis{Decision: b.Decisions[folder]}
	for _, g := range b.Robust {
		if g == folder+"/"+group {
			return suite.Robustness, ours
		}
	}
	for _, r := range b.Readings {
		if r == folder+"/"+name {
			return suite.Interpretation, ours
		}
	}
	named := b.Groups[folder+"/"+group]
	if len(rules) > 0 {
		named = b.Rules[rules[0]]
	}
	for _, r := range rules {
		if b.Rules[r] == "" {
			named = ""
		}
	}
	if named == "" {
		return suite.Interpretation, ours
	}
	if own := b.Vectors[folder+"/"+name]; own != "" {
		named = own
	}
	return suite.Normative, b.quote(b.Sentences[named])
}
