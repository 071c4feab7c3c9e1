package authorize

import (
	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/cli/sources"
)

// answerDocument is the JSON output of the authorize command. Its members are a contract
// like those of resultDocument.
type answerDocument struct {
	answer.Answer
	// Custody is absent unless files are kept over time.
	Custody *sources.JSONStanding `json:"custody,omitempty"`
	// Receipt is absent unless --proof asked for one.
	Receipt *answer.Receipt `json:"receipt,omitempty"`
}
