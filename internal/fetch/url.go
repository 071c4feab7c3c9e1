package fetch

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/std/hostname"
)

const (
	// maxURL bounds the URL of a request. Servers commonly refuse longer ones.
	maxURL = 8_000
	// maxLocation bounds the target of a redirect. Real ones are much shorter.
	maxLocation = 2_000

	httpsPort = 443
)

// A target is a URL taken apart and found fit to be requested. Name lookup,
// connection, TLS and the request line all read from it, so that no two of them
// can disagree about the host.
type target struct {
	// host is in canonical A-labels and without a port.
	host string
	port uint16
	// path and query are percent-encoded.
	path, query string
	emptyQuery  bool
}

// errNotHTTPS is told apart from other faults because a redirect that leads
// away from https has a reason of its own.
var errNotHTTPS = errors.New("the scheme is not https")

var (
	errURLTooLong  = errors.New("the url is too long")
	errCredentials = errors.New("the url has a user name or password")
)

// parseTarget reads a URL and refuses what is not plainly one https request. The
// guard has its say on host and port here already, before any name is looked up.
func parseTarget(raw string) (*target, error) {
	if len(raw) > maxURL {
		return nil, errURLTooLong
	}
	_, info, err := hostname.CanonicalURL(raw)
	if info.Scheme != "" && info.Scheme != "https" {
		return nil, errNotHTTPS
	}
	if err != nil {
		return nil, err
	}
	if info.HasUserinfo {
		return nil, errCredentials
	}
	t := &target{host: info.Host, port: httpsPort, emptyQuery: info.EmptyQuery}
	if info.Port != "" {
		// The port is a number by now; zero, if it were none, is refused below.
		n, _ := strconv.ParseUint(info.Port, 10, 16)
		t.port = uint16(n)
	}
	t.path, t.query = encode(info.Path, ""), encode(info.Query, "?")
	err = t.check()
	if err != nil {
		return nil, err
	}
	return t, nil
}

// check asks the guard about host and port.
func (t *target) check() error {
	err := netguard.CheckHost(t.host)
	if err != nil {
		return err
	}
	return netguard.CheckPort(t.port)
}

// authority returns the host, with the port when it is not the default one.
func (t *target) authority() string {
	if t.port == httpsPort {
		return t.host
	}
	return t.host + ":" + strconv.Itoa(int(t.port))
}

// String returns the URL.
func (t *target) String() string {
	s := t.origin() + t.path
	if t.query != "" || t.emptyQuery {
		s += "?" + t.query
	}
	return s
}

// withoutQuery returns the URL as far as it may be shown to anyone: queries carry
// tokens.
func (t *target) withoutQuery() string { return t.origin() + t.path }

func (t *target) origin() string { return "https://" + t.authority() }

// url returns the form that net/http takes. RawPath keeps the encoding as it is.
func (t *target) url() *url.URL {
	// The path has no broken escape: those were refused when the URL was read.
	path, _ := url.PathUnescape(t.path)
	return &url.URL{
		Scheme: "https", Host: t.authority(), Path: path, RawPath: t.path,
		RawQuery: t.query, ForceQuery: t.emptyQuery,
	}
}

// encode percent-encodes what may not stand in a path or, with "?" as more, in a
// query. Escapes stay as they are.
func encode(s, more string) string {
	i := 0
	for i < len(s) && mayStand(s[i], more) {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:i])
	for ; i < len(s); i++ {
		if mayStand(s[i], more) {
			b.WriteByte(s[i])
			continue
		}
		b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(s[i])|0x100, 16)[1:]))
	}
	return b.String()
}

// mayStand reports whether an octet may stand for itself: the pchar of RFC 3986,
// the slash and the percent sign of an escape.
func mayStand(c byte, more string) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		return true
	case c >= 0x80:
		return false
	}
	return strings.IndexByte("-._~!$&'()*+,;=:@/%", c) >= 0 || strings.IndexByte(more, c) >= 0
}

// displayURL makes a URL that could not be read fit for the evidence: without
// fragment, without anything that could be a password, and not endless.
func displayURL(raw string) string {
	raw, _, _ = strings.Cut(raw, "#")
	raw = withoutCredentials(raw)
	if len(raw) > maxLocation {
		raw = raw[:maxLocation]
	}
	return raw
}

// withoutCredentials removes what stands before an @ in the authority. One in the
// path is left alone, or the host would go with it.
func withoutCredentials(raw string) string {
	start, end := authority(raw)
	at := strings.LastIndexByte(raw[:end], '@')
	if at < 0 {
		return raw
	}
	return raw[:start] + "//" + raw[at+1:]
}

// authority returns where the authority of a URL begins, with its slashes, and
// where it ends. Where none can be told, anything may belong to it.
func authority(raw string) (int, int) {
	scheme, rest, found := strings.Cut(raw, "//")
	if !found || strings.ContainsAny(scheme, "@/?") {
		return 0, len(raw)
	}
	// Some programs take any number of slashes for two.
	rest = strings.TrimLeft(rest, `/\`)
	length := strings.IndexAny(rest, "/?")
	if length < 0 {
		length = len(rest)
	}
	host := rest[:length]
	_, port, _ := strings.Cut(host, ":")
	if strings.Trim(port, "0123456789") != "" && !strings.Contains(host, "@") {
		// Not a port but, likely, the beginning of a password with a slash in it.
		length = len(rest)
	}
	return len(scheme), len(raw) - len(rest) + length
}
