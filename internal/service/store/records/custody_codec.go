package records

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/service/store/pack"
)

// errDamaged is about a record that is not as it was written.
var errDamaged = pack.ErrDamaged

// recordJSON is how records are written. A member that this release does not know is an
// error: writing the record again would lose it.
var recordJSON = json.JoinOptions(
	json.RejectUnknownMembers(true),
	json.FormatNilSliceAsNull(true),
	json.WithMarshalers(json.MarshalToFunc(func(e *jsontext.Encoder, t time.Time) error {
		text, err := t.UTC().Truncate(time.Microsecond).AppendText(append(e.AvailableBuffer(), '"'))
		if err != nil {
			return err
		}
		return e.WriteValue(append(text, '"'))
	})),
)

// encodeRecord packs a record.
func encodeRecord(v any) ([]byte, error) {
	text, err := json.Marshal(v, recordJSON)
	if err != nil {
		return nil, fmt.Errorf("store: record: %w", err)
	}
	if hasNUL(text) {
		return nil, errText
	}
	return pack.Sized(text)
}

// hasNUL reports whether a string in JSON has a NUL in it. It is written as an escape,
// whose backslash does not itself belong to an escaped backslash.
func hasNUL(text []byte) bool {
	const escape = `\u0000`
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(escape))
		if i < 0 {
			return false
		}
		before := text[:at+i]
		if (len(before)-len(bytes.TrimRight(before, `\`)))%2 == 0 {
			return true
		}
		at += i + len(escape)
	}
}

// decodeRecord is the opposite of encodeRecord.
func decodeRecord(packed []byte, v any) error {
	text, err := pack.Unsized(packed)
	if err != nil {
		return err
	}
	err = json.Unmarshal(text, v, recordJSON)
	if err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	return nil
}

// maxKey bounds the names that are in an index; those of hosts have 253 bytes at most.
const maxKey = 1_000

// checkName refuses a domain that cannot be a key.
func checkName(domain string) error {
	if len(domain) > maxKey {
		return errors.New("store: a domain is too long")
	}
	return checkText([]any{domain})
}

// fileKey is the key of a URL.
func fileKey(url string) []byte {
	sum := sha256.Sum256([]byte(url))
	return sum[:]
}

// A part is some neighbours of a sorted list of revocations.
type part struct {
	first string
	flat  []byte
}

// digest is the hash of a part.
func (p part) digest() []byte {
	sum := sha256.Sum256(p.flat)
	return sum[:]
}

// Sizes of a part. Borders depend on the domains and not on their position, so that one
// domain more changes one part. The limits keep anybody who chooses domains from making
// parts that are very small or very large.
const (
	partLeast = 256
	partMost  = 8_192
	partBytes = 1 << 20
	partOdds  = 2_048
)

// parts divides revocations, which have to be sorted by domain.
func parts(list []custody.Revocation) ([]part, error) {
	var all []part
	n, before := 0, ""
	for i := range list {
		r := &list[i]
		if i > 0 && r.Domain <= before {
			return nil, errors.New("store: revocations are not sorted by domain")
		}
		before = r.Domain
		err := checkName(r.Domain)
		if err != nil {
			return nil, err
		}
		if i == 0 || border(n, len(all[len(all)-1].flat), r.Domain) {
			all = append(all, part{first: r.Domain})
			n = 0
		}
		last := &all[len(all)-1]
		last.flat = appendRevocation(last.flat, r)
		n++
	}
	return all, nil
}

// border reports whether a part that has n entries already ends before a domain.
func border(n, size int, domain string) bool {
	if n >= partMost || size >= partBytes {
		return true
	}
	return n >= partLeast && crc32.ChecksumIEEE([]byte(domain))%partOdds == 0
}

// appendRevocation writes an entry: the domain, which times there are, and these.
func appendRevocation(b []byte, r *custody.Revocation) []byte {
	b = binary.AppendUvarint(b, uint64(len(r.Domain)))
	b = append(b, r.Domain...)
	at := len(b)
	b = append(b, 0)
	for i, t := range []time.Time{r.First, r.Stated, r.Delisted} {
		if !t.IsZero() {
			b[at] |= 1 << i
			b = binary.AppendVarint(b, t.UnixMicro())
		}
	}
	return b
}

// appendPart reads a packed part; nil has nothing in it.
func appendPart(list []custody.Revocation, packed []byte) ([]custody.Revocation, error) {
	ordered := true
	err := eachRevocation(packed, func(r custody.Revocation) {
		ordered = ordered && (len(list) == 0 || r.Domain > list[len(list)-1].Domain)
		list = append(list, r)
	})
	if err == nil && !ordered {
		err = errDamaged
	}
	if err != nil {
		return nil, err
	}
	return list, nil
}

// eachRevocation calls f for the entries of a packed part. Their domains share one string:
// there may be a million of them.
func eachRevocation(packed []byte, f func(custody.Revocation)) error {
	if packed == nil {
		return nil
	}
	flat, err := pack.Unsized(packed)
	if err != nil {
		return err
	}
	for rest := string(flat); rest != ""; {
		var r custody.Revocation
		r, rest, err = cutRevocation(rest)
		if err != nil {
			return err
		}
		f(r)
	}
	return nil
}

// cutRevocation is the opposite of appendRevocation.
func cutRevocation(s string) (custody.Revocation, string, error) {
	var r custody.Revocation
	length, n := uvarint(s)
	if n <= 0 || length >= uint64(len(s)-n) {
		return r, "", errDamaged
	}
	end := n + int(length)
	r.Domain = s[n:end]
	which := s[end]
	s = s[end+1:]
	if which > 7 || !utf8.ValidString(r.Domain) {
		return r, "", errDamaged
	}
	for i, t := range []*time.Time{&r.First, &r.Stated, &r.Delisted} {
		if which&(1<<i) == 0 {
			continue
		}
		us, n := uvarint(s)
		if n <= 0 {
			return r, "", errDamaged
		}
		*t = time.UnixMicro(int64(us>>1) ^ -int64(us&1)).UTC()
		s = s[n:]
	}
	return r, s, nil
}

// uvarint is binary.Uvarint for a string.
func uvarint(s string) (uint64, int) {
	return binary.Uvarint([]byte(s[:min(len(s), binary.MaxVarintLen64)]))
}
