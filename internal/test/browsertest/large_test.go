package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// threeMegabytes is a file of about three megabytes, as networks have them.
func threeMegabytes() string {
	const properties, agents, tags = 10_000, 200, 20
	var b strings.Builder
	b.WriteString("{\n  \"contact\": {\"name\": \"Network\"},\n  \"properties\": [\n")
	for i := range properties {
		fmt.Fprintf(&b, "    {\n      \"property_id\": \"p%d\",\n      \"property_type\": \"website\",\n      \"name\": \"Site %d\",\n      \"tags\": [\n        \"t%d\"\n      ],\n      \"publisher_domain\": \"s%d.example\",\n"+
			"      \"identifiers\": [\n        {\n          \"type\": \"domain\",\n          \"value\": \"s%d.example\"\n        }\n      ]\n    },\n", i, i, i%tags, i, i)
	}
	b.WriteString("    {\"property_id\": \"last\", \"property_type\": \"website\", \"name\": \"Last\", \"identifiers\": [{\"type\": \"domain\", \"value\": \"last.example\"}]}\n  ],\n  \"authorized_agents\": [\n")
	for i := range agents {
		fmt.Fprintf(&b, "    {\"url\": \"https://a%d.example/mcp\", \"authorized_for\": \"Sites\", \"authorization_type\": \"property_tags\", \"property_tags\": [\"t%d\"]},\n", i, i%tags)
	}
	return b.String() + "    {\"url\": \"https://last.example/mcp\", \"authorized_for\": \"Sites\", \"authorization_type\": \"property_ids\", \"property_ids\": [\"last\"]}\n  ],\n  \"last_updated\": \"2026-01-02T00:00:00Z\"\n}\n"
}

// TestBuildLarge uses the page with a file of three megabytes. No task may keep the page from
// answering for long: at most mostReadings times as long as the browser takes to read the file,
// by the time of the processor. On an idle machine the multiple is below 18, which is 200 milliseconds
// where a reading takes 11; docs/performance.md has what was measured. A busy machine compiles the
// scripts later and takes more, and work that grows with the square of the file takes hundreds.
func TestBuildLarge(t *testing.T) {
	t.Parallel()
	const mostReadings = 100
	file := threeMegabytes()
	path := filepath.Join(t.TempDir(), "adagents.json")
	err := os.WriteFile(path, []byte(file), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	name := `[data-path="/properties/9950/name"]`
	steps := []object{{"trace": file}, {"give": "#build-upload", "path": path}, {"wait": uploaded}, {"wait": ".standing .chip.bad, .standing .chip.good"}}
	for _, panel := range []string{"findings", "publish", "agents", "properties"} {
		steps = append(steps, object{"panel": panel})
	}
	steps = slices.Concat(steps, []object{
		{"fill": `[id="s.2Fproperties"]`, "text": "Site 995"}, {"click": `[data-entry="/properties/9950"] summary`}, {"fill": name, "text": "Edited"}, {"press": "Control+z"}, {"press": "Control+Shift+z"},
		{"fill": `[id="s.2Fproperties"]`, "text": ""}, {"click": `[data-next="/properties"]`}, {"see": "51 to 100 of 10,001"}, {"click": ".cm-content"}, {"press": "Control+Home"}, {"press": "End"}, {"type": " "},
		{"wait": settled}, {"see": "Draft kept on this device"}, {"traced": ""}, {"keep": "file"},
	})
	kept := travel(t, start(t, internet(nil)), []journey{{Name: "large", Steps: steps}})["large"]
	want := strings.Replace(formatted(t, file), `"Site 9950"`, `"Edited"`, 1)
	if got := strings.Replace(kept["file"], "{ \n", "{\n", 1); got != want {
		t.Errorf("the file has %d bytes, and %d are wanted", len(got), len(want))
	}
	var times struct {
		Measure float64 `json:"measure"`
		Longest float64 `json:"longest"`
		Tasks   int     `json:"tasks"`
	}
	err = json.Unmarshal([]byte(kept["times"]), &times)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d tasks; the longest took %.0f ms of the processor, reading the file %.0f ms", times.Tasks, times.Longest, times.Measure)
	const least = 100
	if times.Tasks < least || times.Measure <= 0 || times.Longest > mostReadings*times.Measure {
		t.Errorf("a task took %.1f ms of the processor, and reading the file %.1f ms", times.Longest, times.Measure)
	}
}
