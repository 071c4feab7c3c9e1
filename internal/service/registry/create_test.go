package registry_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/service/registry"
)

func TestCreate(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	built, err := l.Create(t.Context(), []byte(`{"contact": {"name": "Pub"}, "properties": [`+site("pub.example", "home", "pub.example")+`],
 "authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "all", "property_ids": ["home"]}], "compute_etag": true}`))
	if err != nil {
		t.Fatal(err)
	}
	text := string(built.File)
	for _, part := range []string{`"authorization_type": "property_ids"`, `"last_updated": "2026-03-01T12:00:00Z"`, `"catalog_etag"`, `"contact"`} {
		if !strings.Contains(text, part) {
			t.Errorf("%s is not in %s", part, text)
		}
	}
	if len(built.Inferred) != 2 || !built.Report.Valid() {
		t.Errorf("%+v", built.Inferred)
	}
}

func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	l := newFileLab(t)
	for _, c := range []struct {
		request string
		kind    registry.Kind // zero for content that is not valid
	}{
		{`{`, registry.Invalid},
		{``, registry.Invalid},
		{`[]`, registry.Invalid},
		{`{"include_schema": "yes", "authorized_agents": []}`, registry.Invalid},
		{`{"compute_etag": true, "compute_etag": true}`, registry.Invalid},
		{`{}`, 0},
		{`{"authorized_agents": [{"url": "http://agent.example"}]}`, 0},
		{strings.Repeat(" ", registry.MaxContent+1), registry.TooLarge},
	} {
		built, err := l.Create(t.Context(), []byte(c.request))
		var invalid *adagents.InvalidError
		var refused *registry.Error
		switch {
		case kindOf(err) != c.kind:
			t.Errorf("%.60s: %v", c.request, err)
		case c.kind == 0 && (!errors.As(err, &invalid) || built.Report.Valid() || built.File != nil):
			t.Errorf("%.60s: %v, %+v", c.request, err, built)
		case c.kind == registry.Invalid && (built.Report == nil || !errors.As(err, &refused) || len(refused.Details) == 0):
			t.Errorf("%.60s: %+v", c.request, err)
		}
	}
}
