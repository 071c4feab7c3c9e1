package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/avow-project/avow/internal/service/edge"
)

//go:embed assets
var assetFiles embed.FS

// An asset is a file that pages refer to. Its address has a part of a digest in it, so
// that caches may keep it for ever.
type asset struct {
	name, media string
	body        []byte
	// packed is the body in fewer bytes.
	packed func() []byte
}

// Commands that show no page do not pay for these.
var (
	styleSheet = sync.OnceValue(func() *asset {
		return newAsset("style.css", "text/css; charset=utf-8", mustJoin("assets/style"))
	})
	buildSheet = sync.OnceValue(func() *asset {
		return newAsset("build.css", "text/css; charset=utf-8", mustRead("assets/build.css"))
	})
	icon = sync.OnceValue(func() *asset {
		return newAsset("icon.svg", "image/svg+xml", mustRead("assets/icon.svg"))
	})
)

// mustRead returns a file of the program.
func mustRead(name string) []byte {
	body, err := assetFiles.ReadFile(name)
	if err != nil {
		panic("the program lacks a part of its pages: " + err.Error())
	}
	return body
}

// mustList returns the files in a folder of the program, in the order of their names.
func mustList(folder string) []fs.DirEntry {
	list, err := assetFiles.ReadDir(folder)
	if err != nil {
		panic("the program lacks a part of its pages: " + err.Error())
	}
	return list
}

// mustJoin returns the files of a folder of the program as one, in the order of their names.
func mustJoin(folder string) []byte {
	var b bytes.Buffer
	for _, f := range mustList(folder) {
		b.Write(mustRead(folder + "/" + f.Name()))
	}
	return b.Bytes()
}

func newAsset(file, media string, body []byte) *asset {
	ext := path.Ext(file)
	return &asset{name: strings.TrimSuffix(file, ext) + "-" + digest(body) + ext, media: media, body: body,
		packed: sync.OnceValue(func() []byte {
			return edge.GzippedWell(body)
		})}
}

// digest tells a text from another one, in an address.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

// scriptFolder has the scripts by name, in a folder that is named after all of them: they refer
// to each other.
type scriptFolder struct {
	path  string
	files map[string]*asset
}

// scripts are built by internal/gen/script from the folder script.
var scripts = sync.OnceValue(func() *scriptFolder {
	const folder = "assets/script"
	f := &scriptFolder{path: "/assets/script/" + digest(mustJoin(folder)) + "/", files: map[string]*asset{}}
	for _, e := range mustList(folder) {
		media := "text/javascript; charset=utf-8"
		if path.Ext(e.Name()) == ".txt" {
			media = "text/plain; charset=utf-8"
		}
		f.files[e.Name()] = newAsset(e.Name(), media, mustRead(folder+"/"+e.Name()))
	}
	return f
})

// scriptPath is the address of a script by its name, for pages.
func scriptPath(name string) string {
	file := name + ".js"
	if scripts().files[file] == nil {
		panic("there is no script " + name)
	}
	return scripts().path + file
}
