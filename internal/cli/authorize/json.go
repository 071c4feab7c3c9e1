package authorize

import (
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/wire"
)

// answerDocument is the JSON output of the authorize command. Its members are a contract
// like those of resultDocument.
type answerDocument struct {
	wire.Answer[[]wire.Covered]
	// Custody is absent unless files are kept over time.
	Custody *sources.JSONStanding `json:"custody,omitempty"`
	// Receipt is absent unless --proof asked for one.
	Receipt *receiptDocument `json:"receipt,omitempty"`
}
