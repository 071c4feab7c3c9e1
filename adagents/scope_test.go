package adagents_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/model"
)

// everyList has something in every list, so that only the type says which is in effect.
func everyList(t adagents.AuthorizationType) *adagents.Agent {
	return &adagents.Agent{
		Type: t, PropertyIDs: []string{"site"}, PropertyTags: []string{"news"},
		Properties: []adagents.Property{{ID: "app"}}, Selectors: []adagents.Selector{{PublisherDomain: "example.com"}},
		SignalIDs: []string{"auto"}, SignalTags: []string{"cars"},
	}
}

func TestScopeIsTheListOfTheType(t *testing.T) {
	t.Parallel()
	all := everyList("")
	want := map[adagents.AuthorizationType]adagents.Scope{
		adagents.ByPropertyIDs:         {PropertyIDs: all.PropertyIDs},
		adagents.ByPropertyTags:        {PropertyTags: all.PropertyTags},
		adagents.ByInlineProperties:    {Properties: all.Properties},
		adagents.ByPublisherProperties: {Selectors: all.Selectors},
		adagents.BySignalIDs:           {SignalIDs: all.SignalIDs},
		adagents.BySignalTags:          {SignalTags: all.SignalTags},
		"":                             {},
		"collection_ids":               {},
	}
	for of, scope := range want {
		got := everyList(of).Scope()
		if diff := cmp.Diff(scope, got, cmpopts.IgnoreUnexported(adagents.Property{}, adagents.Selector{})); diff != "" {
			t.Errorf("%q: %s", of, diff)
		}
	}
	for _, of := range model.AuthorizationTypes {
		if _, ok := want[adagents.AuthorizationType(of)]; !ok {
			t.Errorf("%s of the model has no constant", of)
		}
	}
}
