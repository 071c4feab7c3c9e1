package rollout

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/hostname"
)

// keptVisit is a Visit as it is kept for a run that goes on.
type keptVisit struct {
	Publisher  hostname.Domain   `json:"publisher"`
	Answer     int               `json:"answer"`
	Method     int               `json:"method"`
	Outcome    int               `json:"outcome"`
	Pointer    string            `json:"pointer,omitempty"`
	Resolved   string            `json:"resolved,omitempty"`
	Hash       [sha256.Size]byte `json:"hash"`
	Redirected bool              `json:"redirected,omitempty"`
	Superseded bool              `json:"superseded,omitempty"`
	Flaw       [3]string         `json:"flaw"`
	Own        []string          `json:"own,omitempty"`
	Others     int               `json:"others,omitempty"`
	Claimed    bool              `json:"claimed,omitempty"`
}

// MarshalJSON writes a visit so that UnmarshalJSON of the same version reads it.
func (v Visit) MarshalJSON() ([]byte, error) {
	return json.Marshal(keptVisit{
		v.Publisher, int(v.answer), int(v.method), int(v.outcome), v.pointer, v.resolved, v.hash, v.redirected, v.superseded,
		[3]string{v.flaw.code, v.flaw.message, v.flaw.url}, v.own, v.others, v.claimed,
	}, jsontext.AllowInvalidUTF8(true))
}

// UnmarshalJSON reads what MarshalJSON has written.
func (v *Visit) UnmarshalJSON(b []byte) error {
	var k keptVisit
	err := json.Unmarshal(b, &k)
	*v = Visit{
		Publisher: k.Publisher, answer: discover.Answer(k.Answer), method: discover.Method(k.Method),
		outcome: fetch.Outcome(k.Outcome), pointer: k.Pointer, resolved: k.Resolved,
		hash: k.Hash, redirected: k.Redirected, superseded: k.Superseded, flaw: flaw{k.Flaw[0], k.Flaw[1], k.Flaw[2]},
		own: k.Own, others: k.Others, claimed: k.Claimed,
	}
	return err
}

// Hash returns the SHA-256 of the file's bytes, in hexadecimal digits.
func (n *Network) Hash() string { return hex.EncodeToString(n.hash[:]) }
