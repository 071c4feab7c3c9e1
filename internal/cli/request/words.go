package request

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/redact"
)

// requestLine is everything about a request that fits into a line.
func requestLine(x *fetch.Exchange) string {
	address := "-"
	if x.Dialled.IsValid() {
		address = x.Dialled.String()
	}
	parts := []string{
		x.Method, ShownURL(x.URL), Status(x), console.Bytes(x.Bytes), console.Milliseconds(x.Timings.Total), address,
		Outcome(x.Outcome),
	}
	if x.Attempt > 1 {
		parts = append(parts, fmt.Sprintf("(attempt %d)", x.Attempt))
	}
	line := strings.Join(parts, " ")
	if x.Outcome != fetch.Found && x.Detail != "" {
		line += ": " + console.Safe(redact.Credentials(x.Detail))
	}
	return line
}

// Status is the HTTP status, or a dash when no answer came.
func Status(x *fetch.Exchange) string {
	if x.Status == 0 {
		return "-"
	}
	return strconv.Itoa(x.Status)
}

// ShownURL makes a URL from outside fit for a line of a terminal.
func ShownURL(url string) string { return console.Safe(redact.URL(url)) }

// Outcome is the name of an outcome for people.
func Outcome(o fetch.Outcome) string { return strings.ReplaceAll(o.String(), "_", " ") }
