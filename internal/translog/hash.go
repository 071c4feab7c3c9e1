package translog

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// HashOf returns the SHA-256 of bytes in lower-case hexadecimal, as leaves have it.
func HashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func hexOf(h tlog.Hash) string { return hex.EncodeToString(h[:]) }

// unbase64 decodes base64, and refuses all texts but one for the same bytes.
func unbase64(text string) ([]byte, error) {
	b, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || base64.StdEncoding.EncodeToString(b) != text {
		return nil, fmt.Errorf("translog: %.40q is not base64 in its usual form", text)
	}
	return b, nil
}

// parseHash reads a hash as checkpoints and proofs have it.
func parseHash(text string) (tlog.Hash, error) {
	b, err := unbase64(text)
	if err != nil || len(b) != tlog.HashSize {
		return tlog.Hash{}, fmt.Errorf("translog: %.60q is not a hash in base64", text)
	}
	return tlog.Hash(b), nil
}
