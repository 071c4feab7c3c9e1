package netguard

import (
	"context"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// writeConf writes a resolv.conf file with its own time of change.
func writeConf(t *testing.T, path, text string, changed time.Time) {
	t.Helper()
	err := os.WriteFile(path, []byte(text), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	err = os.Chtimes(path, changed, changed)
	if err != nil {
		t.Fatal(err)
	}
}

// texts returns addresses as text.
func texts(addrs []netip.AddrPort) string {
	var list []string
	for _, addr := range addrs {
		list = append(list, addr.String())
	}
	return strings.Join(list, " ")
}

func TestReadServers(t *testing.T) {
	t.Parallel()
	const local = "127.0.0.1:53"
	for text, want := range map[string]string{
		"":                                   local,
		"# nameserver 9.9.9.9\n":             local,
		";nameserver 9.9.9.9\n":              local,
		"nameserver x\nnameserver\n":         local,
		"nameserver 9.9.9.9":                 "9.9.9.9:53",
		"nameserver\t9.9.9.9 # with comment": "9.9.9.9:53",
		"  nameserver   9.9.9.9  \r\n":       "9.9.9.9:53",
		"nameserver 2620:fe::fe\nnameserver fe80::1%eth0\n":                                                      "[2620:fe::fe]:53 [fe80::1%eth0]:53",
		"search corp.example\noptions ndots:5 timeout:60 attempts:9\nnameserver 10.0.0.2\ndomain corp.example\n": "10.0.0.2:53",
		"nameserver 9.9.9.1\nnameserver 9.9.9.2\nnameserver bad\nnameserver 9.9.9.3\nnameserver 9.9.9.4\n":       "9.9.9.1:53 9.9.9.2:53 9.9.9.3:53",
	} {
		path := filepath.Join(t.TempDir(), "resolv.conf")
		writeConf(t, path, text, time.Now())
		got := texts(readServers(path))
		if got != want {
			t.Errorf("%q: servers %s, want %s", text, got, want)
		}
	}
	got := texts(readServers(filepath.Join(t.TempDir(), "missing")))
	if got != local {
		t.Errorf("without a file: servers %s", got)
	}
}

func TestServersAreReadAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "resolv.conf")
	conf := &resolvConf{path: path}
	expect := func(want string) {
		t.Helper()
		got := texts(conf.nameServers())
		if got != want {
			t.Errorf("servers %s, want %s", got, want)
		}
	}
	now := time.Now()
	expect("127.0.0.1:53")
	writeConf(t, path, "nameserver 9.9.9.1\n", now)
	expect("9.9.9.1:53")
	writeConf(t, path, "nameserver 9.9.9.2\n", now)
	expect("9.9.9.1:53") // to the file system nothing happened
	writeConf(t, path, "nameserver 9.9.9.3\n", now.Add(-time.Hour))
	expect("9.9.9.3:53")
	err := os.Remove(path)
	if err != nil {
		t.Fatal(err)
	}
	expect("127.0.0.1:53")
}

func TestPickResolver(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing")
	present := filepath.Join(t.TempDir(), "resolv.conf")
	writeConf(t, present, "nameserver 9.9.9.9\n", time.Now())
	for _, test := range []struct {
		goos, path string
		own        bool
	}{
		{"linux", missing, true},
		{"darwin", missing, true},
		{"freebsd", present, true},
		{"windows", missing, false},
		{"plan9", missing, false},
	} {
		client, own := pickResolver(test.goos, test.path).(*dnsClient)
		if own != test.own {
			t.Errorf("%s: own client is %v", test.goos, own)
		}
		if own && client.tryTimeout != tryTimeout {
			t.Errorf("%s: the limit of a try is %v", test.goos, client.tryTimeout)
		}
		if own && test.path == present && texts(client.servers()) != "9.9.9.9:53" {
			t.Errorf("%s: the servers are %s", test.goos, texts(client.servers()))
		}
	}
}

// TestAbsolute looks at what the resolver of package net sends for us.
func TestAbsolute(t *testing.T) {
	t.Parallel()
	s := newNameServer(t, says("93.184.216.34"))
	resolver := absolute{&net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		var dialer net.Dialer
		return dialer.DialContext(ctx, network, s.addr.String())
	}}}
	got, err := New(Network{Resolver: resolver}, nil).Resolve(t.Context(), "pub.example")
	if err != nil || !slices.Equal(got, parseAddrs("93.184.216.34")) {
		t.Errorf("%v, %v", got, err)
	}
	for _, r := range s.seen() {
		if r.question.Name.String() != "pub.example." {
			t.Errorf("the server was asked for %s", r.question.Name)
		}
	}
}
