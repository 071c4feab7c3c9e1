package netguard

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// fuzzQuery is the query whose answers are fuzzed.
var fuzzQuery = query{id: 0x1234, name: dnsmessage.MustNewName("pub.example."), kind: dnsmessage.TypeA}

// FuzzDNSAnswer compares the reader with the decoder of whole messages: an
// address may come only out of a complete answer to the query, from a record in
// it.
func FuzzDNSAnswer(f *testing.F) {
	r := request{id: fuzzQuery.id, question: dnsmessage.Question{Name: fuzzQuery.name, Type: fuzzQuery.kind, Class: dnsmessage.ClassINET}}
	addrs := parseAddrs("93.184.216.34 10.0.0.1")
	for _, m := range []*reply{
		to(r), to(r).with("pub.example.", addrs...), to(r).code(dnsmessage.RCodeNameError), to(r).truncated(),
		to(r).alias("pub.example.", "a.example.").with("a.example.", addrs...),
		to(r).alias("pub.example.", "a.example.").alias("a.example.", "pub.example."),
		to(r).with("other.example.", addrs...),
	} {
		f.Add(m.bytes())
	}
	f.Fuzz(func(t *testing.T, msg []byte) {
		a, err := fuzzQuery.read(msg)
		if err != nil && (len(a.addrs) > 0 || !errors.Is(err, errNotOurs) && !errors.Is(err, errMalformed) && !errors.Is(err, errAliases)) {
			t.Fatalf("error %v with %v", err, a)
		}
		if len(a.addrs) == 0 {
			return
		}
		var p dnsmessage.Parser
		header, err := p.Start(msg)
		if err != nil || header.ID != fuzzQuery.id || !header.Response || header.Truncated || header.RCode != dnsmessage.RCodeSuccess {
			t.Fatalf("addresses out of a message with the header %v (%v)", header, err)
		}
		questions, err := p.AllQuestions()
		if err != nil || len(questions) != 1 || !strings.EqualFold(questions[0].Name.String(), "pub.example.") {
			t.Fatalf("addresses out of a message with the questions %v (%v)", questions, err)
		}
		records, err := addressRecords(&p)
		if err != nil {
			t.Fatalf("addresses out of a broken message: %v", err)
		}
		for _, addr := range a.addrs {
			if !slices.ContainsFunc(records, func(r dnsmessage.Resource) bool { return holds(r, addr) }) {
				t.Fatalf("the address %s is not in the message", addr)
			}
		}
	})
}

// addressRecords reads the answers that can hold addresses or lead to them. The
// content of records of other kinds and classes is nobody's concern.
func addressRecords(p *dnsmessage.Parser) ([]dnsmessage.Resource, error) {
	var list []dnsmessage.Resource
	for {
		h, err := p.AnswerHeader()
		if errors.Is(err, dnsmessage.ErrSectionDone) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		kinds := []dnsmessage.Type{dnsmessage.TypeA, dnsmessage.TypeAAAA, dnsmessage.TypeCNAME}
		if h.Class != dnsmessage.ClassINET || !slices.Contains(kinds, h.Type) {
			err = p.SkipAnswer()
			if err != nil {
				return nil, err
			}
			continue
		}
		r, err := p.Answer()
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
}

// holds reports whether a record has the address.
func holds(r dnsmessage.Resource, addr netip.Addr) bool {
	switch body := r.Body.(type) {
	case *dnsmessage.AResource:
		return netip.AddrFrom4(body.A) == addr
	case *dnsmessage.AAAAResource:
		return netip.AddrFrom16(body.AAAA) == addr
	}
	return false
}
