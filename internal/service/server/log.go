package server

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// longestLogged is the longest value in a line of the log, in bytes.
const longestLogged = 256

// NewLogger returns a logger for the service that writes lines of JSON or of text. No
// value in a line is longer than 256 bytes, none has characters that a terminal would
// obey, and none is a key of ours. A line that belongs to a request has its id.
func NewLogger(w io.Writer, format string, level slog.Level) *slog.Logger {
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: tame}
	var h slog.Handler = slog.NewTextHandler(w, options)
	if format == "json" {
		h = slog.NewJSONHandler(w, options)
	}
	return slog.New(&requestHandler{h})
}

// tame makes a value fit for the log.
func tame(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.LevelKey || a.Key == slog.TimeKey) {
		return a
	}
	switch a.Value.Kind() {
	case slog.KindString:
		return slog.String(a.Key, tameText(a.Value.String()))
	case slog.KindAny:
		return slog.String(a.Key, tameText(fmt.Sprint(a.Value.Any())))
	}
	return a
}

// tameText shortens a text, hides keys in it and writes out what cannot be seen. The
// result may be a little longer than the limit, by what was written out.
func tameText(s string) string {
	if len(s) > 2*longestLogged {
		s = s[:2*longestLogged] // enough to see a key at the end as one
	}
	s = textsafe.Terminal(hideKeys(s))
	if len(s) > longestLogged {
		s = strings.ToValidUTF8(s[:longestLogged-len("...")], "") + "..."
	}
	return s
}

// hideKeys replaces whatever follows the prefix of our keys. A key in a path or in the
// error of a library would otherwise be readable for everybody who reads logs.
func hideKeys(s string) string {
	const prefix = "avow_"
	i := strings.Index(s, prefix)
	if i < 0 {
		return s
	}
	var b strings.Builder
	for ; i >= 0; i = strings.Index(s, prefix) {
		b.WriteString(s[:i+len(prefix)])
		s = s[i+len(prefix):]
		rest := strings.TrimLeft(s, "0123456789abcdefABCDEF")
		if len(s)-len(rest) >= 8 {
			b.WriteString("[hidden]")
			s = rest
		}
	}
	return b.String() + s
}

// requestHandler adds the id of the request to lines that belong to one.
type requestHandler struct{ slog.Handler }

// Handle writes a line.
func (h *requestHandler) Handle(ctx context.Context, line slog.Record) error {
	id := registry.CallOf(ctx).RequestID
	named := false
	line.Attrs(func(a slog.Attr) bool {
		named = a.Key == requestIDKey
		return !named
	})
	if id != "" && !named {
		line = line.Clone()
		line.AddAttrs(slog.String(requestIDKey, id))
	}
	return h.Handler.Handle(ctx, line)
}

// WithAttrs returns a handler with some values fixed.
func (h *requestHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &requestHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup returns a handler whose values are in a group.
func (h *requestHandler) WithGroup(name string) slog.Handler {
	return &requestHandler{h.Handler.WithGroup(name)}
}

// requestIDKey is the name of the request id in the log.
const requestIDKey = "request_id"
