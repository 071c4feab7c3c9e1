package rollout

import (
	"strings"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/resolve"
)

// Judge says how a publisher stands to the file of the network.
func (n *Network) Judge(v Visit) Row {
	r := Row{Publisher: v.Publisher, URL: v.resolved}
	_, r.named = n.named[v.Publisher]
	here := n.here(&v)
	switch {
	case here != "" && n.revoked[v.Publisher]:
		return r.is(RevokedPointing, "network.revoked_pointing", "")
	case here == "network.is_here" && !r.named:
		return r.is(IsHere, here, "the file does not name the publisher")
	case here != "" && !r.named:
		return r.is(Orphan, "network.orphan", "")
	case here != "" && n.hasNothingOf(&v):
		return r.is(NothingHere, "network.nothing_here", "no property in the file is that of "+string(v.Publisher))
	case here == "network.is_here":
		return r.is(IsHere, here, "")
	case here == "network.points_here":
		return r.is(PointsHere, here, "")
	case here != "":
		return r.is(OtherWay, here, "")
	case v.pointer != "" || v.method == discover.ManagerDomain || v.redirected && v.answer == discover.Usable:
		return n.elsewhere(r, &v)
	case v.answer == discover.Usable:
		return n.ownFile(r, &v)
	}
	return unusable(r, &v)
}

func (r Row) is(s State, code, detail string) Row {
	r.State, r.Code, r.Detail = s, code, detail
	return r
}

// here returns the code of how buyers arrive at the file of the network; empty when they do not.
func (n *Network) here(v *Visit) string {
	switch {
	case n.URL == "":
		return ""
	case v.points() && hostname.SameResource(v.pointer, n.URL):
		switch {
		case v.redirected:
			return "network.redirect"
		case v.pointer != n.URL:
			return "network.other_spelling"
		}
		return "network.points_here"
	case v.atHome() && hostname.SameResource(v.resolved, n.URL):
		return "network.is_here"
	case v.resolved == "" || !hostname.SameResource(v.resolved, n.URL) && v.hash != n.hash:
		return ""
	case v.superseded:
		return "network.superseded"
	case v.method == discover.ManagerDomain:
		return "network.manager_line"
	case v.redirected:
		return "network.redirect"
	case v.method == discover.AuthoritativeLocation:
		return "network.other_address"
	}
	return "" // a copy at the publisher's own path
}

// atHome reports whether the file came from the publisher's own well-known path.
func (v *Visit) atHome() bool {
	return v.answer == discover.Usable && v.method == discover.Direct && !v.redirected && !v.superseded
}

// hasNothingOf reports whether no property in the file of the network is the publisher's, as buyers
// see it who arrive there.
func (n *Network) hasNothingOf(v *Visit) bool {
	doc := n.doc
	doc.Publisher, doc.Method = string(v.Publisher), v.method.String()
	return len(resolve.Owned(&doc)) == 0
}

// points reports whether a pointer of the publisher's own decides where buyers arrive.
func (v *Visit) points() bool {
	return v.pointer != "" && v.method != discover.ManagerDomain && !v.superseded
}

// elsewhere judges a publisher that leads to another file, or to none.
func (n *Network) elsewhere(r Row, v *Visit) Row {
	target := v.pointer
	if target == "" {
		target = v.resolved
	}
	r.URL = target
	switch {
	case !r.named:
		return r.is(Elsewhere, "network.elsewhere", n.stranger(v))
	case v.claimed:
		return r.is(Elsewhere, "network.claimed", "the file there names the publisher, too")
	}
	return r.is(Elsewhere, "network.elsewhere", "")
}

// stranger says how a publisher that the file does not name stands to it.
func (n *Network) stranger(v *Visit) string {
	if n.revoked[v.Publisher] {
		return "the file of the network revokes the publisher"
	}
	return "the file of the network does not name the publisher"
}

// ownFile judges a publisher with a file at its own path.
func (n *Network) ownFile(r Row, v *Visit) Row {
	missing := n.missing(v)
	switch {
	case v.hash == n.hash:
		return r.is(ServedWrong, "network.copy", "it is byte for byte the file of the network")
	case v.others > 0:
		return r.is(ServedWrong, "network.old_copy",
			"it names "+words.Plural(v.others, "other publisher", "other publishers")+" of the network")
	case !r.named:
		return r.is(OwnFile, "network.own_file", n.stranger(v))
	case len(missing) > 0:
		return r.is(OwnFile, "network.own_file_differs", "it does not list "+strings.Join(missing, ", "))
	}
	return r.is(OwnFile, "network.own_file", "it lists the same agents")
}

// unusable judges a publisher whose file could not be had or used.
func unusable(r Row, v *Visit) Row {
	r.URL = v.flaw.url
	state := Unreachable
	switch {
	case v.answer == discover.Absent:
		return r.is(Absent, "network.absent", v.flaw.message)
	case v.answer == discover.Unusable:
		state = ServedWrong
	case v.outcome == fetch.NameNotFound:
		state = Unresolvable
	case v.outcome == fetch.RedirectRefused || v.outcome == fetch.Forbidden:
		state = ServedWrong
	}
	return r.is(state, v.flaw.code, v.flaw.message)
}

// Contested returns publishers that the file names and that lead to another file which names
// them as well.
func (n *Network) Contested(rows []Row) []Contest {
	var list []Contest
	for i := range rows {
		if rows[i].Code == "network.claimed" {
			list = append(list, Contest{"publisher", string(rows[i].Publisher), []string{n.URL, rows[i].URL}})
		}
	}
	return list
}
