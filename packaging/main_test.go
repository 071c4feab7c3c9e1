package packaging

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

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

var unpacked = sync.OnceValues(func() (string, error) {
	dir, err := firstRelease()
	if err != nil {
		return "", err
	}
	base := "avow_" + releaseVersion + "_linux_" + architecture
	out, err := exec.CommandContext(context.Background(), "tar", "-xzf", filepath.Join(dir, base+".tar.gz"), "-C", shared).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return filepath.Join(shared, base, "avow"), nil
})

// program returns the path of avow as an archive has it.
func program(t *testing.T) string {
	t.Helper()
	name, err := unpacked()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// releases serves releases as GitHub does, and returns where. Of v0.0.1 the archive is not
// the one of the checksum, and v0.0.2 has no checksum.
func releases(t *testing.T) string {
	t.Helper()
	dir := dist(t)
	archive, err := os.ReadFile(made(t, ".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	sum := func(version string) string {
		return fmt.Sprintf("%x  avow_%s_linux_%s.tar.gz\n", sha256.Sum256(archive), version, architecture)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /latest", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/tag/"+releaseTag, http.StatusFound)
	})
	mux.HandleFunc("GET /tag/{version}", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /download/{version}/{name}", func(w http.ResponseWriter, r *http.Request) {
		switch version, sums := r.PathValue("version"), r.PathValue("name") == "SHA256SUMS"; {
		case version == "v0.0.1" && sums:
			fmt.Fprint(w, sum("0.0.1"))
		case version == "v0.0.1":
			_, _ = w.Write(append(bytes.Clone(archive), 0))
		case version == "v0.0.2" && sums:
			fmt.Fprint(w, strings.ReplaceAll(sum("0.0.2"), "tar.gz", "tar.gz.sig"))
		case version == "v0.0.2":
			_, _ = w.Write(archive)
		case version == releaseTag:
			http.ServeFileFS(w, r, os.DirFS(dir), r.PathValue("name"))
		default:
			http.NotFound(w, r)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}
