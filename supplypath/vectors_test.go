package supplypath

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/avow-project/avow/internal/test/vectors"
)

// TestVectors holds the evaluator to every vector about supply paths.
func TestVectors(t *testing.T) {
	t.Parallel()
	all, err := vectors.PathCases()
	if err != nil {
		t.Fatal(err)
	}
	verbs := map[string]int{}
	for _, c := range all {
		verbs[c.Verb]++
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.Want, answer(c)); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", c.Summary, diff)
			}
		})
	}
	if diff := cmp.Diff(map[string]int{"verify": 80, "files": 6, "partners": 5}, verbs); diff != "" {
		t.Errorf("vectors of each verb, -want +got:\n%s", diff)
	}
}

// inputOf returns the input of a vector.
func inputOf(c *vectors.PathCase) *Input {
	return &Input{
		Owner: Party{Domain: c.OwnerDomain, File: c.Owner, Shared: c.OwnerShared},
		Host:  Party{Domain: c.HostDomain, File: c.Host, Shared: c.HostShared, Held: c.HostHeld},
		Agent: c.Agent, Collection: c.Collection, Required: c.Required,
		AdsTxt: c.Texts, SkipAdsTxt: c.AdsTxt == "skipped",
	}
}

// answer returns avow's answer to a vector, in the words of the section want.
func answer(c *vectors.PathCase) map[string]string {
	got := map[string]string{}
	switch c.Verb {
	case "verify":
		r := Evaluate(inputOf(c))
		got["state"] = string(r.State)
		if r.Collection != "" {
			got["collection"] = r.Collection
		}
		for leg, l := range map[string]Leg{
			"owner_collection_declared": r.Legs.Collection, "owner_distribution_carriage": r.Legs.Carriage.Leg, "owner_agent_declared": r.Legs.Agent,
			"host_authorization": r.Legs.Host.Leg, "inventory_partner_domain": r.Legs.Partner,
		} {
			got[leg] = "ok"
			if !l.OK {
				got[leg] = string(l.Failure)
			}
		}
	case "files":
		files := AdsTxtOf(inputOf(c))
		got["all"] = strconv.FormatBool(files.All)
		if len(files.Files) > 0 {
			got["files"] = strings.Join(files.Files, " ")
		}
	case "partners":
		partners, ok := AdsTxt{Files: c.Files, All: c.All}.Partners(c.Texts)
		switch {
		case !ok:
			got["partners"] = "unavailable"
		case len(partners) == 0:
			got["partners"] = "none"
		default:
			got["partners"] = strings.Join(partners, " ")
		}
	}
	return got
}
