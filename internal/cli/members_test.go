package cli

import (
	"flag"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/test/promise"
)

// members are those that scripts have seen in JSON output: the command, the path and the type of each.
var members struct {
	mu   sync.Mutex
	seen map[string]bool
}

// noteMembers notes the members in the output of a command.
func noteMembers(args []string, output string) {
	command := args[0]
	if family := map[string]bool{"edit": true, "hold": true, "keys": true, "log": true, "state": true}; family[command] {
		command += " " + args[1]
	}
	members.mu.Lock()
	defer members.mu.Unlock()
	if members.seen == nil {
		members.seen = map[string]bool{}
	}
	for d := jsontext.NewDecoder(strings.NewReader(output)); ; {
		var v any
		err := json.UnmarshalDecode(d, &v)
		if err != nil {
			return
		}
		noteValue(command+" ", v)
	}
}

// noteValue notes a value and its members. Null says nothing about a type.
func noteValue(path string, v any) {
	var kind string
	switch v := v.(type) {
	case map[string]any:
		kind = "object"
		for name, value := range v {
			noteValue(path+"."+name, value)
		}
	case []any:
		kind = "array"
		for _, value := range v {
			noteValue(path+"[]", value)
		}
	case string:
		kind = "string"
	case float64:
		kind = "number"
	case bool:
		kind = "boolean"
	default:
		return
	}
	members.seen[path+" "+kind] = true
}

// keepMembers compares what all scripts have seen with what was promised.
func keepMembers(t *testing.T) {
	t.Helper()
	if t.Failed() || strings.Contains(flag.Lookup("test.run").Value.String(), "/") || testing.Short() {
		return // not all scripts have run
	}
	promise.Keep(t, "testdata/members.txt", slices.Collect(maps.Keys(members.seen)))
}
