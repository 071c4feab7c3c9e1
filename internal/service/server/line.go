package server

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/avow-project/avow/internal/service/edge"
)

// levelOf returns how important the line of a request is. Health checks come every few
// seconds and say nothing as long as all is well.
func levelOf(x *exchange) slog.Level {
	switch {
	case x.status >= http.StatusInternalServerError && x.refused != edge.Busy.Code:
		return slog.LevelWarn
	case x.route.Pattern == healthPattern && x.status < http.StatusInternalServerError:
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// lineOf is what the log says about a request. It has no query, no headers but one and
// no body: these hold what callers ask about, and keys.
func lineOf(x *exchange, r *http.Request, key string, took time.Duration) []slog.Attr {
	line := []slog.Attr{
		slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", x.status),
		slog.Int64("bytes", x.bytes), slog.Float64("ms", float64(took.Microseconds())/1000), slog.String("client", x.client),
		slog.String("user_agent", r.UserAgent()),
	}
	if key != "" {
		line = append(line, slog.String("key", key))
	}
	if x.refused != "" {
		line = append(line, slog.String("refused", x.refused))
	}
	return line
}
