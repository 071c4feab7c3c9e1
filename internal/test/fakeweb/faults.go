package fakeweb

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A fault is a word of the status line. Words of one group exclude each other;
// those marked http1 have no meaning in HTTP/2.
type fault struct {
	group string
	http1 bool
	set   func(a *answer, value string) error
}

// faults maps the word, and the word with "=" where it takes a value.
var faults = map[string]fault{
	"times=":       {"times", false, count(func(a *answer, n int) { a.times = n })},
	"delay=":       {"delay", false, pause(func(a *answer, d time.Duration) { a.delay = d })},
	"drip=":        {"drip", false, pause(func(a *answer, d time.Duration) { a.drip = d })},
	"drip-head=":   {"drip-head", true, pause(func(a *answer, d time.Duration) { a.dripHead = d })},
	"stall":        {"stop", false, flag(func(a *answer) { a.stop = stop{stopStall, beforeHead} })},
	"stall=":       {"stop", false, size(func(a *answer, n int64) { a.stop = stop{stopStall, n} })},
	"reset":        {"stop", false, flag(func(a *answer) { a.stop = stop{stopReset, beforeHead} })},
	"reset=":       {"stop", false, size(func(a *answer, n int64) { a.stop = stop{stopReset, n} })},
	"hangup":       {"stop", false, flag(func(a *answer) { a.stop = stop{stopClose, beforeHead} })},
	"cut=":         {"stop", false, size(func(a *answer, n int64) { a.stop = stop{stopClose, n} })},
	"close":        {"framing", true, flag(func(a *answer) { a.framing = framingClose })},
	"chunked":      {"framing", true, flag(func(a *answer) { a.framing = framingChunked })},
	"short":        {"framing", true, flag(func(a *answer) { a.framing, a.length = framingLie, shortBy })},
	"length=":      {"framing", true, size(func(a *answer, n int64) { a.framing, a.length = framingLie, n })},
	"cl+te":        {"framing", true, flag(func(a *answer) { a.framing = framingBoth })},
	"2cl":          {"framing", true, flag(func(a *answer) { a.framing = framingTwo })},
	"2cl=same":     {"framing", true, flag(func(a *answer) { a.framing = framingTwoEqual })},
	"raw":          {"framing", true, flag(func(a *answer) { a.framing = framingRaw })},
	"gzip":         {"coding", false, flag(func(a *answer) { a.coding = codingGzip })},
	"gzip=corrupt": {"coding", false, flag(func(a *answer) { a.coding = codingCorrupt })},
	"gzip=cut":     {"coding", false, flag(func(a *answer) { a.coding = codingCut })},
	"gzip=garbage": {"coding", false, flag(func(a *answer) { a.coding = codingGarbage })},
	"gzip=members": {"coding", false, flag(func(a *answer) { a.coding = codingMembers })},
	"gzip=twice":   {"coding", false, flag(func(a *answer) { a.coding = codingTwice })},
	"bomb=":        {"coding", false, size(func(a *answer, n int64) { a.coding, a.bomb = codingBomb, n })},
	"pad=":         {"pad", false, size(func(a *answer, n int64) { a.pad = n })},
	"size=":        {"pad", false, size(func(a *answer, n int64) { a.size = n })},
	"headers=":     {"headers", false, size(func(a *answer, n int64) { a.headers = n })},
	"trailers=":    {"trailers", true, size(func(a *answer, n int64) { a.trailers = n })},
	"chunkext=":    {"chunkext", true, size(func(a *answer, n int64) { a.chunkExt = n })},
	"1xx=":         {"1xx", false, count(func(a *answer, n int) { a.informational = n })},
	"fold":         {"fold", true, flag(func(a *answer) { a.fold = true })},
	"nulheader":    {"nulheader", true, flag(func(a *answer) { a.nul = true })},
	"h2":           {"protocol", false, flag(func(a *answer) { a.h2 = true })},
	"http":         {"protocol", true, flag(func(a *answer) { a.http = true })},
	"echo":         {"echo", false, flag(func(a *answer) { a.echo = true })},
	"conditional":  {"conditional", false, flag(func(a *answer) { a.conditional = true })},
	"escaped":      {"notation", false, flag(func(a *answer) { a.escaped = true })},
	"base64":       {"notation", false, flag(func(a *answer) { a.base64 = true })},
	"nonl":         {"nonl", false, flag(func(a *answer) { a.noFinal = true })},
}

