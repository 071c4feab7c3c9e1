package translog

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

const (
	// TileHeight is that of tiles: they are 256 hashes wide.
	TileHeight = 8
	// TileWidth is how many hashes, or leaves, a full tile has.
	TileWidth = 1 << TileHeight
	// maxLevel is the highest that a tile can be on.
	maxLevel = 63
)

// A Tile names a part of a log that is served as one file: hashes of a level, or leaves.
type Tile struct {
	// Entries is set for a tile of leaves, which has no Level.
	Entries bool
	Level   int
	N       int64
	// Width is 256 for a full tile.
	Width int
}

// Path returns the path of a tile below that of its log.
func (t Tile) Path() string {
	n := fmt.Sprintf("%03d", t.N%1000)
	for rest := t.N / 1000; rest > 0; rest /= 1000 {
		n = fmt.Sprintf("x%03d/%s", rest%1000, n)
	}
	level := strconv.Itoa(t.Level)
	if t.Entries {
		level = "entries"
	}
	path := "tile/" + level + "/" + n
	if t.Width != TileWidth {
		path += ".p/" + strconv.Itoa(t.Width)
	}
	return path
}

var errPath = errors.New("translog: not the path of a tile")

// ParseTile reads the path of a tile.
func ParseTile(path string) (Tile, error) {
	rest, ok := strings.CutPrefix(path, "tile/")
	level, rest, more := strings.Cut(rest, "/")
	if !ok || !more || len(path) > 100 {
		return Tile{}, errPath
	}
	t := Tile{Width: TileWidth, Entries: level == "entries"}
	number, width, partial := strings.Cut(rest, ".p/")
	if partial {
		t.Width, _ = strconv.Atoi(width) // compared below
	}
	if !t.Entries {
		t.Level, _ = strconv.Atoi(level) // compared below
	}
	for part := range strings.SplitSeq(number, "/") {
		n, err := strconv.ParseUint(strings.TrimPrefix(part, "x"), 10, 16)
		if err != nil || n > 999 || t.N > (math.MaxInt64-999)/1000 {
			return Tile{}, errPath
		}
		t.N = t.N*1000 + int64(n)
	}
	if t.Width < 1 || t.Width > TileWidth || t.Level < 0 || t.Level > maxLevel || t.Path() != path {
		return Tile{}, errPath
	}
	return t, nil
}

// WidthAt returns how many hashes of the tile there are in a log of a size; 0 for none.
func (t Tile) WidthAt(size int64) int {
	shift := TileHeight * t.Level
	if shift >= 63 {
		return 0
	}
	have := size >> shift
	switch full := have / TileWidth; {
	case t.N < full:
		return TileWidth
	case t.N == full:
		return int(have % TileWidth)
	}
	return 0
}
