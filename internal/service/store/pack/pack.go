// Package pack turns documents and lists of strings into the bytes that a store keeps,
// and back.
//
// Everything is compressed with Zstandard. Stored bytes are not trusted more than bytes
// from the network: a database may be restored from anywhere, so unpacking is bounded
// in what it allocates and fails on anything that packing does not write.
package pack

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/avow-project/avow/internal/service/custodian"
)

// Max is the largest number of bytes that are packed or unpacked. The largest document
// that is read from the web has 20 MB.
const Max = 32 << 20

// window is how far back the compressor looks. Files repeat themselves within a
// kilobyte; the default window of megabytes costs memory and gains nothing.
const window = 1 << 19

// smallWindow is the size up to which bytes are packed in the quicker way: it takes half the
// time, because its tables are small, and makes a file of 3 kB 5 % larger.
const smallWindow = 1 << 14

// Errors of this package.
var (
	// ErrTooLarge: there is more than Max bytes.
	ErrTooLarge = fmt.Errorf("more than %d bytes", Max)
	// ErrDamaged: the bytes are not what packing wrote.
	ErrDamaged = custodian.ErrDamaged
)

// encoders and decoder are made on first use: a command that touches no document should
// not pay for their tables.
var (
	encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2), zstd.WithWindowSize(window),
			zstd.WithLowerEncoderMem(true))
	})
	smallEncoder = sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2), zstd.WithWindowSize(smallWindow),
			zstd.WithLowerEncoderMem(true), zstd.WithEncoderLevel(zstd.SpeedFastest))
	})
	decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(Max))
	})
)

// Bytes compresses bytes.
func Bytes(b []byte) ([]byte, error) {
	if len(b) > Max {
		return nil, ErrTooLarge
	}
	with := encoder
	if len(b) <= smallWindow {
		with = smallEncoder
	}
	e, err := with()
	if err != nil {
		return nil, err
	}
	return e.EncodeAll(b, make([]byte, 0, len(b)/4+64)), nil
}

// Unbytes gives back what Bytes was given; size is how much that was.
func Unbytes(packed []byte, size int64) ([]byte, error) {
	if size < 0 || size > Max {
		return nil, ErrDamaged
	}
	d, err := decoder()
	if err != nil {
		return nil, err
	}
	b, err := d.DecodeAll(packed, make([]byte, 0, size))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if int64(len(b)) != size {
		return nil, ErrDamaged
	}
	return b, nil
}

// Strings packs a list of strings of any content; nothing for an empty list. The form
// is the length of the whole, then the compressed lengths and strings in turn.
func Strings[S ~string](list []S) ([]byte, error) {
	if len(list) == 0 {
		return nil, nil
	}
	var flat []byte
	for _, s := range list {
		flat = binary.AppendUvarint(flat, uint64(len(s)))
		flat = append(flat, s...)
	}
	packed, err := Bytes(flat)
	if err != nil {
		return nil, err
	}
	return append(binary.AppendUvarint(nil, uint64(len(flat))), packed...), nil
}

// Unstrings gives back what Strings was given.
func Unstrings[S ~string](packed []byte) ([]S, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	size, n := binary.Uvarint(packed)
	if n <= 0 || size > Max {
		return nil, ErrDamaged
	}
	flat, err := Unbytes(packed[n:], int64(size))
	if err != nil {
		return nil, err
	}
	var list []S
	for len(flat) > 0 {
		length, n := binary.Uvarint(flat)
		if n <= 0 || length > uint64(len(flat)-n) {
			return nil, ErrDamaged
		}
		end := n + int(length)
		list = append(list, S(flat[n:end]))
		flat = flat[end:]
	}
	return list, nil
}

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
