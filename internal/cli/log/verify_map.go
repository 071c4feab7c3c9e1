package log

import (
	"slices"

	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/translog"
	"github.com/avow-project/avow/internal/wire"
)

// addMap verifies a proof by a map.
func (r *result) addMap(text []byte, policy *translog.Policy) error {
	p, err := translog.ParseMapProof(text)
	if err != nil {
		return err
	}
	v, err := p.Verify(policy)
	if err == nil {
		r.maps = append(r.maps, v)
	}
	return err
}

// mapped marks leaves that were the newest by a map.
func (r *result) mapped() {
	for _, m := range r.maps {
		for _, v := range r.proved {
			if v.Head.Origin == m.Map.Head.Origin && v.Leaf.Subject == m.Subject && v.Index == m.Newest {
				v.Newest = m.Map
			}
		}
	}
}

// heads are all leaves that are proved, also those with maps.
func (r *result) heads() []*translog.Verified {
	all := slices.Clone(r.proved)
	for _, m := range r.maps {
		all = append(all, m.Map)
	}
	return all
}

// A mapDocument is what a map shows of a subject. Newest is the index of its newest leaf; null for none.
type mapDocument struct {
	Origin    string   `json:"origin"`
	Subject   string   `json:"subject"`
	Newest    *int64   `json:"newest"`
	At        string   `json:"at"`
	Index     int64    `json:"index"`
	Size      int64    `json:"size"`
	Sentences []string `json:"proves"`
}

func mapDocumentOf(v *translog.VerifiedMap) mapDocument {
	d := mapDocument{
		Origin: v.Map.Head.Origin, Subject: v.Subject.String(), At: wire.Time(v.Map.Leaf.At), Index: v.Map.Index, Size: v.Map.Leaf.Map.Size, Sentences: v.Proves(),
	}
	if v.Newest >= 0 {
		d.Newest = &v.Newest
	}
	return d
}

// title says in a line what is proved.
func (r *result) title() string {
	if len(r.proved) == 0 {
		return "what a map of the log of " + r.maps[0].Map.Head.Origin + " says"
	}
	return words.Plural(len(r.proved), "leaf is", "leaves are") + " in the log of " + r.proved[0].Head.Origin
}
