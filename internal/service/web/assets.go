package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed assets
var assetFiles embed.FS

// An asset is a file that pages refer to. Its name has a part of its digest in it, so
// that caches may keep it for ever.
type asset struct {
	name, media string
	body        []byte
}

var (
	styleSheet = mustAsset("style.css", "text/css; charset=utf-8")
	icon       = mustAsset("icon.svg", "image/svg+xml")
	assets     = map[string]*asset{styleSheet.name: styleSheet, icon.name: icon}
)

func mustAsset(file, media string) *asset {
	body, err := assetFiles.ReadFile("assets/" + file)
	if err != nil {
		panic("the program lacks a part of its pages: " + err.Error())
	}
	sum := sha256.Sum256(body)
	ext := path.Ext(file)
	return &asset{name: strings.TrimSuffix(file, ext) + "-" + hex.EncodeToString(sum[:6]) + ext, media: media, body: body}
}

// asset answers with an asset.
func (p *Pages) asset(w http.ResponseWriter, r *http.Request) {
	a := assets[r.PathValue("name")]
	if a == nil {
		p.notFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.media)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.body))
}
