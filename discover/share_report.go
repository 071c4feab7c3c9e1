package discover

import (
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/fetch"
)

// report checks a file that came through the cache, or returns the report that was
// made for another publisher with the same wishes. It is judged by the time of that
// one, at most a minute before.
func (s *recentFiles) report(url string, r *fetch.Result, o adagents.Options) *adagents.Report {
	k, known := s.checked(url, r, &o)
	if known != nil {
		return known
	}
	if k == nil {
		return adagents.Check(r.Body, o)
	}
	// A check takes a second at most, so waiting here needs no cancellation.
	k.checking.Lock()
	defer k.checking.Unlock()
	_, known = s.checked(url, r, &o)
	if known != nil {
		return known
	}
	if len(r.Body) > largeBytes {
		s.dropLarge()
	}
	report := adagents.Check(r.Body, o)
	s.keep(url, k, report, &o)
	return report
}

// dropLarge drops the reports that take much memory, before another is made. Those that use
// one go on doing so.
func (s *recentFiles) dropLarge() {
	s.kept.LightenFunc(func(k *keptResult, weight int) bool { return weight-len(k.result.Body) > heavyReport })
}

// checked returns what is kept of a file if a report may be shared, and the report
// if there is one that answers these wishes.
func (s *recentFiles) checked(url string, r *fetch.Result, o *adagents.Options) (*keptResult, *adagents.Report) {
	k := s.holds(url, r)
	if k == nil {
		return nil, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.particular {
		return nil, nil
	}
	if k.report == nil || !sameCheck(&k.options, o) || ended(k.report.File, k.options.Now, o.Now) {
		return k, nil
	}
	return k, k.report
}

// keep puts a report beside its file, if that is still there and others may have it.
func (s *recentFiles) keep(url string, k *keptResult, r *adagents.Report, o *adagents.Options) {
	if r.DependsOnDomain() || r.Count(adagents.Error)+r.Count(adagents.Warning)+r.Count(adagents.Info) > keptFindings {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.particular = true
		return
	}
	options := *o
	options.Scopes = slices.Clone(o.Scopes) // the caller's
	s.kept.Weigh(url, func(kept *keptResult, weight int) int {
		if kept != k {
			return weight
		}
		return k.set(r, options)
	})
}

// sameCheck reports whether two checks of one file differ in publisher and time at
// most.
func sameCheck(a, b *adagents.Options) bool {
	return a.Profile == b.Profile && a.Release == b.Release && a.URL == b.URL && a.Role == b.Role &&
		a.MaxFindings == b.MaxFindings && a.Lead == b.Lead && a.Fixes == b.Fixes && slices.Equal(a.Scopes, b.Scopes)
}

// ended reports whether an entry ended between two instants. It has no effect any
// more and might be the one that names a publisher.
func ended(f *adagents.File, from, to time.Time) bool {
	if f == nil {
		return false
	}
	for i := range f.Agents {
		until, ok := f.Agents[i].EffectiveUntil.Time()
		if ok && !until.Before(from) && until.Before(to) {
			return true
		}
	}
	return false
}
