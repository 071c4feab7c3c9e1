package packaging

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// architecture is that of the packages that tests make and run.
const architecture = runtime.GOARCH

// shared is a folder for what several tests use.
var shared string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "avow-packaging-")
	if err != nil {
		panic(err)
	}
	shared = dir
	code := m.Run()
	err = os.RemoveAll(dir)
	if err != nil {
		panic(err)
	}
	os.Exit(code)
}

// repository returns the folder of the repository.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// page returns the text of a file of the repository.
func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository(t), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var build = sync.OnceValues(func() (string, error) {
	name := filepath.Join(shared, "bin", "avow")
	cmd := exec.CommandContext(context.Background(), "go", "build", "-trimpath", "-o", name, "./cmd/avow")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return name, nil
})

// program returns the path of avow, which is built once.
func program(t *testing.T) string {
	t.Helper()
	name, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// releaseVersion is that of the release that tests download.
const releaseVersion = "v1.2.3"

// releases serves releases as GitHub does, and returns where. Of v0.0.1 the archive is not
// the one of the checksum, and v0.0.2 has no checksum.
func releases(t *testing.T) string {
	t.Helper()
	name := "avow_" + releaseVersion[1:] + "_linux_" + architecture
	archive := releaseArchive(t, name)
	sums := func(version string) string {
		return fmt.Sprintf("%x  avow_%s_linux_%s.tar.gz\n", sha256.Sum256(archive), version, architecture)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /latest", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/tag/"+releaseVersion, http.StatusFound)
	})
	mux.HandleFunc("GET /tag/{version}", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /download/{version}/{name}", func(w http.ResponseWriter, r *http.Request) {
		version, sum := r.PathValue("version"), r.PathValue("name") == "SHA256SUMS"
		switch {
		case version == "v9.9.9":
			http.NotFound(w, r)
		case version == "v0.0.2" && sum:
			fmt.Fprint(w, strings.ReplaceAll(sums("0.0.2"), "tar.gz", "tar.gz.sig"))
		case sum:
			fmt.Fprint(w, sums(version[1:]))
		case version == "v0.0.1":
			_, _ = w.Write(append(bytes.Clone(archive), 0))
		default:
			_, _ = w.Write(archive)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// releaseArchive returns the archive of a release.
func releaseArchive(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(program(t))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(z)
	err = w.WriteHeader(&tar.Header{Name: path.Join(name, "avow"), Mode: 0o755, Size: int64(len(content))})
	for _, step := range []func() error{func() error { _, err := w.Write(content); return err }, w.Close, z.Close} {
		if err == nil {
			err = step()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
