package fakeweb

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// plainUDP is the size of an answer over UDP that every client takes.
const plainUDP = 512

// ServeDNS answers DNS queries over UDP and TCP at an address, from the dns
// section. With port zero the system chooses one; the result says which. Answers
// have a time to live of zero, and those too long for UDP are truncated. Close
// ends the server.
func (w *Web) ServeDNS(at netip.AddrPort) (netip.AddrPort, error) {
	l, err := listen(w.ctx, at)
	if err != nil {
		return netip.AddrPort{}, err
	}
	bound := l.Addr().(*net.TCPAddr).AddrPort()
	var config net.ListenConfig
	packets, err := config.ListenPacket(w.ctx, "udp", bound.String())
	if err != nil {
		return netip.AddrPort{}, errors.Join(err, l.Close())
	}
	w.run(packets, func() { w.dnsPackets(packets) })
	w.run(l, func() { w.dnsConnections(l) })
	return bound, nil
}

func (w *Web) dnsPackets(packets net.PacketConn) {
	buf := make([]byte, 4096)
	for {
		n, from, err := packets.ReadFrom(buf)
		if err != nil {
			return
		}
		answer := w.dnsAnswer(buf[:n], false)
		if answer != nil {
			_, _ = packets.WriteTo(answer, from)
		}
	}
}

func (w *Web) dnsConnections(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		w.run(conn, func() {
			w.dnsConnection(conn)
			_ = conn.Close()
		})
	}
}

// dnsConnection answers the queries of one connection. One without an answer
// leaves it open and silent.
func (w *Web) dnsConnection(conn net.Conn) {
	for {
		var size [2]byte
		_, err := io.ReadFull(conn, size[:])
		if err != nil {
			return
		}
		query := make([]byte, binary.BigEndian.Uint16(size[:]))
		_, err = io.ReadFull(conn, query)
		if err != nil {
			return
		}
		answer := w.dnsAnswer(query, true)
		if answer == nil {
			continue
		}
		_ = conn.SetWriteDeadline(time.Now().Add(time.Minute))
		_, err = conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...))
		if err != nil {
			return
		}
	}
}

// A query is what is of interest of a DNS message.
type query struct {
	id       uint16
	desired  bool // recursion
	question dnsmessage.Question
	limit    int // for an answer over UDP
}

func parseQuery(message []byte) (query, error) {
	var p dnsmessage.Parser
	h, err := p.Start(message)
	if err != nil {
		return query{}, err
	}
	q := query{id: h.ID, desired: h.RecursionDesired}
	q.question, err = p.Question()
	if err != nil || h.Response {
		return query{}, errors.New("not a query")
	}
	q.limit = max(plainUDP, udpSize(&p))
	return q, nil
}

// udpSize looks for the size that a client takes over UDP. A question with rubbish
// behind it is still answered.
func udpSize(p *dnsmessage.Parser) int {
	_ = p.SkipAllQuestions()
	_ = p.SkipAllAnswers()
	_ = p.SkipAllAuthorities()
	r, err := p.AdditionalHeader()
	if err != nil || r.Type != dnsmessage.TypeOPT {
		return 0
	}
	return int(r.Class)
}

// dnsAnswer answers a message, or returns nil for silence.
func (w *Web) dnsAnswer(message []byte, overTCP bool) []byte {
	q, err := parseQuery(message)
	if err != nil {
		return nil
	}
	host := canonical(q.question.Name.String())
	w.recordLookup(host)
	kind := q.question.Type.String()
	r, names := w.chain(host, kind)
	if r.kind == replySilent {
		return nil
	}
	answer, err := q.pack(r, names, false)
	if err == nil && !overTCP && len(answer) > q.limit {
		w.takeBack(names, kind)
		answer, err = q.pack(r, nil, true)
	}
	if err != nil {
		return nil
	}
	return answer
}

// takeBack undoes the turns of a truncated answer: the client asks again.
func (w *Web) takeBack(names []string, kind string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range names {
		w.turns[turn{n, kind}]--
	}
}

// pack writes an answer: the aliases on the way and the addresses at its end.
// Without names it is empty.
func (q query) pack(r reply, names []string, truncated bool) ([]byte, error) {
	m := dnsmessage.Message{
		Header: dnsmessage.Header{
			ID: q.id, Response: true, RecursionDesired: q.desired, RecursionAvailable: true,
			Truncated: truncated, RCode: rcode(r.kind),
		},
		Questions: []dnsmessage.Question{q.question},
	}
	owner := q.question.Name
	for _, n := range names[min(1, len(names)):] {
		next, err := dnsmessage.NewName(n + ".")
		if err != nil {
			return nil, err
		}
		m.Answers = append(m.Answers, record(owner, &dnsmessage.CNAMEResource{CNAME: next}))
		owner = next
	}
	for _, a := range r.addrs {
		body := addressRecord(a, q.question.Type)
		if body != nil && len(names) > 0 {
			m.Answers = append(m.Answers, record(owner, body))
		}
	}
	return m.Pack()
}

func rcode(kind replyKind) dnsmessage.RCode {
	switch kind {
	case replyNXDomain:
		return dnsmessage.RCodeNameError
	case replyServFail:
		return dnsmessage.RCodeServerFailure
	}
	return dnsmessage.RCodeSuccess
}

func record(owner dnsmessage.Name, body dnsmessage.ResourceBody) dnsmessage.Resource {
	return dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: owner, Class: dnsmessage.ClassINET}, Body: body}
}

// addressRecord returns nil for an address of the family that was not asked for.
// An IPv4 address in IPv6 form is an AAAA record: it is how it gets past a check
// that forgets about it.
func addressRecord(a netip.Addr, kind dnsmessage.Type) dnsmessage.ResourceBody {
	switch {
	case a.Is4() && kind == dnsmessage.TypeA:
		return &dnsmessage.AResource{A: a.As4()}
	case a.Is6() && kind == dnsmessage.TypeAAAA:
		return &dnsmessage.AAAAResource{AAAA: a.As16()}
	}
	return nil
}
