// Package receipt verifies receipts of a registry without a network: that an answer about a
// publisher rests on entries of the registry's transparency log.
//
// A receipt is a text that avow authorize --proof and the service's GET /api/authorize with
// proofs=true hand out. It has the question, the verdict and the entries of the log, called
// leaves, that the answer rests on. Verify checks it years later, with nothing but a policy:
// a text with the public keys of the log and of witnesses, in the form of C2SP tlog-policy. A
// service has it at /log/policy; take it from a source that you trust, not from the sender of
// the receipt.
//
// The log has signed the question and the verdict, and the leaves are proved. With Options.Document the question is
// decided again. That the question is the one you asked is for you to see: compare Receipt.Question.
package receipt

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/avow-project/avow/internal/recheck"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/translog"
)

// Options say what a receipt has to show.
type Options struct {
	// Policy says whose signatures are needed. It is required.
	Policy []byte
	// Publisher is a domain: a leaf has to be about it, or about the file at its well-known
	// path. Empty means any.
	Publisher string
	// Document has the bytes of a file that a leaf has to be about. The question of the receipt is decided
	// again from it if it is the version that was in effect for the publisher; another verdict is an
	// error, and Receipt.Decided says whether it was decided. Nil means any.
	Document []byte
}

// A Receipt is one that was verified.
type Receipt struct {
	// Question, Verdict and At are what was asked, the answer and when it was given, as the log has
	// signed it.
	Question url.Values
	Verdict  string
	At       time.Time
	// Decided: the verdict was decided again from Options.Document.
	Decided bool
	// Leaves are what was proved.
	Leaves []Leaf
	// Open says in sentences what the proofs leave open.
	Open []string
}

// A Leaf is an entry that is in the log.
type Leaf struct {
	// Log is the name of the log, Size how many leaves it had when its head was signed, and
	// Index which of them this is.
	Log         string
	Index, Size int64
	// Kind is the code of what happened, such as file.adopted; Subject is what it happened
	// to, such as "publisher example.com", or "file" with the SHA-256 of its URL.
	Kind, Subject string
	// At is when it happened, by the word of the log.
	At time.Time
	// Document is the SHA-256 of the version that was seen, and InEffect the checksum of the
	// version in effect from then on, "none" without one; both in hexadecimal, or empty.
	Document, InEffect string
	// Signatures are those with a time that the policy names.
	Signatures []Signature
	// Proves says in sentences what is proved.
	Proves []string
}

// A Signature tells until when a log had all its leaves.
type Signature struct {
	By string
	At time.Time
}

// Verify checks a receipt: its form, that the log has signed it, the signatures that the policy
// asks for, that every leaf is in the log, that the file in it is the one that spoke for the
// publisher, and what Options ask for.
func Verify(text []byte, o Options) (*Receipt, error) {
	policy, err := translog.ParsePolicy(o.Policy)
	if err != nil {
		return nil, err
	}
	r, err := translog.ParseReceipt(text)
	if err != nil {
		return nil, err
	}
	all, err := r.Verify(policy)
	if err != nil {
		return nil, err
	}
	err = errors.Join(translog.CheckFiles(all), o.compare(all))
	if err != nil {
		return nil, err
	}
	out := &Receipt{Question: r.Question, Verdict: r.Verdict, At: r.At}
	if o.Document != nil {
		out.Decided, err = recheck.Receipt(r, all, o.Document)
		if err != nil {
			return nil, fmt.Errorf("receipt: %w", err)
		}
	}
	if !out.Decided {
		out.Open = append(out.Open, "that the answer was computed correctly")
	}
	for _, v := range all {
		out.Leaves = append(out.Leaves, leafOf(v))
		for _, open := range v.LeavesOpen() {
			if !slices.Contains(out.Open, open) {
				out.Open = append(out.Open, open)
			}
		}
	}
	return out, nil
}

// compare holds what is proved to what was asked for.
func (o Options) compare(all []*translog.Verified) error {
	if o.Publisher != "" {
		domain, _, err := hostname.Canonical(o.Publisher)
		if err != nil {
			return fmt.Errorf("receipt: the publisher to compare with is not a domain: %w", err)
		}
		if !slices.ContainsFunc(all, func(v *translog.Verified) bool { return v.Leaf.Subject.About(domain) }) {
			return fmt.Errorf("receipt: nothing in it is about %s or the file at its well-known path", domain)
		}
	}
	if o.Document != nil {
		hash := translog.HashOf(o.Document)
		if !slices.ContainsFunc(all, func(v *translog.Verified) bool { return v.Shows(hash) }) {
			return fmt.Errorf("receipt: nothing in it is about the document with the SHA-256 %s", hash)
		}
	}
	return nil
}

func leafOf(v *translog.Verified) Leaf {
	l := Leaf{
		Log: v.Head.Origin, Index: v.Index, Size: v.Head.Size, Kind: v.Leaf.Kind, Subject: v.Leaf.Subject.String(),
		At: v.Leaf.At, InEffect: v.Leaf.Counts, Proves: v.Proves(),
	}
	if v.Leaf.Document != nil {
		l.Document = v.Leaf.Document.Hash
	}
	for _, w := range v.Witnesses {
		l.Signatures = append(l.Signatures, Signature{w.Name, w.At})
	}
	return l
}
