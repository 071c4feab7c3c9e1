package report

import (
	"slices"

	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/std/jsontree"
)

type sarifFix struct {
	Description sarifText       `json:"description"`
	Changes     []sarifChange   `json:"artifactChanges"`
	Properties  sarifFixDetails `json:"properties"`
}

type sarifFixDetails struct {
	Kind string `json:"kind"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRange    `json:"deletedRegion"`
	Inserted *sarifContent `json:"insertedContent,omitzero"`
}

type sarifContent struct {
	Text string `json:"text"`
}

// sarifRange is what an edit replaces. It is empty when the edit only inserts.
type sarifRange struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
	ByteOffset  int `json:"byteOffset"`
	ByteLength  int `json:"byteLength"`
}

// editPositions are the lines and columns of the edits of all fixes of a target, by file and
// byte.
type editPositions map[*check.Document]map[int]jsontree.Position

// positionsOf finds all of them in one pass over each file, which may be one line of many
// megabytes.
func positionsOf(r *check.Result) editPositions {
	offsets := map[*check.Document][]int{}
	for _, i := range r.Shown {
		f := r.Findings[i]
		for _, fix := range f.Fixes {
			for _, e := range fix.Edits {
				offsets[f.Doc] = append(offsets[f.Doc], e.Start, e.End)
			}
		}
	}
	positions := editPositions{}
	for doc, list := range offsets {
		slices.Sort(list)
		positions[doc] = map[int]jsontree.Position{}
		for _, p := range jsontree.Positions(doc.Src, slices.Compact(list)) {
			positions[doc][p.Offset] = p
		}
	}
	return positions
}

// fixes returns the fixes of a finding.
func (p editPositions) fixes(f check.Finding, artifact sarifArtifact) []sarifFix {
	var list []sarifFix
	for _, fix := range f.Fixes {
		change := sarifChange{Artifact: artifact}
		for _, e := range fix.Edits {
			from, to := p[f.Doc][e.Start], p[f.Doc][e.End]
			x := sarifReplacement{Deleted: sarifRange{from.Line, from.Column, to.Line, to.Column, e.Start, e.End - e.Start}}
			if e.New != "" {
				x.Inserted = &sarifContent{e.New}
			}
			change.Replacements = append(change.Replacements, x)
		}
		list = append(list, sarifFix{sarifText{Text: sarifPlain(fix.Title)}, []sarifChange{change},
			sarifFixDetails{fix.Kind.String()}})
	}
	return list
}
