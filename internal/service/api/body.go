package api

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/ops"
	"github.com/avow-project/avow/internal/service/registry"
)

// read reads the input of a request.
func read(p *ops.Plan, w http.ResponseWriter, r *http.Request, in any) error {
	err := p.Query(in, r.PathValue, r.URL.RawQuery)
	if err != nil || p.Body == nil {
		return err
	}
	src, err := body(p.Body.Limit, w, r)
	if err != nil {
		return err
	}
	return p.JSON(in, src)
}

// body reads the body of a request up to a limit. Its content type does not matter: clients send
// what their library sets, and what counts is whether it is JSON.
func body(limit int64, w http.ResponseWriter, r *http.Request) ([]byte, error) {
	encoding := r.Header.Get("Content-Encoding")
	if encoding != "" && !strings.EqualFold(encoding, "identity") {
		return nil, edge.EncodedBody
	}
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	src, err := readAll(limit, w, r)
	var over *http.MaxBytesError
	if errors.As(err, &over) || int64(len(src)) > limit {
		return nil, tooLarge(limit)
	}
	if err == nil || errors.Is(err, io.EOF) {
		return src, nil
	}
	return nil, &registry.Error{Kind: registry.Invalid, Code: "request.body", Message: "The request body did not arrive",
		Hint: "send it whole and without delay"}
}

// A wholeBody is one that has been read.
type wholeBody interface{ Whole() ([]byte, error) }

func readAll(limit int64, w http.ResponseWriter, r *http.Request) ([]byte, error) {
	whole, ok := r.Body.(wholeBody)
	if ok {
		return whole.Whole()
	}
	b := new(bytes.Buffer)
	b.Grow(int(max(r.ContentLength, 0)) + bytes.MinRead)
	_, err := b.ReadFrom(http.MaxBytesReader(w, r.Body, limit))
	return b.Bytes(), err
}

func tooLarge(limit int64) error {
	return &registry.Error{
		Kind: registry.TooLarge, Code: "request.size", Message: "Request body too large",
		Hint: "at most " + strconv.FormatInt(limit, 10) + " bytes are read",
	}
}
