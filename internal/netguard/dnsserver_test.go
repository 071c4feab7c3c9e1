package netguard

import (
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// request is a query as it reached the test's name server.
type request struct {
	id       uint16
	question dnsmessage.Question
	from     netip.AddrPort
	tcp      bool
	header   dnsmessage.Header
	extra    []dnsmessage.Resource
}

// nameServer is a real name server on loopback, over UDP and TCP. Its handler
// returns the messages to send, none for silence.
type nameServer struct {
	t       *testing.T
	addr    netip.AddrPort
	handler func(r request) [][]byte

	udp *net.UDPConn
	tcp *net.TCPListener
	wg  sync.WaitGroup

	mu       sync.Mutex
	requests []request
}

func newNameServer(t *testing.T, handler func(r request) [][]byte) *nameServer {
	t.Helper()
	s := &nameServer{t: t, handler: handler}
	s.listen()
	t.Cleanup(func() {
		_ = s.udp.Close()
		_ = s.tcp.Close()
		s.wg.Wait()
	})
	s.wg.Go(s.serveUDP)
	s.wg.Go(s.serveTCP)
	return s
}

// listen finds a port that is free for both protocols.
func (s *nameServer) listen() {
	s.t.Helper()
	for range 50 {
		var err error
		s.udp, err = net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
		if err != nil {
			s.t.Fatal(err)
		}
		s.addr = netip.MustParseAddrPort(s.udp.LocalAddr().String())
		s.tcp, err = net.ListenTCP("tcp4", net.TCPAddrFromAddrPort(s.addr))
		if err == nil {
			return
		}
		_ = s.udp.Close()
	}
	s.t.Fatal("no port is free for both UDP and TCP")
}

func (s *nameServer) serveUDP() {
	buf := make([]byte, 4096)
	for {
		n, from, err := s.udp.ReadFromUDPAddrPort(buf)
		if err != nil {
			return
		}
		for _, msg := range s.answer(buf[:n], from, false) {
			_, _ = s.udp.WriteToUDPAddrPort(msg, from)
		}
	}
}

// servePipe answers one query of a client at the other end of a pipe.
func (s *nameServer) servePipe(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	buf := make([]byte, 4096)
	n, err := conn.Read(buf)
	if err != nil {
		return
	}
	for _, msg := range s.answer(buf[:n], netip.AddrPort{}, false) {
		_, _ = conn.Write(msg)
	}
	_, _ = conn.Read(buf) // until the client is gone
}

func (s *nameServer) serveTCP() {
	for {
		conn, err := s.tcp.AcceptTCP()
		if err != nil {
			return
		}
		s.wg.Go(func() { s.serveConn(conn) })
	}
}

func (s *nameServer) serveConn(conn *net.TCPConn) {
	defer func() { _ = conn.Close() }()
	var size [2]byte
	_, err := io.ReadFull(conn, size[:])
	if err != nil {
		return
	}
	buf := make([]byte, binary.BigEndian.Uint16(size[:]))
	_, err = io.ReadFull(conn, buf)
	if err != nil {
		return
	}
	from := netip.MustParseAddrPort(conn.RemoteAddr().String())
	for _, msg := range s.answer(buf, from, true) {
		_, _ = conn.Write(msg)
	}
}

// answer records a query and asks the handler. Messages over TCP get their
// length in front unless the handler has framed them.
func (s *nameServer) answer(msg []byte, from netip.AddrPort, tcp bool) [][]byte {
	var m dnsmessage.Message
	err := m.Unpack(msg)
	if err != nil || len(m.Questions) != 1 {
		s.t.Errorf("the query %x: %v", msg, err)
		return nil
	}
	r := request{id: m.ID, question: m.Questions[0], from: from, tcp: tcp, header: m.Header, extra: m.Additionals}
	s.mu.Lock()
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	return s.handler(r)
}

// seen returns the queries so far.
func (s *nameServer) seen() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]request(nil), s.requests...)
}

// reply is an answer in the making.
type reply struct{ dnsmessage.Message }

// to begins the answer to a request.
func to(r request) *reply {
	return &reply{dnsmessage.Message{
		Header:    dnsmessage.Header{ID: r.id, Response: true, RecursionDesired: true, RecursionAvailable: true},
		Questions: []dnsmessage.Question{r.question},
	}}
}

// with adds records of the addresses that are of the kind asked for.
func (m *reply) with(owner string, addrs ...netip.Addr) *reply {
	for _, addr := range addrs {
		header := dnsmessage.ResourceHeader{Name: dnsmessage.MustNewName(owner), Class: dnsmessage.ClassINET, TTL: 0}
		kind := m.Questions[0].Type
		switch {
		case addr.Is4() && kind == dnsmessage.TypeA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: addr.As4()}})
		case addr.Is6() && kind == dnsmessage.TypeAAAA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: addr.As16()}})
		}
	}
	return m
}

// alias adds a CNAME record.
func (m *reply) alias(owner, target string) *reply {
	header := dnsmessage.ResourceHeader{Name: dnsmessage.MustNewName(owner), Class: dnsmessage.ClassINET}
	m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.CNAMEResource{CNAME: dnsmessage.MustNewName(target)}})
	return m
}

// code sets the response code.
func (m *reply) code(code dnsmessage.RCode) *reply {
	m.RCode = code
	return m
}

// truncated sets the flag of an answer that did not fit.
func (m *reply) truncated() *reply {
	m.Truncated = true
	return m
}

// bytes encodes the answer.
func (m *reply) bytes() []byte {
	msg, err := m.Pack()
	if err != nil {
		panic(err)
	}
	return msg
}

// udp and tcp encode the answer as the only message.
func (m *reply) udp() [][]byte { return [][]byte{m.bytes()} }

func (m *reply) tcp() [][]byte { return [][]byte{framed(m.bytes())} }

// framed puts the length in front.
func framed(msg []byte) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(msg))), msg...)
}
