package directory

import (
	"context"
	"errors"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
)

// unreadSize is what a publisher takes in memory that is known from an outline, about.
const unreadSize = 600

// errWhole is about an outline with an event after it that is about the whole store: records may
// have changed without events of their own.
var errWhole = errors.New("something happened to the whole store since the outline of the directory was noted")

// errRoom is about an outline that was noted when there was more room.
var errRoom = errors.New("the outline of the directory needs more memory than the directory may take")

// begin fills the directory from the outline that was noted before, and with what has happened
// since. It returns the number of the last event, and whether publishers can be listed: without
// an outline that can be relied upon the directory stays empty.
func (d *Directory) begin(ctx context.Context) (int64, bool) {
	last, err := d.beginWith(ctx)
	if err == nil {
		close(d.listed)
		return last, true
	}
	if !errors.Is(err, custodian.ErrNotFound) && ctx.Err() == nil {
		d.config.Log.InfoContext(ctx, "the directory is read as a whole before it lists anything", "reason", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clear()
	return 0, false
}

func (d *Directory) beginWith(ctx context.Context) (int64, error) {
	o, err := d.config.Store.Outline(ctx)
	if err != nil {
		return 0, err
	}
	at, err := d.config.Keeper.Moment(ctx)
	if err != nil {
		return 0, err
	}
	if len(o.Parts) == 0 || string(o.Parts[0]) != header(len(o.Parts)) {
		return 0, errOutline
	}
	room := d.config.Memory
	for _, part := range o.Parts[1:] {
		err := d.believe(part, at, &room)
		if err != nil {
			return 0, err
		}
	}
	last, err := d.events(ctx, o.Number, func(e *custody.NumberedEvent) error {
		if e.Publisher == "" && e.URL == "" {
			return errWhole
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	again, err := d.config.Store.Outline(ctx)
	if err != nil {
		return 0, err // it was removed, perhaps with events after it
	}
	if again.Number != o.Number {
		return 0, errOutline
	}
	return last, d.drain(ctx)
}

// believe puts the publishers of a part of an outline into the directory. Those that have to be
// read wait for that. The memory that the names take is subtracted from room. It is not charged to
// the directory or to a site, whose limits are for publishers that were read.
func (d *Directory) believe(part []byte, at custody.Moment, room *int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.version++
	err := readPart(part, func(one listed) {
		if one.kind == onlyNamed {
			d.names.add(string(one.name))
			d.hints = append(d.hints, one.name)
			return
		}
		p := &Publisher{Domain: one.name, unread: true, next: one.until}
		*room -= unreadSize + grantSize*int64(len(one.agents))
		for _, agent := range one.agents {
			p.Grants = append(p.Grants, Grant{Agent: agent})
		}
		d.takeOut(d.publishers[p.Domain])
		d.putIn(p)
		d.names.add(string(p.Domain))
		if one.kind == readAgain || p.over(at) {
			d.queue.add(p.Domain, "")
		}
	})
	if err == nil && *room < 0 {
		err = errRoom
	}
	return err
}

// over reports whether what an outline says of a publisher may have ended with the time.
func (p *Publisher) over(at custody.Moment) bool {
	return p.unread && !p.next.IsZero() && !at.Late.Before(p.next)
}

// usersNow returns the publishers whose file is at a URL. As long as some were not read, the store
// knows them.
func (d *Directory) usersNow(ctx context.Context, url string) ([]hostname.Domain, error) {
	var users []hostname.Domain
	if !d.isLoaded() {
		var err error
		users, err = d.config.Store.Users(ctx, url)
		if err != nil {
			return nil, err
		}
		if owner := custodian.OwnerOf(url); owner != "" {
			users = append(users, hostname.Domain(owner))
		}
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	for domain := range d.usersOf(url) {
		users = append(users, domain)
	}
	return users, nil
}

func (d *Directory) isLoaded() bool {
	select {
	case <-d.loaded:
		return true
	default:
		return false
	}
}
