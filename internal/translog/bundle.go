package translog

import (
	"encoding/binary"
	"errors"
)

// Bundle returns leaves as a tile of entries has them: each after its length in two bytes.
func Bundle(leaves [][]byte) []byte {
	var b []byte
	for _, l := range leaves {
		b = append(binary.BigEndian.AppendUint16(b, uint16(len(l))), l...) // at most MaxLeaf
	}
	return b
}

// Unbundle reads what Bundle has written. The leaves are parts of it.
func Unbundle(b []byte) ([][]byte, error) {
	var leaves [][]byte
	for len(b) > 0 {
		if len(b) < 2 || len(b) < 2+int(binary.BigEndian.Uint16(b)) {
			return nil, errors.New("translog: a tile of entries ends in a leaf")
		}
		end := 2 + int(binary.BigEndian.Uint16(b))
		leaves, b = append(leaves, b[2:end:end]), b[end:]
	}
	return leaves, nil
}
