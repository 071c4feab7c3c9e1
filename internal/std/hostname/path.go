package hostname

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// upperHex are the digits of canonical percent-encoding.
const upperHex = "0123456789ABCDEF"

// canonicalPath resolves the percent-encoding and the dot segments of a path.
// The encoding goes first, because an encoded dot is a dot.
func canonicalPath(path string) (string, Kind) {
	if path == "" {
		return "/", 0
	}
	path, kind := canonicalPercent(path)
	if kind != 0 {
		return "", kind
	}
	if !strings.Contains(path, "/.") {
		return path, 0
	}
	return removeDotSegments(path), 0
}

// canonicalPercent decodes unreserved characters, puts the remaining escapes
// in upper case, and encodes octets beyond ASCII, which a URL cannot carry.
func canonicalPercent(path string) (string, Kind) {
	if strings.IndexByte(path, '%') < 0 && isASCII(path) {
		return path, 0
	}
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		c := path[i]
		switch {
		case c >= utf8.RuneSelf:
			writeEscape(&b, c)
		case c != '%':
			b.WriteByte(c)
		default:
			v, ok := unescape(path[i:])
			if !ok {
				return "", BadPercent
			}
			writeNormal(&b, v)
			i += 2
		}
	}
	return b.String(), 0
}

// writeNormal writes an octet that was escaped: bare if unreserved, as every
// server takes the two for the same, and escaped again if not.
func writeNormal(b *strings.Builder, v byte) {
	if unreserved(v) {
		b.WriteByte(v)
		return
	}
	writeEscape(b, v)
}

// writeEscape writes an octet percent-encoded.
func writeEscape(b *strings.Builder, v byte) {
	b.WriteByte('%')
	b.WriteByte(upperHex[v>>4])
	b.WriteByte(upperHex[v&15])
}

// unescape reads the percent-encoded octet at the start of s.
func unescape(s string) (byte, bool) {
	if len(s) < 3 {
		return 0, false
	}
	hi, lo := unhex(s[1]), unhex(s[2])
	return hi<<4 | lo&15, hi < 16 && lo < 16
}

// unhex returns the value of a hexadecimal digit, or 255.
func unhex(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}

// unreserved reports whether RFC 3986 allows c to stand for itself anywhere.
func unreserved(c byte) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		return true
	}
	return c == '-' || c == '.' || c == '_' || c == '~'
}

// removeDotSegments resolves "." and ".." in a path that starts with a slash,
// as RFC 3986 section 5.2.4 describes. Empty segments are treated as segments.
func removeDotSegments(path string) string {
	out := make([]byte, 0, len(path))
	for rest := path; rest != ""; {
		end := strings.IndexByte(rest[1:], '/') + 1
		if end == 0 {
			end = len(rest)
		}
		segment := rest[1:end]
		rest = rest[end:]
		switch segment {
		case ".":
		case "..":
			out = out[:max(0, bytes.LastIndexByte(out, '/'))]
		default:
			out = append(out, '/')
			out = append(out, segment...)
			continue
		}
		if rest == "" {
			// A path that ends in a dot segment names a directory.
			out = append(out, '/')
		}
	}
	return string(out)
}
