package press

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// BatchFolder writes files of n publishers, each with three agents in two countries.
func BatchFolder(dir string, n int) error {
	for i := range n {
		domain := fmt.Sprintf("pub%d.example", i)
		file := fmt.Sprintf(`{"properties": [{"property_id": "site", "property_type": "website", "name": "Site",
 "identifiers": [{"type": "domain", "value": %q}]}], "authorized_agents": [`, domain)
		for k := range 3 {
			if k > 0 {
				file += ","
			}
			file += fmt.Sprintf(`{"url": "https://agent%d.example/mcp", "authorized_for": "all", "authorization_type": "property_ids",
 "property_ids": ["site"], "countries": ["DE", "AT"]}`, k)
		}
		err := os.WriteFile(filepath.Join(dir, domain+".json"), []byte(file+"]}"), 0o600)
		if err != nil {
			return err
		}
	}
	return nil
}

// BatchQuestions returns n questions about the publishers of BatchFolder, as csv or
// ndjson, with some about agents, countries and hosts that they do not list.
func BatchQuestions(n, publishers int, format string) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	if format == "csv" {
		b.WriteString("id,publisher,agent,property,identifier,country,at\n")
	}
	for i := range n {
		p, k := random.IntN(publishers), random.IntN(5)
		country := []string{"DE", "FR", ""}[random.IntN(3)]
		host := []string{"www.", "", "shop."}[random.IntN(3)]
		line := "%d,pub%d.example,https://agent%d.example/mcp,site,domain=%spub%d.example,%s,2026-01-02T00:00:00Z\n"
		if format == "ndjson" {
			if country != "" {
				country = `"country": "` + country + `", `
			}
			line = `{"id": "%d", "publisher": "pub%d.example", "agent": "https://agent%d.example/mcp", "property": "site", "identifier": "domain=%spub%d.example", %s"at": "2026-01-02T00:00:00Z"}` + "\n"
		}
		fmt.Fprintf(&b, line, i, p, k, host, p, country)
	}
	return b.Bytes()
}
