package portable

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const file = `{"authorized_agents":[{"url":"https://a.example/mcp","authorized_for":"x","authorization_type":"property_ids","property_ids":["s"]}],` +
	`"properties":[{"property_id":"s","property_type":"website","name":"S","identifiers":[{"type":"domain","value":"pub.example"}]}]}`

// TestCall: what can be asked for is answered, and what is wrong with a request is said.
func TestCall(t *testing.T) {
	t.Parallel()
	const ask = `"publisher":"pub.example","agent":"https://a.example/mcp","at":"2026-03-01T12:00:00Z","documents":[{"publisher":"pub.example","size":261}]`
	if len(file) != 261 {
		t.Fatalf("the file has %d bytes", len(file))
	}
	for _, tt := range []struct{ request, want string }{
		{`{"op":"check"}`, `{"result":{"kind":"inline","valid":true,"usable":true,"authorizes_nobody":false,`},
		{`{"op":"check","profile":"lax"}`, `{"error":{"code":"request","message":"profile is default or strict"}}`},
		{`{"op":"check","role":"x"}`, `role is direct`},
		{`{"op":"check","now":"yesterday"}`, `now is not a time`},
		{`{"op":"check","now":5}`, `now is not a text`},
		{`{"op":"check","fixes":"yes"}`, `fixes is not true or false`},
		{`{"op":"check","scopes":"x"}`, `scopes is not a list of texts`},
		{`{"op":"check","scopes":[5]}`, `scopes is not a list of texts`},
		{`{"op":"fix","likely":true}`, `{"result":{"changed":true,"applied":[`},
		{`{"op":"format"}`, `{"result":{"text":"{\n`},
		{`{"op":"authorize",` + ask + `}`, `{"result":{"verdict":"authorized","publisher":"pub.example",`},
		{`{"op":"authorize","property":"other",` + ask + `}`, `"verdict":"not_authorized"`},
		{`{"op":"authorize","collections":["x"],` + ask + `}`, `DOMAIN/ID`},
		{`{"op":"authorize","country":"Germany",` + ask + `}`, `{"error":{"code":"request.value","message":"country: `},
		{`{"op":"list",` + ask + `}`, `"property_id":"s"`},
		{`{"op":"list","publisher":"x y","agent":"q","documents":[]}`, `{"error":{"code":"request.value"`},
		{`{"op":"list"}`, `the domain is missing`},
		{`{"op":"list","publisher":"a.example","agent":"https://a.example"}`, `documents is not a list`},
		{`{"op":"list","publisher":"a.example","agent":"https://a.example","documents":[{"publisher":"x y"}]}`, `is not a domain`},
		{`{"op":"list","publisher":"a.example","agent":"https://a.example","documents":[{"publisher":"a.example","size":262}]}`, `size is not a number of bytes that there are`},
		{`{"op":"list","publisher":"a.example","agent":"https://a.example","documents":[{"publisher":"a.example","size":-1}]}`, `size is not`},
		{`{"op":"list","publisher":"a.example","agent":"https://a.example","documents":[{"publisher":"a.example","mirror_size":1e9}]}`, `mirror_size is not`},
		{`{"op":"list","publisher":"a.example","agent":"https://a.example","documents":[{"publisher":"a.example","method":"guess"}]}`, `method is direct`},
		{`{"op":"list","publisher":"a.example","agent":"https://a.example","documents":[{"publisher":"a.example","state":"fine"}]}`, `state is absent`},
		{`{"op":"authorize","property_id":"t",` + ask + `}`, `"code":"property.unknown"`},
		{`{"op":"authorize","zone":"t",` + ask + `}`, `{"error":{"code":"request.unknown","message":"unknown member \"zone\"","hint":"the names are publisher, agent, property, `},
		{`{"op":"authorize","property":"",` + ask + `}`, `{"error":{"code":"request.empty","message":"\"property\" is empty"`},
		{`{"op":"authorize","placements":[],` + ask + `}`, `{"error":{"code":"request.empty","message":"\"placements\" is empty"`},
		{`{"op":"authorize","country":null,` + ask + `}`, `{"error":{"code":"request.empty","message":"\"country\" is empty"`},
		{`{"op":"authorize","Country":"DE",` + ask + `}`, `"message":"unknown member \"Country\"","hint":"did you mean country?"`},
		{`{"op":"authorize","identifier":"domain=t.example",` + ask + `}`, `"code":"property.unknown"`},
		{`{"op":"authorize","property":"other","property":"s",` + ask + `}`, `\"property\" is given more than once`},
		{`{"op":"list","property":"s",` + ask + `}`, `\"property\" cannot be used here`},
		{`{"op":"check","likely":true}`, `unknown member \"likely\"`},
		{`{"op":"fix","apply":true}`, `unknown member \"apply\"`},
		{`{"op":"format","indent":2}`, `unknown member \"indent\"`},
		{`{"op":"list","publisher":"a.example","agent":"https://a.example","documents":[{"publisher":"a.example","held":["b.example"]}]}`, `unknown member \"held\"","hint":"the names are publisher, method, `},
		{`{"op":"list","publisher":"a.example","agent":"https://a.example","documents":[{"publisher":"a.example","revoke":["b.example"]}]}`, `did you mean revoked?`},
		{`{"op":"list","publisher":"a.example","agent":"https://a.example","documents":[{"publisher":"a.example","revoked":"b.example"}]}`, `revoked is not a list of texts`},
		{`{"op":"list","publisher":"a.example","agent":"https://a.example","documents":[{"publisher":"a.example","revoked":[5]}]}`, `revoked is not a list of texts`},
		{`{"op":"list","publisher":"a.example","agent":"https://a.example","documents":[{"publisher":"a.example","revoked":["x y"]}]}`, `revoked: \"x y\" is not a domain`},
		{`{"op":"list","publisher":"a.example","agent":"https://a.example","documents":[{"publisher":"a.example","replaced":"true"}]}`, `replaced is not true or false`},
		{`{"op":"list","publisher":"a.example","agent":"https://a.example","documents":[{"publisher":"a.example","url":5}]}`, `url is not a text`},
		{`{"op":"dance"}`, `there is no operation \"dance\"`},
		{`{}`, `there is no operation`},
		{`[]`, `there is no operation`},
		{``, `the request is not JSON`},
	} {
		if got := string(Call([]byte(tt.request), []byte(file))); !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %.300s, want %s", tt.request, got, tt.want)
		}
	}
	if got := string(Call([]byte(`{"op":"format"}`), []byte("{"))); !strings.HasPrefix(got, `{"error":{"code":"document","message":`) {
		t.Errorf("half a file: %s", got)
	}
}

