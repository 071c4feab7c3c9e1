package discover

import (
	"container/list"
	"slices"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/fetch"
)

// report checks a file that came through the shelf, or returns the report that was
// made for another publisher with the same wishes. It is judged by the time of that
// one, at most a minute before.
func (s *shelf) report(url string, r *fetch.Result, o adagents.Options) *adagents.Report {
	k, known := s.checked(url, r, &o)
	if known != nil {
		return known
	}
	if k == nil {
		return adagents.Check(r.Body, o)
	}
	// A check takes a second at most, so nobody who waits here needs a way out.
	k.checking.Lock()
	defer k.checking.Unlock()
	_, known = s.checked(url, r, &o)
	if known != nil {
		return known
	}
	if len(r.Body) > largeBytes {
		s.makeRoom()
	}
	report := adagents.Check(r.Body, o)
	s.keep(k, report, &o)
	return report
}

// makeRoom drops the reports that take much memory, before another is made. Those that use
// one go on doing so.
func (s *shelf) makeRoom() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for e := s.order.Front(); e != nil; e = e.Next() {
		k := e.Value.(*keptResult)
		if k.weight()-len(k.result.Body) > heavyReport {
			s.setReport(k, nil)
		}
	}
}

// checked returns what is kept of a file if a report may be shared, and the report
// if there is one that answers these wishes.
func (s *shelf) checked(url string, r *fetch.Result, o *adagents.Options) (*keptResult, *adagents.Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := holds(s.kept[url], r)
	if k == nil || k.particular {
		return nil, nil
	}
	if k.report == nil || !sameCheck(&k.options, o) || ended(k.report.File, k.options.Now, o.Now) {
		return k, nil
	}
	return k, k.report
}

// keep puts a report beside its file, if that is still there and others may have it.
func (s *shelf) keep(k *keptResult, r *adagents.Report, o *adagents.Options) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if holds(s.kept[k.url], k.result) != k {
		return
	}
	if r.DependsOnDomain() || r.Count(adagents.Error)+r.Count(adagents.Warning)+r.Count(adagents.Info) > keptFindings {
		k.particular = true
		return
	}
	s.setReport(k, r)
	k.options = *o
	k.options.Scopes = slices.Clone(o.Scopes) // the caller's
	s.trim(k)
}

// holds returns what is kept if it is this very result.
func holds(e *list.Element, r *fetch.Result) *keptResult {
	if e == nil || e.Value.(*keptResult).result != r {
		return nil
	}
	return e.Value.(*keptResult)
}

// sameCheck reports whether two checks of one file differ in publisher and time at
// most.
func sameCheck(a, b *adagents.Options) bool {
	return a.Profile == b.Profile && a.URL == b.URL && a.Role == b.Role && a.MaxFindings == b.MaxFindings && slices.Equal(a.Scopes, b.Scopes)
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
