package resolve

import (
	"encoding"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
)

func TestTexts(t *testing.T) {
	t.Parallel()
	for want, v := range map[string]interface {
		encoding.TextMarshaler
		String() string
	}{
		"unreachable": Unreachable, "absent": Absent, "unusable": Unusable, "usable": Usable,
		"unverified": Unverified, "none_asserted": NoneAsserted, "not_authorized": NotAuthorized, "conditional": Conditional, "authorized": Authorized,
		"agree": Agree, "mismatch": Mismatch, "inline": Inline, "ambiguous": Ambiguous, "not_comparable": NotComparable,
		"incomplete_publisher": IncompletePublisher, "incomplete_operator": IncompleteOperator,
		"unknown": Verdict(99),
	} {
		text, err := v.MarshalText()
		if err != nil || string(text) != want || v.String() != want {
			t.Errorf("%d is %q %q, want %q", v, v, text, want)
		}
	}
	if UnusableFile.String() != "unusable" {
		t.Error(UnusableFile)
	}
}

// TestCompareRelationship compares what both sides of a path say about it: every word of
// one side beside every word of the other.
func TestCompareRelationship(t *testing.T) {
	t.Parallel()
	delegations := []string{"", "direct", "delegated", "ad_network", "reseller"}
	for relationship, want := range map[string][]Agreement{
		"owned":      {Inline, Inline, NotComparable, NotComparable, NotComparable},
		"direct":     {IncompletePublisher, Agree, Mismatch, Mismatch, NotComparable},
		"delegated":  {IncompletePublisher, Mismatch, Agree, Mismatch, NotComparable},
		"ad_network": {IncompletePublisher, Mismatch, Mismatch, Agree, NotComparable},
		"":           {AgreementUnknown, IncompleteOperator, IncompleteOperator, IncompleteOperator, IncompleteOperator},
		"reseller":   {NotComparable, NotComparable, NotComparable, NotComparable, NotComparable},
		"Direct":     {NotComparable, NotComparable, NotComparable, NotComparable, NotComparable},
	} {
		for i, delegation := range delegations {
			got := CompareRelationship(delegation, relationship)
			if got != want[i] {
				t.Errorf("relationship %q, delegation_type %q: got %v, want %v", relationship, delegation, got, want[i])
			}
			if got.Proceed() != (got == Agree || got == Inline) {
				t.Errorf("%v: proceed %v", got, got.Proceed())
			}
		}
	}
}

// TestCodes compares the catalogue of codes with those the package uses.
func TestCodes(t *testing.T) {
	t.Parallel()
	known := make(map[string]bool)
	form := regexp.MustCompile(`^[a-z]+\.[a-z_]+$`)
	for _, c := range Codes() {
		switch {
		case !form.MatchString(c.Code) || known[c.Code]:
			t.Errorf("%s: form, or there twice", c.Code)
		case c.Title == "" || strings.HasSuffix(c.Title, ".") || !strings.HasSuffix(c.Why, ".") || c.Fix == "" || strings.HasSuffix(c.Fix, "."):
			t.Errorf("%s: %+v", c.Code, c)
		}
		known[c.Code] = true
		if _, taken := adagents.LookupRule(c.Code); taken {
			t.Errorf("%s is a rule of the file format too", c.Code)
		}
	}
	used := usedCodes(t)
	for code := range used {
		if !known[code] {
			t.Errorf("%s is not in the catalogue", code)
		}
	}
	for code := range known {
		if !used[code] {
			t.Errorf("%s is used nowhere", code)
		}
	}
}

// usedCodes finds string literals in the form of a code, outside the catalogue and
// the files of the index, which has numbers instead.
func usedCodes(t *testing.T) map[string]bool {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^(agent|entry|exclusive|file|format|mirror|placement|property|publisher|selector|signal)\.[a-z_]+$`)
	used := make(map[string]bool)
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "codes") || strings.HasPrefix(name, "index") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				if err == nil && form.MatchString(text) {
					used[text] = true
				}
			}
			return true
		})
	}
	return used
}
