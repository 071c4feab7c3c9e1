package registry

import (
	"slices"
	"sync"
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
	"github.com/avow-project/avow/internal/std/hostname"
)

const (
	// nameEvery is how often publishers are noted that new files name, and renameEvery how often
	// those that there was no room for before. mostNaming is how many files wait for either.
	nameEvery   = 2 * time.Second
	renameEvery = time.Hour
	mostNaming  = 10_000
	// filePart is the part of what a client may bring in a day that one file may add at a time,
	// as a divisor.
	filePart = 10
)

// named are the files whose publishers were not noted yet, and those for which there was no room.
type named struct {
	mu          sync.Mutex
	next, again []custodian.Naming
}

func (n *named) add(list []custodian.Naming) {
	if len(list) == 0 {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.next = append(n.next, list...)
	n.next = n.next[max(0, len(n.next)-mostNaming):]
}

// take returns what waits, with all also what there was no room for.
func (n *named) take(all bool) []custodian.Naming {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := n.next
	n.next = nil
	if all {
		list, n.again = append(n.again, list...), nil
	}
	return list
}

// keep keeps files for later.
func (n *named) keep(list []custodian.Naming) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.again = append(n.again, list...)
	n.again = n.again[max(0, len(n.again)-mostNaming):]
}

// planNames has publishers looked at that files name, until the service is closed. They are
// guests like those whom an anonymous caller brings, and all files together are one such
// caller. No more of them are in the due list than there may be guests. Names in guests'
// files are ignored, so that the crawl does not go on and on.
func (s *Service) planNames() {
	tick := time.NewTicker(nameEvery)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
		}
		all := time.Since(last) >= renameEvery
		if all {
			last = time.Now()
		}
		_, err := s.planNamesOf(s.named.take(all))
		if err != nil && s.ctx.Err() == nil {
			s.config.Log.WarnContext(s.ctx, "cannot note the publishers that files name", "error", err)
		}
	}
}

// planNamesOf has publishers looked at that some files name, and returns how many. Files that name
// more than there is room for wait.
func (s *Service) planNamesOf(files []custodian.Naming) (int, error) {
	for i := range files {
		files[i].Domains = slices.DeleteFunc(files[i].Domains, func(name hostname.Domain) bool {
			domain, err := custodian.ParseDomain(string(name))
			return err != nil || domain != name || s.hasOptedOut(name)
		})
	}
	files = slices.DeleteFunc(files, func(f custodian.Naming) bool { return len(f.Domains) == 0 })
	l := s.config.Limits
	n, err := s.keeper.PlanNamed(s.ctx, files, int(l.OfClient().Names/filePart), int(l.OfGuests().Names))
	most := int(l.OfClient().Names / filePart)
	s.named.keep(slices.DeleteFunc(slices.Clone(files), func(f custodian.Naming) bool {
		return err == nil && n < most && len(f.Domains) <= most
	}))
	return n, err
}
