package api

import (
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/fetch"
	"github.com/avow-project/avow/internal/redact"
)

// hop is one step of the way to a file. It says nothing about addresses, and does not
// tell apart why could not connect: that would let anybody explore the network
// that the service runs in.
type hop struct {
	Step        string `json:"step" doc:"well_known, authoritative, ads_txt, manager, manager_authoritative or superseding."`
	URL         string `json:"url" doc:"What was asked for, or would have been."`
	ResolvedURL string `json:"resolved_url,omitempty" doc:"Where redirects led; absent without any."`
	Status      int    `json:"status" doc:"HTTP status; 0 when no answer came."`
	Bytes       int64  `json:"bytes" doc:"Size of the body after decompression."`
	Outcome     string `json:"outcome" doc:"How it ended: found, absent, connection, timeout and others; unasked when nothing was sent."`
	SHA256      string `json:"sha256,omitempty" doc:"Of the body, when it was read as a whole."`
	Meaning     string `json:"meaning,omitempty" doc:"What came back means, for people."`
	Next        string `json:"next,omitempty" doc:"Why the next step was or was not taken, for people."`
}

func trailOf(d *discover.Discovery) []hop {
	list := make([]hop, 0, len(d.Trail))
	for i := range d.Trail {
		list = append(list, hopOf(&d.Trail[i]))
	}
	return list
}

func hopOf(h *discover.Hop) hop {
	doc := hop{
		Step: h.Step.String(), URL: redact.URL(h.URL), Outcome: fetch.Unasked.String(),
		Meaning: redact.Credentials(h.Meaning), Next: redact.Credentials(h.Next),
	}
	if h.Result == nil {
		return doc
	}
	last := h.Result.Last()
	doc.Status, doc.Bytes, doc.SHA256, doc.Outcome = last.Status, last.Bytes, last.SHA256, publicOutcome(h.Result.Outcome)
	if h.Result.URL != h.URL {
		doc.ResolvedURL = redact.URL(h.Result.URL)
	}
	return doc
}

// publicOutcome is the name of an outcome for strangers.
func publicOutcome(o fetch.Outcome) string {
	switch kind := o.Public(); kind {
	case fetch.PublicConnection, fetch.PublicTimeout:
		return string(kind)
	}
	return o.String()
}
