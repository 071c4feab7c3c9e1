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
	styleSheet = newAsset("style.css", "text/css; charset=utf-8", mustJoin("assets/style"))
	icon       = newAsset("icon.svg", "image/svg+xml", mustRead("assets/icon.svg"))
	assets     = map[string]*asset{styleSheet.name: styleSheet, icon.name: icon}
)

// mustRead returns a file of the program.
func mustRead(name string) []byte {
	body, err := assetFiles.ReadFile(name)
	if err != nil {
		panic("the program lacks a part of its pages: " + err.Error())
	}
	return body
}

// mustJoin returns the files of a folder of the program as one, in the order of their names.
func mustJoin(folder string) []byte {
	list, err := assetFiles.ReadDir(folder)
	if err != nil {
		panic("the program lacks a part of its pages: " + err.Error())
	}
	var b bytes.Buffer
	for _, f := range list {
		b.Write(mustRead(folder + "/" + f.Name()))
	}
	return b.Bytes()
}

func newAsset(file, media string, body []byte) *asset {
	sum := sha256.Sum256(body)
	ext := path.Ext(file)
	return &asset{name: strings.TrimSuffix(file, ext) + "-" + hex.EncodeToString(sum[:6]) + ext, media: media, body: body}
}

// favicon leads to the icon, for what has no page that names it.
func favicon(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/assets/"+icon.name, http.StatusFound)
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
