// Package answertest looks at answers of the API in tests: at their members, and whether
// they are as the OpenAPI document describes them. Nothing that ships imports it.
package answertest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Member returns the text of a member by its JSON Pointer; strings without their quotes,
// and empty for none.
func Member(src []byte, pointer string) (string, error) {
	dec := jsontext.NewDecoder(bytes.NewReader(src))
	for {
		tok, err := dec.ReadToken()
		if errors.Is(err, io.EOF) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		if string(dec.StackPointer()) != pointer {
			continue
		}
		kind, n := dec.StackIndex(dec.StackDepth())
		if kind == '{' && n%2 == 1 {
			continue // the name; the value follows
		}
		return tok.String(), nil
	}
}

// compilers has a compiler of schemas for each OpenAPI document: to read one takes much longer than to look at an
// answer.
var (
	mu        sync.Mutex
	compilers = map[string]*jsonschema.Compiler{}
)

// schema returns the schema at a place in an OpenAPI document.
func schema(openAPI []byte, pointer string) (*jsonschema.Schema, error) {
	const address = "https://avow.example/openapi.json"
	mu.Lock()
	defer mu.Unlock()
	c := compilers[string(openAPI)]
	if c == nil {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(openAPI))
		if err != nil {
			return nil, err
		}
		c = jsonschema.NewCompiler()
		err = c.AddResource(address, doc)
		if err != nil {
			return nil, err
		}
		compilers[string(openAPI)] = c
	}
	return c.Compile(address + "#" + pointer)
}

// Conforms returns how an answer differs from what an OpenAPI document says about it.
func Conforms(openAPI []byte, method, path string, status int, body []byte) error {
	path, _, _ = strings.Cut(path, "?")
	described, err := schema(openAPI, fmt.Sprintf("/paths/%s/%s/responses/%d/content/application~1json/schema",
		strings.ReplaceAll(path, "/", "~1"), strings.ToLower(method), status))
	if err != nil {
		return fmt.Errorf("%s %s answers %d, which is not described: %w", method, path, status, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	err = described.Validate(value)
	if err != nil {
		return fmt.Errorf("%s %s is not as it is described: %w", method, path, err)
	}
	return nil
}
