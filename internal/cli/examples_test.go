package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// shellBlock is a block of commands that documents show and that no test here runs.
var shellBlock = regexp.MustCompile("(?m)^```sh\n((?:.*\n)*?)```$")

// TestExamples reads every avow command that help texts and documents show: the command and
// its flags exist, and their values can be read.
func TestExamples(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	var collect func(c *cobra.Command)
	collect = func(c *cobra.Command) {
		texts["avow help "+c.CommandPath()] = c.Example
		for _, sub := range c.Commands() {
			collect(sub)
		}
	}
	collect(Commands())
	names, err := filepath.Glob(filepath.Join(home, "../../docs/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, filepath.Join(home, "../../README.md")) {
		if filepath.Base(name) == "cli.md" {
			continue // made of the help texts
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range shellBlock.FindAllStringSubmatch(string(text), -1) {
			texts[filepath.Base(name)] += m[1] + "\n"
		}
	}
	seen := 0
	for where, text := range texts {
		for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
			words := splitWords(strings.TrimSpace(line))
			if len(words) < 2 || words[0] != "avow" {
				continue
			}
			seen++
			if problem := understood(words[1:]); problem != "" {
				t.Errorf("%s: %s: %s", where, strings.TrimSpace(line), problem)
			}
		}
	}
	if seen < 100 {
		t.Errorf("%d commands", seen)
	}
}

// understood says what is wrong with a command line; nothing is run.
func understood(words []string) string {
	for i, w := range words {
		if w == "|" || w == ">" || w == ">>" || w == "<" || w == "||" || w == "&&" || strings.HasPrefix(w, "#") {
			words = words[:i]
			break
		}
	}
	if len(words) > 0 && words[0] == "help" {
		return ""
	}
	c, rest, err := Commands().Find(words)
	if err != nil {
		return err.Error()
	}
	if !c.HasParent() {
		return "there is no such command"
	}
	err = c.ParseFlags(rest)
	if err != nil {
		return err.Error()
	}
	return ""
}

func TestExampleRuleCatches(t *testing.T) {
	t.Parallel()
	for line, fine := range map[string]bool{
		"validate --format json x.json | jq .": true, "validat x.json": false, "validate --formt json": false,
		"serve --rate-read many": false, "hold list": true, "help validate": true,
	} {
		if problem := understood(splitWords(line)); (problem == "") != fine {
			t.Errorf("%s: %q", line, problem)
		}
	}
}
