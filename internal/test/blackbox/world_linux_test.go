package blackbox

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/std/ipclass"
	"github.com/avow-project/avow/internal/test/testca"
)

// world is everything the program can reach from inside the namespace.
type world struct {
	issuer  *testca.Issuer
	caFile  string
	hostile []string
	served  atomic.Int64 // requests answered on public addresses
	asked   sync.Map     // hosts that answered them
	mu      sync.Mutex
	hits    []string // connections to reserved addresses
}

// canaryPorts are listened on besides 443: connecting there is as bad.
var canaryPorts = []int{22, 25, 80, 2375, 3306, 5432, 6379, 8080, 8443, 9200, 11211}

// startWorld puts listeners on every address and the DNS server where
// resolv.conf says.
func startWorld(t *testing.T) *world {
	t.Helper()
	w := &world{hostile: hostileURLs()}
	w.makeAuthority(t)
	front := w.listen(t, 443)
	server := &http.Server{Handler: http.HandlerFunc(w.answer), ErrorLog: log.New(io.Discard, "", 0), ReadTimeout: time.Hour}
	go func() {
		_ = server.Serve(tls.NewListener(front, &tls.Config{GetCertificate: w.certificate, NextProtos: []string{"h2", "http/1.1"}}))
	}()
	t.Cleanup(func() { _ = server.Close() })
	for _, port := range canaryPorts {
		l := w.listen(t, port)
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				_ = c.Close()
			}
		}()
	}
	startNames(t)
	return w
}

// listen accepts connections to any address and notes the reserved ones.
func (w *world) listen(t *testing.T, port int) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", ":"+strconv.Itoa(port))
	if err != nil {
		t.Fatalf("listen on port %d: %v", port, err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return &canary{Listener: l, w: w}
}

// canary closes connections to reserved addresses and notes them.
type canary struct {
	net.Listener
	w *world
}

// Accept returns connections to public addresses only.
func (c *canary) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		at := conn.LocalAddr().(*net.TCPAddr).AddrPort()
		if !ipclass.Of(at.Addr()).Reserved() {
			return conn, nil
		}
		c.w.mu.Lock()
		c.w.hits = append(c.w.hits, at.String())
		c.w.mu.Unlock()
		_ = conn.Close()
	}
}

// takeHits returns the connections to reserved addresses since the last call.
func (w *world) takeHits() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	hits := w.hits
	w.hits = nil
	return hits
}

// answer is every public web server there is. The first label of the host says
// what it serves; its number chooses the hostile URL.
func (w *world) answer(out http.ResponseWriter, r *http.Request) {
	w.served.Add(1)
	w.asked.Store(r.Host, true)
	label, _, _ := strings.Cut(r.Host, ".")
	kind := strings.TrimRight(label, "0123456789")
	n, err := strconv.Atoi(strings.TrimPrefix(label, kind))
	if err != nil {
		n = 0
	}
	bad := w.hostile[n%len(w.hostile)]
	wellKnown := r.URL.Path == "/.well-known/adagents.json"
	if w.answerNetwork(out, r, kind) {
		return
	}
	switch {
	case kind == "pointer" && wellKnown:
		writeJSON(out, map[string]any{"authoritative_location": bad, "last_updated": "2026-01-01T00:00:00Z"})
	case kind == "redirect" && wellKnown, kind == "managed" && r.URL.Path == "/ads.txt" && n%2 == 1:
		// http.Redirect would fix the value.
		out.Header()["Location"] = []string{strings.NewReplacer("\r", "", "\n", "").Replace(bad)}
		out.WriteHeader(http.StatusFound)
	case kind == "managed" && r.URL.Path == "/ads.txt":
		out.Header().Set("Content-Type", "text/plain")
		for _, manager := range []string{bad, hostOf(bad)} {
			fmt.Fprintf(out, "MANAGERDOMAIN=%s\n", manager)
		}
	case kind == "agents" && wellKnown:
		writeJSON(out, inline(r.Host, bad))
	case kind == "mirror" && wellKnown:
		writeJSON(out, map[string]any{
			"authorized_agents": []any{}, "superseded_by": bad,
			"properties": inline(r.Host, "")["properties"],
		})
	case kind == "ok" && wellKnown:
		writeJSON(out, inline(r.Host, "https://agent.example/mcp"))
	default:
		http.NotFound(out, r)
	}
}

// inline is a valid file, apart from what the agent's URL does to it.
func inline(host, agent string) map[string]any {
	return map[string]any{
		"properties": []any{map[string]any{
			"property_id": "site", "property_type": "website", "name": "Site", "publisher_domain": host,
			"identifiers": []any{map[string]any{"type": "domain", "value": host}},
		}},
		"authorized_agents": []any{map[string]any{
			"url": agent, "authorized_for": "everything", "authorization_type": "property_ids", "property_ids": []any{"site"},
			"signing_keys": []any{map[string]any{"kid": "k", "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}},
		}},
		"last_updated": "2026-01-01T00:00:00Z",
	}
}

// hostOf cuts the host out of a URL as carelessly as possible.
func hostOf(url string) string {
	_, rest, _ := strings.Cut(url, "//")
	return strings.TrimSpace(rest[:len(rest)-len(strings.TrimLeft(rest, "/"))] + strings.SplitN(strings.TrimLeft(rest, "/")+"/", "/", 2)[0])
}

func writeJSON(out http.ResponseWriter, v any) {
	out.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(out).Encode(v)
}

// makeAuthority makes the certificate authority that the program will trust.
func (w *world) makeAuthority(t *testing.T) {
	t.Helper()
	var err error
	w.issuer, err = testca.New("black box", nil)
	if err != nil {
		t.Fatal(err)
	}
	w.caFile = filepath.Join(t.TempDir(), "ca.pem")
	err = os.WriteFile(w.caFile, w.issuer.PEM(), 0o600)
	if err != nil {
		t.Fatal(err)
	}
}

// certificate makes one for whatever name is asked for.
func (w *world) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	return w.issuer.Leaf(hello.ServerName, w.issuer.Key)
}

// publicAddr gives a name an address of its own.
func publicAddr(name string) netip.Addr {
	sum := 0
	for _, c := range []byte(name) {
		sum = sum*31 + int(c)
	}
	return netip.AddrFrom4([4]byte{93, 184, byte(sum >> 8), byte(sum)})
}