// TestRevoked: a publisher that is to be treated as revoked has no agents, however it is written.
func TestRevoked(t *testing.T) {
	t.Parallel()
	const ask = `{"op":"authorize","publisher":"pub.example","agent":"https://a.example/mcp","at":"2026-03-01T12:00:00Z","documents":[{"publisher":"pub.example","size":261,"revoked":%s}]}`
	for revoked, want := range map[string]string{
		`null`: "authorized", `[]`: "authorized", `["other.example"]`: "authorized",
		`["pub.example"]`: "not_authorized", `["Pub.Example"]`: "not_authorized", `["pub.example."]`: "not_authorized",
	} {
		got := string(Call(fmt.Appendf(nil, ask, revoked), []byte(file)))
		if !strings.HasPrefix(got, `{"result":{"verdict":"`+want+`"`) {
			t.Errorf("%s: got %.300s, want %s", revoked, got, want)
		}
	}
}

// FuzzCall: every answer is JSON, with a result or an error.
func FuzzCall(f *testing.F) {
	f.Add(`{"op":"check","fixes":true}`, file)
	f.Add(`{"op":"fix","likely":true}`, "\xff{")
	f.Add(`{"op":"authorize","publisher":"pub.example","agent":"https://a.example/mcp","at":"2026-03-01T12:00:00Z","documents":[{"publisher":"pub.example","size":261}]}`, file)
	f.Add(`{"op":"list","publisher":"pub.example","agent":"https://a.example/mcp","at":"2026-03-01T12:00:00Z","documents":[{"publisher":"pub.example","size":261}]}`, file)
	f.Fuzz(func(t *testing.T, request, data string) {
		var got map[string]json.RawMessage
		answer := Call([]byte(request), []byte(data))
		err := json.Unmarshal(answer, &got)
		if err != nil || len(got) != 1 || got["result"] == nil && got["error"] == nil {
			t.Errorf("%s: %v in %s", request, err, answer)
		}
	})
}
