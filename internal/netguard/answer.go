package netguard

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"net/netip"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

const (
	// maxAliases is the number of CNAME records followed from a name to its
	// addresses. Real chains have two or three.
	maxAliases = 8
	// udpSize is the size of an answer over UDP that passes every network
	// without being split.
	udpSize = 1232
)

// Errors of the reader. The first means that a message is to be ignored.
var (
	errNotOurs   = errors.New("not an answer to the question")
	errMalformed = errors.New("malformed answer")
	errAliases   = errors.New("too many aliases")
)

// query is one question with the number that its answer must carry.
type query struct {
	id   uint16
	name dnsmessage.Name
	kind dnsmessage.Type
}

// newQuery asks for records of a host, as an absolute name: search domains play
// no part. The number is random, because guessing it is what it takes to forge
// an answer from afar.
func newQuery(host string, kind dnsmessage.Type) (query, error) {
	name, err := dnsmessage.NewName(host + ".")
	if err != nil {
		return query{}, err
	}
	var id [2]byte
	_, _ = rand.Read(id[:]) // never fails, and crashes the program rather than return
	return query{id: binary.BigEndian.Uint16(id[:]), name: name, kind: kind}, nil
}

// pack encodes the query.
func (q query) pack() ([]byte, error) {
	var opt dnsmessage.ResourceHeader
	err := opt.SetEDNS0(udpSize, dnsmessage.RCodeSuccess, false)
	if err != nil {
		return nil, err
	}
	msg := dnsmessage.Message{
		Header:      dnsmessage.Header{ID: q.id, RecursionDesired: true},
		Questions:   []dnsmessage.Question{{Name: q.name, Type: q.kind, Class: dnsmessage.ClassINET}},
		Additionals: []dnsmessage.Resource{{Header: opt, Body: &dnsmessage.OPTResource{}}},
	}
	return msg.Pack()
}

// answer is what a name server said.
type answer struct {
	code      dnsmessage.RCode
	truncated bool
	addrs     []netip.Addr
}

// read decodes the answer to q. Its records are looked at only when they are
// complete and the server reports success.
func (q query) read(msg []byte) (answer, error) {
	var p dnsmessage.Parser
	header, err := p.Start(msg)
	if err != nil || !header.Response || header.ID != q.id {
		return answer{}, errNotOurs
	}
	questions, err := p.AllQuestions()
	if err != nil || len(questions) != 1 || !q.asked(questions[0]) {
		return answer{}, errNotOurs
	}
	a := answer{code: header.RCode, truncated: header.Truncated}
	if a.truncated || a.code != dnsmessage.RCodeSuccess {
		return a, nil
	}
	a.addrs, err = readAddresses(&p, lower(q.name))
	return a, err
}

// asked reports whether an answer repeats the question of q. Servers may return
// the name in another case.
func (q query) asked(got dnsmessage.Question) bool {
	return got.Type == q.kind && got.Class == dnsmessage.ClassINET && lower(got.Name) == lower(q.name)
}

// lower is the form of a name for comparison.
func lower(name dnsmessage.Name) string { return strings.ToLower(name.String()) }

// zone holds the records of an answer by owner.
type zone struct {
	alias map[string]string
	addrs map[string][]netip.Addr
}

// readAddresses reads the answer section and returns the addresses that name
// leads to. Records of other names are ignored.
func readAddresses(p *dnsmessage.Parser, name string) ([]netip.Addr, error) {
	z := zone{alias: map[string]string{}, addrs: map[string][]netip.Addr{}}
	for {
		header, err := p.AnswerHeader()
		if errors.Is(err, dnsmessage.ErrSectionDone) {
			return z.follow(name)
		}
		if err == nil {
			err = z.add(p, header)
		}
		if err != nil {
			return nil, errMalformed
		}
	}
}

// add reads the body of one record.
func (z zone) add(p *dnsmessage.Parser, header dnsmessage.ResourceHeader) error {
	owner := lower(header.Name)
	if header.Class != dnsmessage.ClassINET {
		return p.SkipAnswer()
	}
	switch header.Type {
	case dnsmessage.TypeA:
		body, err := p.AResource()
		z.addrs[owner] = append(z.addrs[owner], netip.AddrFrom4(body.A))
		return err
	case dnsmessage.TypeAAAA:
		body, err := p.AAAAResource()
		z.addrs[owner] = append(z.addrs[owner], netip.AddrFrom16(body.AAAA))
		return err
	case dnsmessage.TypeCNAME:
		body, err := p.CNAMEResource()
		z.alias[owner] = lower(body.CNAME)
		return err
	}
	return p.SkipAnswer()
}

// follow walks the aliases from name. A chain that ends without an address is an
// answer too: a recursive server adds the addresses if there are any.
func (z zone) follow(name string) ([]netip.Addr, error) {
	for range maxAliases + 1 {
		if len(z.addrs[name]) > 0 {
			return z.addrs[name], nil
		}
		next, ok := z.alias[name]
		if !ok {
			return nil, nil
		}
		name = next
	}
	return nil, errAliases
}
