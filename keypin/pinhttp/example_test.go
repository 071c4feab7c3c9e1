package pinhttp_test

import (
	"fmt"
	"log"
	"net/http"

	"github.com/avow-project/avow"
	"github.com/avow-project/avow/keypin"
	"github.com/avow-project/avow/keypin/pinhttp"
)

// Webhooks of an agent are taken only if they were signed with a key that the publisher
// pinned.
func ExampleHandler() {
	var client avow.Client
	hooks := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { log.Print(pinhttp.From(r.Context()).KeyID) })
	o := pinhttp.Options{
		Publisher: "publisher.example", Agent: "https://agent.example/mcp", Profile: keypin.Webhooks(),
		Authority: []string{"hooks.buyer.example"},
	}
	http.Handle("/hooks/agent", pinhttp.Handler(client.Verifier(), o, hooks))
}

// A signed response is checked before it is used.
func ExampleCheck() {
	var client avow.Client
	resp, err := http.Get("https://agent.example/mcp")
	if err != nil {
		return
	}
	defer func() { _ = resp.Body.Close() }()
	result, err := pinhttp.Check(resp, client.Verifier(), pinhttp.Options{Publisher: "publisher.example", Agent: "https://agent.example/mcp"})
	fmt.Println(err == nil && result.OK())
}
