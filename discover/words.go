package discover

import (
	"fmt"

	"github.com/avow-project/avow/internal/fetch"
)

const (
	nextNothing   = "nothing else is asked"
	nextNoManager = "no manager is asked: the publisher has no file"
)

// says joins the host that answered with what it does.
func says(h *Hop, what string) string { return hostOf(h.Result.URL) + " " + what }

// meaningOf says what an outcome without a file means for the question. Outcomes
// without a connection get one sentence, which does not let anybody explore the
// network that avow runs in.
func meaningOf(h *Hop) string {
	x := h.Result.Last()
	switch h.Result.Outcome.Public() {
	case fetch.PublicTimeout:
		return "no answer came in time, so nothing is known"
	case fetch.PublicConnection:
		return "could not connect, so nothing is known"
	case fetch.PublicRedirect:
		return fmt.Sprintf("the answer is a redirect (%d) that is not followed, so its target was not asked", x.Status)
	case fetch.PublicSize:
		return "the answer is too large to be read"
	case fetch.PublicContentType:
		return "the answer is not of the type that the file has to be"
	case fetch.PublicMessage:
		return "the answer is broken, and no part of a broken answer is used"
	case fetch.PublicURL:
		return "nothing was sent: the URL cannot be requested"
	}
	return meaningOfStatus(h, x.Status)
}

func meaningOfStatus(h *Hop, status int) string {
	switch h.Result.Outcome {
	case fetch.Absent:
		return "there is no " + thing(h) + " (404); this neither allows nor forbids any agent"
	case fetch.AccessDeniedObjectStore:
		return "the object store has no such object, or hides it (403 AccessDenied); that means no " + thing(h)
	case fetch.Forbidden:
		return fmt.Sprintf("the server does not let everybody read this (%d), so it is not known whether there is a %s",
			status, thing(h))
	case fetch.RateLimited, fetch.ServerError:
		return fmt.Sprintf("the server cannot answer now (%d), so it is not known whether there is a %s", status, thing(h))
	}
	return fmt.Sprintf("the answer (%d) is neither a file nor the word that there is none", status)
}

// thing is what a step asks for.
func thing(h *Hop) string {
	if h.Step == AdsTxt {
		return "ads.txt"
	}
	return "file"
}
