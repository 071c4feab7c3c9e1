package packaging

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// tarball returns an archive in which everything is in one folder.
func (r *release) tarball(folder string, program []byte) ([]byte, error) {
	return compress(r.tar(inFolder(folder, append(slices.Clone(r.common), file{"avow", 0o755, program})), nil))
}

func inFolder(folder string, files []file) []file {
	for i := range files {
		files[i].name = path.Join(folder, files[i].name)
	}
	return files
}

// zip returns the archive for Windows.
func (r *release) zip(folder string, program []byte) ([]byte, error) {
	return r.zipped(inFolder(folder, append(slices.Clone(r.common), file{"avow.exe", 0o755, program})))
}

// zipped returns files as a zip archive.
func (r *release) zipped(files []file) ([]byte, error) {
	sortFiles(files)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: r.date}
		h.SetMode(0o755)
		if f.mode != 0o755 {
			h.SetMode(0o644)
		}
		part, err := w.CreateHeader(h)
		if err == nil {
			_, err = part.Write(f.content)
		}
		if err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

func sortFiles(files []file) {
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
}

// tar writes files with the folders above them. They belong to root, unless owners has the
// number of another user. A mode with
// directory set is a folder.
func (r *release) tar(files []file, owners map[string]int) ([]byte, error) {
	known := map[string]bool{}
	for _, f := range files {
		known[f.name] = true
	}
	for _, f := range slices.Clone(files) {
		// Names may begin with "./", which path.Dir would take away.
		for i := strings.LastIndexByte(f.name, '/'); i > 1 && !known[f.name[:i]]; i = strings.LastIndexByte(f.name[:i], '/') {
			known[f.name[:i]] = true
			files = append(files, file{name: f.name[:i], mode: directory | 0o755})
		}
	}
	sortFiles(files)
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: f.mode &^ directory, Size: int64(len(f.content)), ModTime: r.date,
			Uid: owners[f.name], Gid: owners[f.name], Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}
		if f.mode&directory != 0 {
			h.Name, h.Typeflag = strings.TrimSuffix(f.name, "/")+"/", tar.TypeDir
		}
		err := w.WriteHeader(h)
		if err == nil {
			_, err = w.Write(f.content)
		}
		if err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// directory marks a folder among files.
const directory = 1 << 20

// compress returns content with gzip, without a name and a time in it. It takes an error so
// that it can stand around what makes the content.
func compress(content []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.DefaultCompression)
	if err != nil {
		return nil, err
	}
	w.ModTime = time.Time{}
	_, err = io.Copy(w, bytes.NewReader(content))
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}
