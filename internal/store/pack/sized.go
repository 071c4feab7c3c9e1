package pack

import "encoding/binary"

// Sized is Bytes with the size in front, for Unsized.
func Sized(b []byte) ([]byte, error) {
	packed, err := Bytes(b)
	if err != nil {
		return nil, err
	}
	return append(binary.AppendUvarint(make([]byte, 0, len(packed)+binary.MaxVarintLen64), uint64(len(b))), packed...), nil
}

// Unsized gives back what Sized was given.
func Unsized(packed []byte) ([]byte, error) {
	size, n := binary.Uvarint(packed)
	if n <= 0 || size > Max {
		return nil, ErrDamaged
	}
	return Unbytes(packed[n:], int64(size))
}
