package pack

import (
	"encoding/binary"
	"hash/crc32"
)

// smallest is the size from which bytes are worth packing. Below it they would hardly
// become fewer, and most records are that small.
const smallest = 1 << 10

// Sized is Bytes with the size in front, for Unsized. A few bytes are not packed: they
// come after a zero and a sum of four bytes.
func Sized(b []byte) ([]byte, error) {
	if len(b) < smallest {
		out := binary.BigEndian.AppendUint32(append(make([]byte, 0, len(b)+5), 0), sum(b))
		return append(out, b...), nil
	}
	packed, err := Bytes(b)
	if err != nil {
		return nil, err
	}
	return append(binary.AppendUvarint(make([]byte, 0, len(packed)+binary.MaxVarintLen64), uint64(len(b))), packed...), nil
}

// Unsized gives back what Sized was given.
func Unsized(packed []byte) ([]byte, error) {
	size, n := binary.Uvarint(packed)
	switch {
	case n <= 0 || size > Max:
		return nil, ErrDamaged
	case size > 0:
		return Unbytes(packed[n:], int64(size))
	}
	rest := packed[n:]
	if len(rest) < 4 || binary.BigEndian.Uint32(rest) != sum(rest[4:]) {
		return nil, ErrDamaged
	}
	return rest[4:], nil
}

func sum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)
