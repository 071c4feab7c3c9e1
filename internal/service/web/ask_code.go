package web

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// codeView is the question in a language of programs.
type codeView struct{ Title, Text string }

// codesOf writes a question for programs. A question with characters that a page writes
// out, or with a password, is not repeated: what is copied would be something else.
func codesOf(a *asked, v *registry.QuestionAnswer, origin string) []codeView {
	at := ""
	if a.at != "" || a.on != "" {
		at = v.Question.At.UTC().Format("2006-01-02T15:04:05.999999999Z07:00")
	}
	pairs := a.pairs(at)
	for _, p := range pairs {
		if textsafe.Line(p[1], longestDomain) != p[1] || redact.Credentials(p[1]) != p[1] {
			return nil
		}
	}
	return []codeView{
		{"Shell", shellCode(pairs)}, {"curl", curlCode(pairs, origin)}, {"Go", goCode(a, v, at != "")},
		{"TypeScript", typeScriptCode(pairs, origin)},
		{"Python", pythonCode(pairs, origin)}, {"MCP", toolCode(pairs)},
	}
}

// shellCode is the question for the program avow.
func shellCode(pairs [][2]string) string {
	text := "avow authorize"
	for _, p := range pairs {
		if p[0] == "publisher" {
			text += " " + shellWord(p[1])
			continue
		}
		text += " \\\n  --" + strings.ReplaceAll(p[0], "_", "-") + " " + shellWord(p[1])
	}
	return text
}

// plainInShells are characters that no shell reads as anything else.
const plainInShells = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./:-_=@+,"

// shellWord quotes a word for a shell where that is needed. One that begins with a dash
// must not be taken for a flag; none that can be asked about does.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, plainInShells) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func curlCode(pairs [][2]string, origin string) string {
	text := "curl -sG " + shellWord(origin+"/api/authorize")
	for _, p := range pairs {
		text += " \\\n  --data-urlencode " + shellWord(p[0]+"="+p[1])
	}
	return text
}

// goCode asks with the library, which asks the publisher itself.
func goCode(a *asked, v *registry.QuestionAnswer, timed bool) string {
	var fields [][2]string
	text := func(name, value string) {
		if value != "" {
			fields = append(fields, [2]string{name, strconv.Quote(value)})
		}
	}
	q := &v.Question
	text("Publisher", a.publisher)
	text("Agent", a.agent)
	text("Property", a.property)
	if a.identifier != "" {
		fields = append(fields,
			[2]string{"Identifier", "avow.Identifier{Type: " + strconv.Quote(q.Identifier.Type) + ", Value: " +
				strconv.Quote(q.Identifier.Value) + "}"})
	}
	text("PropertyType", a.propertyType)
	if len(a.placements) > 0 {
		fields = append(fields, [2]string{"Placements", "[]string{" + quotedAll(a.placements) + "}"})
	}
	if len(q.Collections) > 0 {
		list := make([]string, len(q.Collections))
		for i, c := range q.Collections {
			list[i] = "{PublisherDomain: " + strconv.Quote(c.PublisherDomain) + ", ID: " + strconv.Quote(c.ID) + "}"
		}
		fields = append(fields, [2]string{"Collections", "[]avow.CollectionRef{" + strings.Join(list, ", ") + "}"})
	}
	text("Signal", a.signal)
	text("Country", a.country)
	clock := ""
	if timed {
		clock = "\t\"time\"\n"
		fields = append(fields, [2]string{"At", dateCode(q.At.UTC())})
	}
	return "package main\n\nimport (\n\t\"context\"\n\t\"fmt\"\n\t\"log\"\n" + clock +
		"\n\t\"github.com/avow-project/avow\"\n)\n\nfunc main() {\n\tvar client avow.Client\n" +
		"\tanswer, err := client.Authorize(context.Background(), avow.Question{\n" + aligned(fields) +
		"\t})\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n" +
		"\tfmt.Println(answer.Verdict, answer.Needs, answer.Changes)\n}"
}

// dateCode is an instant as Go writes it.
func dateCode(t time.Time) string {
	return fmt.Sprintf("time.Date(%d, time.%s, %d, %d, %d, %d, %d, time.UTC)", t.Year(), t.Month(), t.Day(), t.Hour(),
		t.Minute(), t.Second(), t.Nanosecond())
}

// aligned writes the fields of a literal as gofmt does.
func aligned(fields [][2]string) string {
	widest := 0
	for _, f := range fields {
		widest = max(widest, len(f[0]))
	}
	text := ""
	for _, f := range fields {
		text += "\t\t" + f[0] + ":" + strings.Repeat(" ", widest-len(f[0])+1) + f[1] + ",\n"
	}
	return text
}

func quotedAll(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strconv.Quote(s)
	}
	return strings.Join(out, ", ")
}

// literal is a string as TypeScript and Python write it. There are no control characters
// in a question that is repeated.
func literal(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

func typeScriptCode(pairs [][2]string, origin string) string {
	text := "const query = new URLSearchParams([\n"
	for _, p := range pairs {
		text += "  [" + literal(p[0]) + ", " + literal(p[1]) + "],\n"
	}
	return text + "]);\nconst response = await fetch(" + literal(origin+"/api/authorize?") + " + query);\n" +
		"if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);\n" +
		"const answer: { verdict: string; needs: string[]; changes: string[] } = await response.json();\n" +
		"console.log(answer.verdict, answer.needs, answer.changes);"
}

func pythonCode(pairs [][2]string, origin string) string {
	text := "import json\nimport urllib.parse\nimport urllib.request\n\nquery = urllib.parse.urlencode([\n"
	for _, p := range pairs {
		text += "    (" + literal(p[0]) + ", " + literal(p[1]) + "),\n"
	}
	return text + "])\nwith urllib.request.urlopen(" + literal(origin+"/api/authorize?") + " + query) as response:\n" +
		"    answer = json.load(response)\nprint(answer[\"verdict\"], answer[\"needs\"], answer[\"changes\"])"
}

// toolNames are the arguments of the tool validate_agent that have other names than here; those
// that are lists have a closing bracket.
var toolNames = map[string]string{
	"publisher": "domain", "agent": "agent_url", "property": "property_id", "placement": "placement_ids]",
	"collection": "collection_ids]", "signal": "signal_id",
}

// toolCode is the question as a language model asks it.
func toolCode(pairs [][2]string) string {
	var members []string
	list := ""
	add := func(name, value string) {
		name = cmp.Or(toolNames[name], name)
		if plain, isList := strings.CutSuffix(name, "]"); isList && list == name {
			last := &members[len(members)-1]
			*last = strings.TrimSuffix(*last, "]") + ", " + literal(value) + "]"
		} else if isList {
			members = append(members, literal(plain)+": ["+literal(value)+"]")
		} else {
			members = append(members, literal(name)+": "+literal(value))
		}
		list = name
	}
	for _, p := range pairs {
		if p[0] == "identifier" {
			kind, value, _ := strings.Cut(p[1], "=")
			add("identifier_type", kind)
			add("identifier_value", value)
			continue
		}
		add(p[0], p[1])
	}
	return "{\n  \"name\": \"validate_agent\",\n  \"arguments\": {\n    " + strings.Join(members, ",\n    ") + "\n  }\n}"
}
