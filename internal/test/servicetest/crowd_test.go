package servicetest

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/test/testca"
)

// crowdVariable names the address of a crowd, and the file with its authority. It makes
// this program avow with that crowd for an internet.
const crowdVariable = "SERVICETEST_CROWD"

// A crowd are any number of publishers, served by this process so that the memory of the
// service is its own. The name of a publisher says what its file is like.
type crowd struct {
	setting      string
	agents, text []byte
	// site are agents that may sell the site of their publisher.
	site []byte
}

// newCrowd returns a crowd whose large files have so many bytes.
func newCrowd(t *testing.T, documentBytes int) *crowd {
	t.Helper()
	const agent = `{"url":"https://agent.example/mcp","authorized_for":"x","authorization_type":"property_ids","property_ids":["a"]}`
	c := &crowd{}
	c.agents = []byte(strings.Repeat(agent+",", documentBytes/(len(agent)+1)-1) + agent)
	c.site = bytes.ReplaceAll(c.agents, []byte(`"a"`), []byte(`"site"`))
	c.text = bytes.Repeat([]byte("x"), documentBytes-200)
	c.setting = gather(t, c)
	return c
}

// gather has a handler answer for all publishers there are, and returns the setting for
// processes of which that is the internet.
func gather(t *testing.T, handler http.Handler) string {
	t.Helper()
	issuer, err := testca.New("crowd", nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := testca.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	authority := filepath.Join(t.TempDir(), "ca.pem")
	err = os.WriteFile(authority, issuer.PEM(), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	var leaves sync.Map
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		NextProtos: []string{"http/1.1"},
		GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) {
			known, ok := leaves.Load(h.ServerName)
			if ok {
				return known.(*tls.Certificate), nil
			}
			leaf, err := issuer.Leaf(h.ServerName, key)
			leaves.Store(h.ServerName, leaf)
			return leaf, err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0)}
	done := make(chan error)
	go func() { done <- server.Serve(listener) }()
	t.Cleanup(func() {
		_ = server.Close()
		err := <-done
		if !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return listener.Addr().String() + "," + authority
}

// ServeHTTP answers for a publisher. Files that are too large for the well-known path are
// somewhere else.
func (c *crowd) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind, _, _ := strings.Cut(r.Host, "-")
	w.Header().Set("Content-Type", "application/json")
	wellKnown := r.URL.Path == "/.well-known/adagents.json"
	switch {
	case wellKnown && kind == "small":
		_, _ = fmt.Fprintf(w, `{"authorized_agents":[{"url":"https://agent.example/","authorized_for":"All","authorization_type":"property_ids","property_ids":["site"]}],`+
			`"properties":[{"property_id":"site","property_type":"website","name":"Site","publisher_domain":%q,"identifiers":[{"type":"domain","value":%q}]}]}`, r.Host, r.Host)
	case wellKnown && slices.Contains([]string{"hostile", "text", "large", "wide"}, kind):
		_, _ = fmt.Fprintf(w, `{"authoritative_location":"https://%s/file.json"}`, r.Host)
	case r.URL.Path == "/file.json" && kind == "hostile":
		writeFile(w, `{"x_host":"`+r.Host+`","authorized_agents":[`, c.agents, "]}")
	case r.URL.Path == "/file.json" && kind == "large":
		writeFile(w, siteOf(r.Host)+`"authorized_agents":[`, c.site, "]}")
	case r.URL.Path == "/file.json" && kind == "wide":
		writeFile(w, siteOf(r.Host)+`"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"x","authorization_type":"property_ids","property_ids":["site"],"x_text":"`, c.text, `"}]}`)
	case r.URL.Path == "/file.json" && kind == "text":
		writeFile(w, `{"x_host":"`+r.Host+`","authorized_agents":[],"x_text":"`, c.text, `"}`)
	default:
		http.NotFound(w, r)
	}
}

// siteOf is the beginning of a file with one property.
func siteOf(host string) string {
	return `{"properties":[{"property_id":"site","property_type":"website","name":"Site","publisher_domain":"` + host + `","identifiers":[{"type":"domain","value":"` + host + `"}]}],`
}

func writeFile(w http.ResponseWriter, head string, middle []byte, tail string) {
	w.Header().Set("Content-Length", fmt.Sprint(len(head)+len(middle)+len(tail)))
	_, _ = io.WriteString(w, head)
	_, _ = w.Write(middle)
	_, _ = io.WriteString(w, tail)
}

// crowdNetwork is the internet of a process whose publishers are a crowd.
func crowdNetwork(setting string) (netguard.Network, error) {
	address, authority, _ := strings.Cut(setting, ",")
	pem, err := os.ReadFile(authority)
	if err != nil {
		return netguard.Network{}, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(pem) {
		return netguard.Network{}, errors.New("no authority")
	}
	dial := func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", address)
	}
	return netguard.Network{Resolver: crowdNames{}, Dial: dial, Roots: roots}, nil
}

// crowdNames gives every name an address of its own.
type crowdNames struct{}

// LookupNetIP implements netguard.Resolver.
func (crowdNames) LookupNetIP(_ context.Context, network, host string) ([]netip.Addr, error) {
	if network == "ip6" {
		return nil, &net.DNSError{Err: "no address", Name: host, IsNotFound: true}
	}
	h := fnv.New32a()
	_, _ = io.WriteString(h, host)
	sum := h.Sum32()
	return []netip.Addr{netip.AddrFrom4([4]byte{93, byte(sum >> 16), byte(sum >> 8), byte(sum)})}, nil
}
