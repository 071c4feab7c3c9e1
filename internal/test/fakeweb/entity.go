package fakeweb

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// An entity is a body as it goes over the wire: pieces, some of them repeated,
// so that a body of a gigabyte takes no memory.
type entity []piece

type piece struct {
	data  []byte
	times int64
}

// A coding says what is done to a body before it is sent.
type coding uint8

const (
	codingNone coding = iota
	codingGzip
	codingCorrupt // the checksum is wrong
	codingCut     // the stream ends early, in a complete message
	codingGarbage // bytes follow the stream
	codingMembers // two members, which together are the body
	codingTwice   // compressed and compressed again
	codingBomb
)

// blockSize is the size of the pieces that are repeated.
const blockSize = 64 << 10

func (e entity) size() int64 {
	var n int64
	for _, p := range e {
		n += int64(len(p.data)) * p.times
	}
	return n
}

// pieces calls f with the pieces of the first limit bytes until it fails.
func (e entity) pieces(limit int64, f func([]byte) error) error {
	for _, p := range e {
		for range p.times {
			data := p.data[:min(int64(len(p.data)), limit)]
			if len(data) == 0 {
				break
			}
			err := f(data)
			if err != nil {
				return err
			}
			limit -= int64(len(data))
		}
	}
	return nil
}

func (e entity) writeTo(w io.Writer) error {
	return e.pieces(e.size(), func(data []byte) error {
		_, err := w.Write(data)
		return err
	})
}

// filler is n times the same byte.
func filler(b byte, n int64) entity {
	block := bytes.Repeat([]byte{b}, blockSize)
	return entity{{block, n / blockSize}, {block[:n%blockSize], 1}}
}

// wire returns the body as it is sent. It is made once, at the first request.
func (a *answer) wire() entity {
	a.once.Do(func() { a.entity = a.encode(a.padded()) })
	return a.entity
}

// padded puts spaces in front of the last line break, where they change nothing
// about a JSON document or a text.
func (a *answer) padded() entity {
	n := a.pad
	if a.size > 0 {
		n = a.size - int64(len(a.body))
	}
	if n <= 0 {
		return entity{{a.body, 1}}
	}
	start := bytes.TrimRight(a.body, "\r\n")
	e := append(entity{{start, 1}}, filler(' ', n)...)
	return append(e, piece{a.body[len(start):], 1})
}

func (a *answer) encode(plain entity) entity {
	switch a.coding {
	case codingGzip:
		return entity{{compress(plain), 1}}
	case codingCorrupt:
		data := compress(plain)
		data[len(data)-8] ^= 0xff // the checksum comes before the length
		return entity{{data, 1}}
	case codingCut:
		data := compress(plain)
		return entity{{data[:len(data)-9], 1}}
	case codingGarbage:
		return entity{{compress(plain), 1}, {[]byte("garbage"), 1}}
	case codingMembers:
		half := len(a.body) / 2
		return entity{{compress(entity{{a.body[:half], 1}}), 1}, {compress(entity{{a.body[half:], 1}}), 1}}
	case codingTwice:
		return entity{{compress(entity{{compress(plain), 1}}), 1}}
	case codingBomb:
		return bomb(a.bomb)
	}
	return plain
}

func compress(e entity) []byte {
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	must(e.writeTo(zw))
	must(zw.Close())
	return buf.Bytes()
}

// must is for writes to memory, which do not fail.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// bombBlock is how many zeros one repeated piece of a bomb stands for.
const bombBlock = 128 << 10

// bomb is n zeros in gzip. A block that was compressed alone and flushed ends at
// a byte and refers to nothing before it, so it can be repeated as it is: no
// time is spent on compressing a gigabyte.
func bomb(n int64) entity {
	sum := crc32.NewIEEE()
	must(filler(0, n).writeTo(sum))
	header := []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}
	end := []byte{1, 0, 0, 0xff, 0xff} // an empty last block
	end = binary.LittleEndian.AppendUint32(end, sum.Sum32())
	end = binary.LittleEndian.AppendUint32(end, uint32(n))
	return entity{{header, 1}, {zeros(bombBlock), n / bombBlock}, {zeros(n % bombBlock), 1}, {end, 1}}
}

func zeros(n int64) []byte {
	var buf bytes.Buffer
	fw, err := flate.NewWriter(&buf, flate.BestCompression)
	must(err)
	must(filler(0, n).writeTo(fw))
	must(fw.Flush())
	return buf.Bytes()
}

// codingHeader is the value of Content-Encoding.
func (a *answer) codingHeader() string {
	switch a.coding {
	case codingNone:
		return ""
	case codingTwice:
		return "gzip, gzip"
	}
	return "gzip"
}
