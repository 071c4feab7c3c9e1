package custodian

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// mostLogged is how many entries of one version are logged one by one. A file may have
// hundreds of thousands, and readers of the log need the first.
const mostLogged = 20

// tellSkipped logs the entries that are left out of the versions that a draft has adopted:
// once for each version, however often it is used.
func (k *Keeper) tellSkipped(ctx context.Context, d *draft) {
	for i := range d.change.Versions {
		v := &d.change.Versions[i]
		at := slices.IndexFunc(d.given, func(g given) bool { return g.hash == v.Hash && g.url == v.URL })
		if at < 0 {
			continue
		}
		list := d.given[at].skipped
		log := k.config.Log.With("domain", d.domain, "url", v.URL, "sha256", v.Hash)
		for _, s := range list[:min(len(list), mostLogged)] {
			log.WarnContext(ctx, "an entry of a file is left out", "pointer", s.Pointer, "index", lastIndex(s.Pointer), "code", s.Code, "reason", s.Reason)
		}
		if more := len(list) - mostLogged; more > 0 {
			log.WarnContext(ctx, "more entries of a file are left out; avow validate lists them", "more", more)
		}
	}
}

// lastIndex returns the place in its list of what a JSON Pointer leads to; -1 for none.
func lastIndex(pointer string) int {
	for _, part := range slices.Backward(strings.Split(pointer, "/")) {
		n, err := strconv.Atoi(part)
		if err == nil {
			return n
		}
	}
	return -1
}
