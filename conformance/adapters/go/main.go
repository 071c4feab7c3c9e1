// Command go answers the conformance suite with the Go packages of avow.
package main

import (
	"bufio"
	"fmt"
	"os"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/avow-project/avow/adagents"
)

func main() {
	for in := bufio.NewReader(os.Stdin); ; {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var c struct {
			Kind  string
			Files []struct{ Text string }
			Time  time.Time
		}
		_ = json.Unmarshal(line, &c, json.MatchCaseInsensitiveNames(true))
		reply := map[string]any{"unsupported": "the adapter does not have it"}
		switch {
		case c.Kind == "check" && c.Files[0].Text != "":
			valid := adagents.Check([]byte(c.Files[0].Text), adagents.Options{}).Valid()
			reply = map[string]any{"answer": map[string]any{"valid": valid}}
		case c.Kind == "create":
			b, err := adagents.Build([]byte(c.Files[0].Text), adagents.BuildOptions{Now: c.Time})
			reply = map[string]any{"answer": map[string]any{"created": err == nil && b.File != nil}}
		}
		text, _ := json.Marshal(reply)
		fmt.Fprintf(os.Stdout, "%s\n", text)
	}
}