// shortBy marks the lie whose value is not known before the body is.
const shortBy = -1

// Limits of values, so that a slip of the pen does not fill a disk or a day.
const (
	maxSize  = 4_000_000_000
	maxCount = 10_000_000
	maxPause = time.Hour
)

func flag(set func(*answer)) func(*answer, string) error {
	return func(a *answer, _ string) error {
		set(a)
		return nil
	}
}

func count(set func(*answer, int)) func(*answer, string) error {
	return func(a *answer, value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > maxCount {
			return fmt.Errorf("%q is not a number from 1 to %d", value, maxCount)
		}
		set(a, n)
		return nil
	}
}

func pause(set func(*answer, time.Duration)) func(*answer, string) error {
	return func(a *answer, value string) error {
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 || d > maxPause {
			return fmt.Errorf("%q is not a duration such as 100ms, of at most %v", value, maxPause)
		}
		set(a, d)
		return nil
	}
}

func size(set func(*answer, int64)) func(*answer, string) error {
	return func(a *answer, value string) error {
		n, err := parseSize(value)
		if err != nil {
			return err
		}
		set(a, n)
		return nil
	}
}

// units are tried in this order: B is the end of the others.
var units = []struct {
	name   string
	factor int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"KB", 1000}, {"kB", 1000}, {"MB", 1_000_000}, {"GB", 1_000_000_000}, {"B", 1}}

func parseSize(text string) (int64, error) {
	digits, factor := text, int64(1)
	for _, u := range units {
		rest, ok := strings.CutSuffix(text, u.name)
		if ok {
			digits, factor = rest, u.factor
			break
		}
	}
	n, err := strconv.ParseUint(digits, 10, 40)
	if err != nil || int64(n) > maxSize/factor {
		return 0, fmt.Errorf("%q is not a size such as 512, 100KB or 5MiB, of at most 4GB", text)
	}
	return int64(n) * factor, nil
}

// applyFaults reads the words behind the status.
func (a *answer) applyFaults() error {
	groups := map[string]string{}
	for _, w := range a.words {
		f, value, ok := findFault(w)
		if !ok {
			return fmt.Errorf("unknown word %q", w)
		}
		if groups[f.group] != "" {
			return fmt.Errorf("%s and %s exclude each other", groups[f.group], w)
		}
		groups[f.group] = w
		err := f.set(a, value)
		if err != nil {
			return fmt.Errorf("%s: %w", w, err)
		}
	}
	return a.checkFaults(groups)
}

// findFault prefers the whole word, because some have a fixed value.
func findFault(word string) (fault, string, bool) {
	f, ok := faults[word]
	if ok && !strings.HasSuffix(word, "=") {
		return f, "", true
	}
	name, value, _ := strings.Cut(word, "=")
	f, ok = faults[name+"="]
	return f, value, ok && strings.Contains(word, "=")
}

// checkFaults refuses combinations that could not be carried out.
func (a *answer) checkFaults(groups map[string]string) error {
	switch {
	case (a.trailers > 0 || a.chunkExt > 0) && a.framing != framingChunked:
		return errors.New("trailers and chunkext need chunked")
	case a.framing == framingRaw && (groups["coding"] != "" || groups["pad"] != "" || groups["headers"] != "" || a.fold ||
		a.nul):
		return errors.New("raw sends the section as it is; it allows no coding, padding or header faults")
	case a.echo && len(a.words) > 1:
		return errors.New("echo allows no other word")
	case (a.coding == codingBomb || a.coding == codingMembers) && groups["pad"] != "":
		return fmt.Errorf("%s and %s exclude each other", groups["coding"], groups["pad"])
	}
	return nil
}

// checkOn applies the rules that depend on the host.
func (a *answer) checkOn(o *origin) error {
	if !o.h2 {
		return nil
	}
	for _, w := range a.words {
		f, _, _ := findFault(w)
		if f.http1 {
			return fmt.Errorf("%s needs HTTP/1.1, but a section of %s says h2", w, o.host)
		}
	}
	return nil
}
