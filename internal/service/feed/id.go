package feed

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/service/projection"
)

// A Position is a place in the feed: after the event with a number. At is the time of the
// event, or when the position was given to a client.
type Position struct {
	Number int64
	At     time.Time
}

// Start is the position before everything. It is also the cursor of a registry that has no
// events at all.
const Start = "00000000-0000-7000-8000-000000000000"

// ErrExpired is the error of a position after which something may be missing, or that another
// store has given out: its holder must start over.
var ErrExpired = errors.New("the cursor is not known here, or too old")

// ErrCursor is the error of a text that is not a cursor.
var ErrCursor = errors.New("a cursor is a UUID")

// A Tag tells the positions of one store from those of others.
type Tag uint32

const (
	tagBits  = 30
	lowBits  = 32
	highBits = 12
)

// TagOf makes the tag of the store with an identity.
func TagOf(identity string) Tag {
	sum := sha256.Sum256([]byte("feed " + identity))
	return Tag(binary.BigEndian.Uint32(sum[:4]) >> (32 - tagBits))
}

// ID writes a position as a UUID of version 7: the time, the number, and the tag. The times of
// events do not decrease, so their order is that of their ids.
func (t Tag) ID(p Position) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], uint64(p.At.UnixMilli())<<16|uint64(p.Number)>>lowBits&(1<<highBits-1))
	binary.BigEndian.PutUint64(b[8:], uint64(p.Number)&(1<<lowBits-1)<<tagBits|uint64(t))
	return projection.UUID(b[:], 7)
}

// Parse reads what ID has written; Start is the zero Position. The error is ErrCursor or
// ErrExpired.
func (t Tag) Parse(text string) (Position, error) {
	text = strings.ToLower(text)
	if !isUUID(text) {
		return Position{}, ErrCursor
	}
	if text == Start {
		return Position{}, nil
	}
	b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	if err != nil {
		return Position{}, ErrCursor
	}
	high, low := binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])
	if high>>12&15 != 7 || low>>62 != 2 || Tag(low&(1<<tagBits-1)) != t {
		return Position{}, ErrExpired
	}
	return Position{
		Number: int64(high&(1<<highBits-1)<<lowBits | low>>tagBits&(1<<lowBits-1)),
		At:     time.UnixMilli(int64(high >> 16)).UTC(),
	}, nil
}

// isUUID reports whether a text has the form of a UUID, of whatever version.
func isUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i, r := range []byte(text) {
		hyphen := i == 8 || i == 13 || i == 18 || i == 23
		if hyphen != (r == '-') || !hyphen && (r < '0' || r > '9') && (r < 'a' || r > 'f') {
			return false
		}
	}
	return true
}
