package fakeweb

import (
	"net/http"
	"net/netip"
	"slices"
	"time"
)

// A Spec is a parsed archive. It is never changed after Parse, so one Spec can
// be started any number of times.
type Spec struct {
	origins map[string]*origin
	names   map[string]*name
	serving map[netip.AddrPort][]*origin
}

// An origin is a host that can be connected to.
type origin struct {
	host   string
	ports  []uint16
	routes map[route][]*answer
	tls    traits
	h2     bool    // some section of the host says h2
	plain  *answer // sent in the clear instead of a TLS handshake
}

// A route is what an answer is chosen by. An empty method stands for all.
type route struct {
	method string
	port   uint16
	target string // path, with the query if the section has one
}

// A name is a line of the dns section: replies given in turn.
type name struct {
	replies []reply
}

// A reply is one answer of the name server.
type reply struct {
	kind  replyKind
	addrs []netip.Addr
	cname string
}

type replyKind uint8

const (
	replyAddrs replyKind = iota
	replyCNAME
	replyNXDomain
	replyServFail
	replySilent
	replyEmpty
)

// httpsPort is the port of a section URL that names none.
const httpsPort = 443

// maxChain limits how many aliases are followed, so that a loop ends.
const maxChain = 16

// Hosts returns the hosts that can be connected to, sorted.
func (s *Spec) Hosts() []string {
	hosts := make([]string, 0, len(s.origins))
	for host := range s.origins {
		hosts = append(hosts, host)
	}
	slices.Sort(hosts)
	return hosts
}

// Addrs returns every address that the name server may give for a host, through
// aliases and over all its replies, in the order of the archive. It is how a
// test finds out whether a host was connected to.
func (s *Spec) Addrs(host string) []netip.Addr {
	var found []netip.Addr
	todo := []string{host}
	for i := 0; i < len(todo) && i < maxChain; i++ {
		n := s.names[todo[i]]
		if n == nil {
			continue
		}
		for _, r := range n.replies {
			if r.kind == replyCNAME && !slices.Contains(todo, r.cname) {
				todo = append(todo, r.cname)
			}
			for _, a := range r.addrs {
				if !slices.Contains(found, a) {
					found = append(found, a)
				}
			}
		}
	}
	return found
}

// Endpoints returns every address and port that some host serves, sorted: what
// real listeners have to be opened on when the archive is served to another
// process. Hosts that refuse connections, or never complete them, are left out.
func (s *Spec) Endpoints() []netip.AddrPort {
	var all []netip.AddrPort
	for at, origins := range s.serving {
		if slices.ContainsFunc(origins, func(o *origin) bool { return o.tls.connect == connectAccepts }) {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, netip.AddrPort.Compare)
	return all
}

// index records which hosts are behind which address.
func (s *Spec) index() {
	s.serving = map[netip.AddrPort][]*origin{}
	for _, host := range s.Hosts() {
		o := s.origins[host]
		for _, a := range s.Addrs(host) {
			for _, p := range o.ports {
				at := netip.AddrPortFrom(a.Unmap(), p)
				s.serving[at] = append(s.serving[at], o)
			}
		}
	}
}

// Date gives every answer that has no Date the one of a time.
func (s *Spec) Date(t time.Time) {
	value := t.UTC().Format(http.TimeFormat)
	for _, o := range s.origins {
		for _, answers := range o.routes {
			for _, a := range answers {
				if !a.has("Date") {
					a.header = append(a.header, field{"Date", value})
				}
			}
		}
	}
}
