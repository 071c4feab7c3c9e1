package directory

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// An outline says of each name in the directory which agents it is found by, so that a directory
// that starts can list publishers before it has read them. Only what no silent change can make
// untrue is in it: a publisher whose agents may be others without an event, or because time has
// passed, is to be read again first.
//
// The first part is a header. Each of the others has a list of agents, and then names in
// alphabetical order, each with a kind and what that has.

// The kinds of names in an outline.
const (
	// onlyNamed: the files of others name it.
	onlyNamed = iota
	// readAgain: it has to be read before anything is listed.
	readAgain
	// asListed: its file lets the agents sell something that follow, by their places in the list
	// of the part, until a time in minutes, when it is to be read again; zero for never.
	asListed
)

const (
	// outlineFormat is that of the parts.
	outlineFormat = 1
	// mostNames is how many names a part has, and partBytes about how long it becomes.
	mostNames = 4096
	partBytes = 1 << 20
	// mostOutlined is how many agents an outline has of a publisher. Who has more is read again.
	mostOutlined = 1000
)

// errOutline is about an outline that cannot be begun with.
var errOutline = errors.New("the outline of the directory is not one of this release, or damaged")

// header is the first part of an outline of so many parts. Another release may read files
// otherwise, so it does not believe the outline of this one.
func header(parts int) string { return fmt.Sprint(outlineFormat, " ", release(), " ", parts) }

var release = sync.OnceValue(func() string {
	b := buildinfo.Get()
	return b.Version + " " + b.Commit
})

// outline returns the outline of the directory. It is locked for a part at a time: what changes
// meanwhile has an event after the last that was followed before.
func (d *Directory) outline(last int64) *custodian.Outline {
	o := &custodian.Outline{Number: last, Parts: [][]byte{nil}}
	for after := ""; ; {
		part, next := d.outlinePart(after)
		if part != nil {
			o.Parts = append(o.Parts, part)
		}
		if next == "" {
			break
		}
		after = next
	}
	o.Parts[0] = []byte(header(len(o.Parts)))
	return o
}

// outlinePart returns a part with names after one, and the last of them if there may be more.
func (d *Directory) outlinePart(after string) ([]byte, string) {
	var agents, names []byte
	count, places := 0, map[string]uint64{}
	d.mu.RLock()
	defer d.mu.RUnlock()
	last := ""
	for name := range d.names.after(after) {
		if count == mostNames || len(names)+len(agents) >= partBytes {
			last = after
			break
		}
		count, after = count+1, name
		names = appendText(names, name)
		p := d.publishers[hostname.Domain(name)]
		kind := p.outlined()
		names = append(names, kind)
		if kind != asListed {
			continue
		}
		names = binary.AppendUvarint(names, uint64(len(p.Grants)))
		for i := range p.Grants {
			place, ok := places[p.Grants[i].Agent]
			if !ok {
				place = uint64(len(places))
				places[p.Grants[i].Agent] = place
				agents = appendText(agents, p.Grants[i].Agent)
			}
			names = binary.AppendUvarint(names, place)
		}
		names = binary.AppendUvarint(names, p.lasts())
	}
	if count == 0 {
		return nil, ""
	}
	return append(append(binary.AppendUvarint(nil, uint64(len(places))), agents...), names...), last
}

func appendText(to []byte, text string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// outlined is the kind of a publisher; nil is one that was only named. Nothing is found by a
// publisher that never had a place, or has no file; both have an event when they get one.
func (p *Publisher) outlined() byte {
	switch {
	case p == nil:
		return onlyNamed
	case p.Missing || p.optedOut || p.record == nil || len(p.revoked)+len(p.signals)+len(p.unsettled) > 0 || len(p.Grants) > mostOutlined:
		return readAgain
	case p.record.Location == (custody.Location{}) || p.state == resolve.Absent:
		return asListed
	case !p.served || p.state != resolve.Usable || len(p.Grants) == 0 || p.file == nil || !p.indexed:
		return readAgain
	}
	return asListed
}

// lasts is until when the publisher and its file count, in minutes, if nothing happens; zero for
// one without a file.
func (p *Publisher) lasts() uint64 {
	if len(p.Grants) == 0 {
		return 0
	}
	until := usableUntil(p.record.ConfirmedAt, p.record.Standing, p.record.Steady)
	until = earlier(until, usableUntil(p.file.ConfirmedAt, p.file.Standing, p.file.Steady))
	return uint64(max(1, until.Unix()/60))
}

// usableUntil returns when a record that was confirmed at a time cannot be used any more.
func usableUntil(at time.Time, standing func(custody.Moment) custody.Standing, steady func(custody.Moment) (time.Time, time.Time)) time.Time {
	for standing(custody.At(at)).Usable() {
		_, until := steady(custody.At(at))
		if !until.After(at) {
			break
		}
		at = until
	}
	return at
}

// A listed is what a part of an outline says of a name.
type listed struct {
	name   hostname.Domain
	kind   byte
	agents []string
	until  time.Time
}

// readPart calls f for every name of a part.
func readPart(part []byte, f func(listed)) error {
	r := &reader{rest: part}
	agents := make([]string, 0, min(r.number(), uint64(len(part))))
	for range cap(agents) {
		agents = append(agents, r.text())
	}
	for len(r.rest) > 0 && !r.bad {
		one := listed{name: hostname.Domain(r.text()), kind: r.byte()}
		if one.kind > asListed || one.name == "" {
			return errOutline
		}
		if one.kind == asListed {
			for range min(r.number(), mostOutlined) {
				place := r.number()
				if place >= uint64(len(agents)) {
					return errOutline
				}
				one.agents = append(one.agents, agents[place])
			}
			if minutes := r.number(); minutes > 0 {
				one.until = time.Unix(int64(min(minutes, 1<<40))*60, 0)
			}
		}
		if !r.bad {
			f(one)
		}
	}
	if r.bad {
		return errOutline
	}
	return nil
}

// A reader reads a part.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.bad, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.bad, r.rest = true, nil
		return nil
	}
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}

func (r *reader) text() string { return string(r.take(r.number())) }

func (r *reader) byte() byte {
	b := r.take(1)
	if len(b) == 0 {
		return 0
	}
	return b[0]
}

// saveTime is how long it may take to note an outline.
const saveTime = 10 * time.Second

// save notes the outline of a directory that has followed the events up to one, if everything
// was read and anything has changed since it was last noted.
func (d *Directory) save(ctx context.Context, last int64) {
	if !d.isLoaded() {
		return
	}
	d.mu.RLock()
	version := d.version
	d.mu.RUnlock()
	if d.saved.Load() == version {
		return
	}
	within, cancel := context.WithTimeout(ctx, saveTime)
	defer cancel()
	err := d.config.Store.SetOutline(within, d.outline(last))
	if ctx.Err() != nil {
		return // it is noted again at the end of Run
	}
	if err != nil {
		d.config.Log.WarnContext(ctx, "cannot note the outline of the directory; after the next start it has to read everything before it lists anything", "error", err)
		return
	}
	d.saved.Store(version)
}
