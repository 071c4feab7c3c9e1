package jstest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"testing"
)

// page has a browser load the package, ask it something and tell.
const page = `<!doctype html><script type="module">
let said;
try {
  const { load } = await import("./index.js");
  const avow = await load();
  const file = '{"authorized_agents": [{"url": "https://agent.example/mcp", "authorized_for": "x", "authorization_type": "property_ids", "property_ids": ["site"]}],' +
    '"properties": [{"property_id": "site", "property_type": "website", "name": "Müller", "identifiers": [{"type": "domain", "value": "pub.example"}]}]}';
  const question = { publisher: "pub.example", agent: "https://agent.example/mcp", property: "site" };
  said = [avow.authorize(question, { "pub.example": file }).verdict, avow.check("{").findings[0].code, avow.fix(file).text === file].join(" ");
} catch (e) {
  said = String(e);
}
await fetch("/said", { method: "POST", body: said });
</script>`

// TestBrowser: the package works in a browser, which asks a server for the module.
func TestBrowser(t *testing.T) {
	t.Parallel()
	said := make(chan string, 1)
	files := http.FileServer(http.Dir(pack(t)))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost:
			body, err := io.ReadAll(io.LimitReader(r.Body, 1000))
			if err != nil {
				body = []byte(err.Error())
			}
			select {
			case said <- string(body):
			default:
			}
		case r.URL.Path == "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, page)
		default:
			files.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	cmd := exec.CommandContext(t.Context(), chromium(t), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir="+t.TempDir(), "--remote-debugging-port=0", s.URL)
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	err := cmd.Start()
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan error, 1)
	go func() { gone <- cmd.Wait() }()
	select {
	case got := <-said:
		if got != "authorized file.json_invalid true" {
			t.Errorf("the browser says %q", got)
		}
	case err := <-gone:
		t.Fatalf("the browser ended: %v", err)
	}
	err = cmd.Process.Signal(os.Interrupt) // so that it cleans up
	if err != nil {
		t.Error(err)
	}
	<-gone
}

// chromium returns the browser: the program itself, so that it gets the signal that ends it.
func chromium(t *testing.T) string {
	t.Helper()
	names := []string{"/usr/lib/chromium/chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}
	i := slices.IndexFunc(names, func(name string) bool { _, err := exec.LookPath(name); return err == nil })
	if i < 0 {
		t.Fatal("there is no Chromium; run make test-deps")
	}
	return names[i]
}
