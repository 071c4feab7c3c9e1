package registry

import (
	"time"

	"github.com/avow-project/avow/internal/service/custodian"
)

const (
	// nameEvery is how often files are looked through that are new in the directory, and
	// renameEvery how often all of them are, for names that there was no room for before and
	// those that were forgotten.
	nameEvery   = 2 * time.Second
	renameEvery = time.Hour
	// filePart is the part of what a client may bring in a day that one file may add at a time,
	// as a divisor.
	filePart = 10
)

// planNames has publishers looked at that files in the directory name, until the service is
// closed. They are guests like those whom an anonymous caller brings, and all files together
// are one such caller. No more of them are in the due list than there may be guests. Files of
// guests name nobody, so that nothing leads on and on.
func (s *Service) planNames() {
	tick := time.NewTicker(nameEvery)
	defer tick.Stop()
	var last time.Time
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
		_, err := s.planNamesOf(s.directory.Namings(all))
		if err != nil && s.ctx.Err() == nil {
			s.config.Log.WarnContext(s.ctx, "cannot note the publishers that files name", "error", err)
			last = time.Time{}
		}
	}
}

// planNamesOf has publishers looked at that some files name, and returns how many.
func (s *Service) planNamesOf(files []custodian.Naming) (int, error) {
	l := s.config.Limits
	return s.keeper.PlanNamed(s.ctx, files, int(l.OfClient().Names/filePart), int(l.OfGuests().Names))
}
