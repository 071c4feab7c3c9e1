package custodian_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// faultyFile is a file with a version and properties without identifiers behind a good one.
func faultyFile(version string, faulty int) string {
	var list strings.Builder
	for i := range faulty {
		fmt.Fprintf(&list, `, {"property_id": "bad%d", "property_type": "website", "name": "Bad"}`, i)
	}
	return fmt.Sprintf(`{"last_updated": %q, "catalog_etag": %q,
		"authorized_agents": [{"url": %q, "authorized_for": "everything", "authorization_type": "property_ids", "property_ids": ["site"]}],
		"properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "pub.example"}]}%s]}`,
		at(-time.Hour), version, agent, list.String())
}

// TestSkippedIsLogged: what is left out of a file is logged once for each version, with
// whose file it is, the place and the reason, and is part of every document.
func TestSkippedIsLogged(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var log bytes.Buffer
	l.config.Log = slog.New(slog.NewTextHandler(&log, nil))
	l.k = l.keeper()
	const line = `level=WARN msg="an entry of a file is left out" domain=pub.example url=` + pub
	l.web.set(pub, tagged(faultyFile("v1", 2)))
	l.want("pub.example", "usable v1")
	if n := strings.Count(log.String(), line); n != 2 {
		t.Fatalf("%d lines in\n%s", n, log.String())
	}
	for _, want := range []string{"pointer=/properties/2 index=2 code=property.identifiers_missing reason="} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("no %q in\n%s", want, log.String())
		}
	}
	log.Reset()
	for range 3 {
		l.pass(25 * time.Hour)
		if doc := l.document("pub.example"); len(doc.Skipped) != 2 || doc.Skipped[0].Pointer != "/properties/1" {
			t.Fatalf("%+v", doc.Skipped)
		}
	}
	l.restart()
	if doc := l.document("pub.example"); len(doc.Skipped) != 2 {
		t.Errorf("after a restart: %+v", doc.Skipped)
	}
	if log.Len() > 0 {
		t.Errorf("the same version again:\n%s", log.String())
	}
	l.web.set(pub, tagged(faultyFile("v2", 1000)))
	l.pass(25 * time.Hour)
	l.want("pub.example", "usable v2")
	if n := strings.Count(log.String(), "\n"); n != 21 || !strings.Contains(log.String(), "more=980") {
		t.Errorf("%d lines of a version with many:\n%s", n, log.String())
	}
}
