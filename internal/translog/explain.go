package translog

import (
	"fmt"
	"strings"
	"time"
)

// sentences say what leaves of a kind tell. %s is the subject.
var sentences = map[string]string{
	"file.adopted":      "the first version of %s was adopted",
	"file.changed":      "another version of %s was adopted",
	"file.rollback":     "an older version of %s was seen and refused",
	"file.contradicted": "a version of %s that was seen for a short time is no longer in effect",
	"file.date_missing": "a version of %s without a date was seen and refused",
	"file.future":       "a version of %s dated in the future was seen and refused",
	"file.confirmed":    "an operator confirmed a refused version of %s",
	"file.undone":       "an operator took back the confirmation of a version of %s",
	"file.gone":         "%s was taken away",
	"file.denied":       "%s was not given out any more",
	"file.returned":     "%s was back",
	"file.recovered":    "%s could be had again",
	"file.expired":      "%s was no longer in effect, because nothing confirmed it",
	"file.overflow":     "%s had more revocations than can be kept, so nothing of it was in effect",

	"publisher.located":   "%s got its first location",
	"publisher.expired":   "the location of %s was no longer in effect, because nothing confirmed it",
	"publisher.absent":    "%s had no file any more",
	"publisher.denied":    "%s refused to answer",
	"publisher.returned":  "%s had a file again",
	"publisher.recovered": "%s could be reached again",

	"move.held":      "%s moved to another location, and the move was held",
	"move.restarted": "the pending move of %s got another target",
	"move.doubted":   "something spoke against the pending move of %s",
	"move.cancelled": "the pending move of %s was taken back",
	"move.adopted":   "the authority of %s moved to another location",
	"move.confirmed": "an operator confirmed the move of %s",
	"move.rejected":  "an operator rejected the move of %s",
	"move.undone":    "an operator took back a decision about the move of %s",

	"revocation.observed": "%s revoked publishers",
	"revocation.relisted": "%s revoked publishers again",
	"revocation.lifted":   "an operator ended the hold of a revocation in %s",

	"state.restored": "an old copy of the registry's store was accepted, and nothing was in effect until it was seen again",
	"record.known":   "%s was known already when the log began",
	"log.begin":      "the log began",
	"log.key":        "the keys of the log changed",
	"log.end":        "the log ended, and nothing that comes after this leaf is its own",
}

// Sentence says what a leaf tells, as the word of the registry.
func (l *Leaf) Sentence() string {
	form, ok := sentences[l.Kind]
	if !ok {
		form = "something of the kind " + l.Kind + " happened to %s"
	}
	text := form
	if strings.Contains(form, "%s") {
		text = fmt.Sprintf(form, l.Subject.words())
	}
	return text + l.after()
}

func (s Subject) words() string {
	switch s.Kind {
	case SubjectPublisher:
		return s.Name
	case SubjectFile:
		return "the file whose URL has the hash " + s.Name[:12] + "…"
	}
	return "the log"
}

// after says what is so after the event.
func (l *Leaf) after() string {
	switch {
	case l.Counts == None:
		return "; no version of it was in effect then"
	case l.Counts != "":
		return "; the version in effect was then " + l.Counts[:12] + "…"
	case l.Place.Method == None:
		return "; no file spoke for it then"
	case l.Place.Method != "":
		return "; the file " + l.Place.File[:12] + "… spoke for it then (" + l.Place.Method + ")"
	case l.Old != nil:
		return fmt.Sprintf(
			" in the place of the log %s, of which the first %s count, with the root %s…, and nothing after them", l.Old.Origin,
			counted(l.Old.Size, "leaf"), l.Old.Root[:12])
	}
	return ""
}

// Proves says what a verified proof shows, in sentences.
func (v *Verified) Proves() []string {
	l := v.Leaf
	claim := fmt.Sprintf("%s claims: at %s %s", v.Head.Origin, l.At.Format(time.RFC3339), l.Sentence())
	if d := l.Document; d != nil {
		claim += fmt.Sprintf(". It saw a document of %d bytes with the SHA-256 %s, which names %s", d.Bytes, d.Hash,
			counted(d.Agents.Count, "agent"))
	}
	return append([]string{
		claim,
		fmt.Sprintf(
			"this is leaf %d of its log, and cannot be changed or taken out without breaking the signature over a log of %s",
			v.Index, counted(v.Head.Size, "leaf")),
	}, v.signatures()...)
}

// signatures says until when the log had what was proved.
func (v *Verified) signatures() []string {
	var all []string
	for _, w := range v.Witnesses {
		all = append(all, fmt.Sprintf("the log had %s no later than %s, by the signature of %s", counted(v.Head.Size, "leaf"),
			w.At.Format(time.RFC3339), w.Name))
	}
	return all
}

// LeavesOpen says what a verified proof leaves open.
func (v *Verified) LeavesOpen() []string {
	return append([]string{
		"that the publisher served this, or meant it: it is what the registry says that it saw",
		"that nothing newer existed: the log may have a later leaf about the same subject",
	}, v.shown()...)
}

// shown says what the signatures under the head leave open.
func (v *Verified) shown() []string {
	if len(v.Witnesses) == 0 {
		return []string{
			"when the leaf came into the log: no signature with a time was checked",
			"that everybody is shown the same log: no witness was asked for",
		}
	}
	for _, w := range v.Witnesses {
		if !w.Own {
			return nil
		}
	}
	return []string{"that everybody is shown the same log: only the log itself has signed the time"}
}

// ClockName is what a policy calls the key with which a log signs the time of its own
// checkpoints.
const ClockName = "clock"

func counted(n int64, word string) string {
	switch {
	case n == 1:
		return "1 " + word
	case strings.HasSuffix(word, "f"):
		return fmt.Sprintf("%d %sves", n, strings.TrimSuffix(word, "f"))
	}
	return fmt.Sprintf("%d %ss", n, word)
}
