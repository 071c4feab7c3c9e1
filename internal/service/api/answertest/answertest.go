// Package answertest looks at answers of the API in tests: at their members, and whether
// they are as the OpenAPI document describes them. Nothing that ships imports it.
package answertest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

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

// Conforms returns how an answer differs from what an OpenAPI document says about it.
func Conforms(openAPI []byte, method, path string, status int, body []byte) error {
	path, _, _ = strings.Cut(path, "?")
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(openAPI))
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	err = c.AddResource("https://avow.example/openapi.json", doc)
	if err != nil {
		return err
	}
	schema, err := c.Compile(
		fmt.Sprintf("https://avow.example/openapi.json#/paths/%s/%s/responses/%d/content/application~1json/schema",
			strings.ReplaceAll(path, "/", "~1"), strings.ToLower(method), status))
	if err != nil {
		return fmt.Errorf("%s %s answers %d, which is not described: %w", method, path, status, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	err = schema.Validate(value)
	if err != nil {
		return fmt.Errorf("%s %s is not as it is described: %w", method, path, err)
	}
	return nil
}
