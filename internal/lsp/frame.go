package lsp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	// mostMessage is the largest message: the largest file, with everything in it escaped.
	mostMessage = 6*(20<<20) + 1<<20
	// mostHeader is the longest header before a message.
	mostHeader = 4096
)

// errFrame is the error of input that is not a message, after which is unknown where the
// next one begins.
var errFrame = errors.New("the input is not that of a language client")

// readFrame reads the content of one message.
func readFrame(r *bufio.Reader) ([]byte, error) {
	length, seen := -1, 0
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			if errors.Is(err, io.EOF) && len(line) == 0 && seen == 0 {
				return nil, io.EOF
			}
			return nil, errFrame
		}
		seen += len(line)
		name, value, ok := strings.Cut(strings.TrimRight(string(line), "\r\n"), ":")
		switch {
		case name == "" && !ok && length >= 0:
			content := make([]byte, length)
			_, err = io.ReadFull(r, content)
			if err != nil {
				return nil, errFrame
			}
			return content, nil
		case !ok || seen > mostHeader:
			return nil, errFrame
		case strings.EqualFold(strings.TrimSpace(name), "Content-Length"):
			length, err = strconv.Atoi(strings.TrimSpace(value))
			if err != nil || length < 0 || length > mostMessage {
				return nil, errFrame
			}
		}
	}
}

// writeFrame writes a message, the same one always in the same order. What may be read may be
// written: the id of a request comes back.
func writeFrame(w io.Writer, message any) error {
	content, err := json.Marshal(message, readOptions, jsontext.PreserveRawStrings(true), json.Deterministic(true))
	if err != nil {
		return err
	}
	_, err = w.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(content)), content...))
	return err
}

// A message is a request when it has an id, and otherwise a notification.
type message struct {
	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params jsontext.Value `json:"params"`
}

// readOptions accept what clients in other languages may write: halves of surrogate pairs in
// texts, which then are one unit of UTF-16 still, and members twice.
var readOptions = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// decode reads the params of a message.
func decode[T any](params jsontext.Value) (*T, error) {
	out := new(T)
	if len(params) == 0 {
		return out, nil
	}
	err := json.Unmarshal(params, out, readOptions)
	if err != nil {
		return nil, &failure{invalidParams, "the params cannot be read"}
	}
	return out, nil
}

// The codes of failures.
const (
	parseError     = -32700
	invalidRequest = -32600
	methodNotFound = -32601
	invalidParams  = -32602
	internalError  = -32603
	notInitialized = -32002
	requestFailed  = -32803
	cancelled      = -32800
)

// A failure is an error for the client.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error returns the message.
func (f *failure) Error() string { return f.Message }

type success struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Result  any            `json:"result"`
}

type refusal struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Error   *failure       `json:"error"`
}

type notification struct {
	Version string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}
