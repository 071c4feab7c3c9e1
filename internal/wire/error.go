package wire

import "time"

// Error is the body of an answer that says what is wrong. Clients read the member error,
// which is always a string; the others are there where they help.
type Error struct {
	Success *bool    `json:"success,omitzero" doc:"False; for the routes below /api/adagents only."`
	Error   string   `json:"error" doc:"What is wrong, in a sentence for people."`
	Message string   `json:"message,omitempty" doc:"More about it, for people."`
	Code    string   `json:"code,omitempty" doc:"A stable word for programs."`
	Hint    string   `json:"hint,omitempty" doc:"What to do about it."`
	Details []string `json:"details,omitempty" doc:"Findings about what was sent, one line each."`
	// Clients look for one spelling or the other. The description of the API has the first
	// alone: programs that make clients from it give both the same name.
	RetryAfter    int    `json:"retry_after,omitzero" doc:"Seconds to wait before trying again; also in the header Retry-After."`
	RetryAfterToo int    `json:"retryAfter,omitzero" hidden:"true" doc:"The same, for clients that read this spelling; not in the OpenAPI document."`
	RequestID     string `json:"request_id,omitempty" doc:"Names the call in the log of the service; for internal errors."`
	Timestamp     string `json:"timestamp,omitempty" format:"date-time" doc:"For the routes below /api/adagents only."`
}

// Envelop adds what the routes below /api/adagents have in every answer.
func (e *Error) Envelop(at time.Time) {
	e.Success, e.Timestamp = new(bool), API.Time(at)
}
