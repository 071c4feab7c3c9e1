package fakeweb

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

var replyWords = map[string]replyKind{
	"nxdomain": replyNXDomain, "servfail": replyServFail, "silent": replySilent, "empty": replyEmpty,
}

// dnsLine reads "name reply | reply ...".
func (p *parser) dnsLine(words []string) error {
	host := strings.TrimSuffix(words[0], ".")
	err := checkName(host)
	if err != nil {
		return err
	}
	if p.spec.names[host] != nil {
		return fmt.Errorf("%s has a line already", host)
	}
	n := &name{}
	for part := range splitSeq(words[1:], "|") {
		r, err := parseReply(part)
		if err != nil {
			return err
		}
		n.replies = append(n.replies, r)
	}
	p.spec.names[host] = n
	return nil
}

// splitSeq yields the runs of words between separators; there is always one.
func splitSeq(words []string, separator string) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		for {
			i := slices.Index(words, separator)
			if i < 0 {
				yield(words)
				return
			}
			if !yield(words[:i]) {
				return
			}
			words = words[i+1:]
		}
	}
}

func parseReply(words []string) (reply, error) {
	if len(words) == 0 {
		return reply{}, errors.New("a reply is missing: addresses, CNAME name, nxdomain, servfail, silent or empty")
	}
	kind, special := replyWords[words[0]]
	switch {
	case special && len(words) == 1:
		return reply{kind: kind}, nil
	case special:
		return reply{}, fmt.Errorf("%s stands alone", words[0])
	case words[0] == "CNAME":
		return parseCNAME(words[1:])
	}
	var r reply
	for _, w := range words {
		a, err := netip.ParseAddr(w)
		if err != nil || a.Zone() != "" {
			return reply{}, fmt.Errorf("%q is not an address", w)
		}
		r.addrs = append(r.addrs, a)
	}
	return r, nil
}

func parseCNAME(words []string) (reply, error) {
	if len(words) != 1 {
		return reply{}, errors.New("CNAME takes one name")
	}
	to := strings.TrimSuffix(words[0], ".")
	err := checkName(to)
	if err != nil {
		return reply{}, err
	}
	return reply{kind: replyCNAME, cname: to}, nil
}
