package records

import (
	"encoding/binary"
	"encoding/hex"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/std/hostname"
)

// A brief is the part of a record that decides how a publisher or a file stands, in a form that is
// read in a tenth of the time. Lists judge hundreds of them.

// briefVersion begins each of them.
const briefVersion = 1

// briefMethods are the ways to a file, by their number.
var briefMethods = []custody.Method{"", custody.Direct, custody.AuthoritativeLocation, custody.ManagerDomain,
	custody.Superseded}

var briefCauses = []custody.Cause{"", custody.CauseSilence, custody.CauseUnusable, custody.CauseRefused}

type briefWriter []byte

func (w *briefWriter) number(n uint64) { *w = binary.AppendUvarint(*w, n) }

func (w *briefWriter) flags(flags ...bool) {
	var n uint64
	for i, set := range flags {
		if set {
			n |= 1 << i
		}
	}
	w.number(n)
}

func (w *briefWriter) times(list ...time.Time) {
	for _, t := range list {
		if t.IsZero() {
			*w = binary.AppendVarint(*w, 0)
			continue
		}
		*w = binary.AppendVarint(*w, t.UnixMicro())
	}
}

func (w *briefWriter) text(s string) {
	w.number(uint64(len(s)))
	*w = append(*w, s...)
}

// publisherBrief is the brief of a publisher.
func publisherBrief(p *custody.Publisher) []byte {
	w := briefWriter{briefVersion}
	w.flags(p.Absent, p.Move != nil, p.Move != nil && p.Move.Rejected)
	w.number(uint64(p.Closed))
	w.number(uint64(max(0, slices.Index(briefCauses, p.Cause))))
	w.times(p.AdoptedAt, p.ConfirmedAt, p.FreshUntil, p.TriedAt, p.FailingSince)
	if p.Move != nil {
		w.times(p.Move.Since)
		w.text(p.Move.To.URL)
	}
	w.number(uint64(max(0, slices.Index(briefMethods, p.Location.Method))))
	w.text(p.Location.Manager)
	if p.Location.URL == ownURL(p.Domain) {
		w.text("")
	} else {
		w.text(p.Location.URL)
	}
	return w
}

// ownURL is the place of a publisher's own file.
func ownURL(domain hostname.Domain) string {
	return "https://" + string(domain) + "/.well-known/adagents.json"
}

// fileBrief is the brief of a file.
func fileBrief(f *custody.File) []byte {
	w := briefWriter{briefVersion}
	w.flags(f.Overflow, f.Refused != nil, f.Hash != "")
	w.number(uint64(f.Closed))
	w.number(uint64(max(0, slices.Index(briefCauses, f.Cause))))
	w.times(f.AdoptedAt, f.ConfirmedAt, f.FreshUntil, f.TriedAt, f.FailingSince, f.Probation)
	if f.Refused != nil {
		w.times(f.Refused.Since)
		w.number(uint64(f.Refused.Looks))
		w.text(f.Refused.Code)
		w.text(f.Refused.Hash)
	}
	sum, err := hex.DecodeString(f.Hash)
	if err != nil {
		sum = nil
	}
	w.text(string(sum))
	return w
}

// A briefReader reads what a briefWriter has written. What is missing is zero, and noted.
type briefReader struct {
	rest    []byte
	damaged bool
}

func readBrief(b []byte) *briefReader {
	r := &briefReader{rest: b}
	r.damaged = r.number() != briefVersion
	return r
}

func (r *briefReader) number() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.damaged, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *briefReader) times(list ...*time.Time) {
	for _, t := range list {
		n, size := binary.Varint(r.rest)
		if size <= 0 {
			r.damaged, r.rest = true, nil
			return
		}
		r.rest = r.rest[size:]
		if n != 0 {
			*t = time.UnixMicro(n).UTC()
		}
	}
}

func (r *briefReader) text() string {
	n := r.number()
	if n > uint64(len(r.rest)) {
		r.damaged, r.rest = true, nil
		return ""
	}
	s := string(r.rest[:n])
	r.rest = r.rest[n:]
	return s
}

func (r *briefReader) err() error {
	if r.damaged || len(r.rest) > 0 {
		return errDamaged
	}
	return nil
}

// publisherOf reads the brief of a publisher.
func publisherOf(domain hostname.Domain, brief []byte) (*custody.Publisher, error) {
	r := readBrief(brief)
	p := &custody.Publisher{Domain: domain}
	flags := r.number()
	p.Absent = flags&1 != 0
	p.Closed = custody.Outcome(r.number())
	p.Cause = briefCauses[min(r.number(), uint64(len(briefCauses)-1))]
	r.times(&p.AdoptedAt, &p.ConfirmedAt, &p.FreshUntil, &p.TriedAt, &p.FailingSince)
	if flags&2 != 0 {
		p.Move = &custody.Move{Rejected: flags&4 != 0}
		r.times(&p.Move.Since)
		p.Move.To.URL = r.text()
	}
	p.Location.Method = briefMethods[min(r.number(), uint64(len(briefMethods)-1))]
	p.Location.Manager, p.Location.URL = r.text(), r.text()
	if p.Location.URL == "" && p.Location.Method != "" {
		p.Location.URL = ownURL(domain)
	}
	return p, r.err()
}

// fileOf reads the brief of a file.
func fileOf(url string, brief []byte) (*custody.File, error) {
	r := readBrief(brief)
	f := &custody.File{URL: url}
	flags := r.number()
	f.Overflow = flags&1 != 0
	f.Closed = custody.Outcome(r.number())
	f.Cause = briefCauses[min(r.number(), uint64(len(briefCauses)-1))]
	r.times(&f.AdoptedAt, &f.ConfirmedAt, &f.FreshUntil, &f.TriedAt, &f.FailingSince, &f.Probation)
	if flags&2 != 0 {
		f.Refused = &custody.Refusal{}
		r.times(&f.Refused.Since)
		f.Refused.Looks, f.Refused.Code, f.Refused.Hash = int(r.number()), r.text(), r.text()
	}
	f.Hash = hex.EncodeToString([]byte(r.text()))
	if flags&4 != 0 && f.Hash == "" {
		f.Hash = "?" // one that was not written as a hash
	}
	return f, r.err()
}
