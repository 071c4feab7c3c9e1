package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/avow-project/avow/discover"
)

const (
	freshTask = "fresh"
	// freshAddress is the variable with the address of the service.
	freshAddress = "BENCHTABLE_FRESH_ADDRESS"
	// freshRuns is how often it is compared; once more to warm up. Many short runs see the
	// same machine next to each other, and few long ones do not.
	freshRuns = 11
	// freshRound is the number of publishers in a run.
	freshRound = 500
)

// runFresh measures the check of publishers that the service has not seen yet next to
// bare requests for their files, when the environment says so.
func runFresh(out io.Writer) (bool, error) {
	if os.Getenv(webTaskVariable) != freshTask {
		return false, nil
	}
	c := &webClient{origin: os.Getenv(webOriginVariable), roots: x509.NewCertPool()}
	if !c.roots.AppendCertsFromPEM([]byte(os.Getenv(webRootsVariable))) {
		return true, errors.New("no certificate authority given")
	}
	conns, err := openConns(os.Getenv(freshAddress), atOnce, false)
	if err != nil {
		return true, err
	}
	idle, run := make(chan *loadConn, atOnce), 0
	for _, conn := range conns {
		idle <- conn
	}
	found := compare(freshRuns, func() { c.bareSome(freshRound) }, func() {
		c.each(freshRound, atOnce, func(_ *discover.Finder, i int) {
			conn := <-idle
			err := conn.validate(fmt.Sprintf("%s%d.example", publisherHost, run*freshRound+i))
			if err != nil {
				c.fail(err)
			}
			idle <- conn
		})
		run++
	})
	if failed := c.failed.Load(); failed != nil {
		return true, *failed
	}
	_, err = fmt.Fprintln(out, int64(found.base), int64(found.work), found.ratio)
	return true, err
}

// validate has the service check a domain, which it must not have seen before.
func (c *loadConn) validate(domain string) error {
	err := c.ask(request("POST", "/api/adagents/validate", `{"domain":"`+domain+`"}`))
	if err != nil {
		return fmt.Errorf("%s: %w", domain, err)
	}
	body := make([]byte, c.size)
	_, err = io.ReadFull(c.read, body)
	if err != nil || !bytes.Contains(body, []byte(`"found":true`)) || !bytes.Contains(body, []byte(`"cached":false`)) {
		return fmt.Errorf("%s: %w: %.300s", domain, err, body)
	}
	return nil
}

// fresh measures checks of publishers that were not seen yet.
func (m *serviceRun) fresh(found *serviceFigures) error {
	// The certificates are made before anything is measured.
	for i := range (freshRuns + 2) * freshRound {
		_, err := m.origins.certificate(&tls.ClientHelloInfo{ServerName: fmt.Sprintf("%s%d.example", publisherHost, i)})
		if err != nil {
			return err
		}
	}
	s, err := startServer(m.self, serveTask, m.origins)
	if err != nil {
		return err
	}
	cmd := exec.Command(m.self)
	cmd.Env = append(os.Environ(), webTaskVariable+"="+freshTask, webOriginVariable+"="+m.origins.listener.Addr().String(),
		webRootsVariable+"="+m.origins.pem, freshAddress+"="+s.addr)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	rss, stopped := s.stop()
	if err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
	}
	found.freshRSS = rss
	_, err = fmt.Fscan(&stdout, &found.fresh.bare, &found.fresh.discovery, &found.fresh.ratio)
	return errors.Join(err, stopped)
}

func (s *serviceFigures) limits() []limit {
	if s == nil {
		return nil
	}
	all := []limit{
		{name: "service, decision: time / bare handler", allowed: maxDecision, have: s.decision.ratio},
		{name: "service, decision: 99 of 100 answers", allowed: maxDecisionMS, have: milliseconds(s.decision.p99), unit: " ms"},
		{name: "service, cached check: time / bare handler", allowed: maxCached, have: s.cached.ratio},
		{name: "service, cached check: 99 of 100 answers", allowed: maxCachedMS, have: milliseconds(s.cached.p99), unit: " ms"},
		{name: "service, create of a small file: time / bare handler", allowed: maxCreate, have: s.create.ratio},
		{name: "service, create of 500 properties: time", allowed: maxCreate500, have: 1000 / s.create500.rate, unit: " ms"},
		{name: "service, check of a 3 MB file: CPU", allowed: maxLargeCPU, have: milliseconds(s.large.sent), unit: " ms"},
		{name: "service, check of fresh publishers: time / bare requests", allowed: maxFresh, have: s.fresh.ratio},
	}
	if s.idleRSS == 0 || s.freshRSS == 0 {
		return all // this system does not tell
	}
	return append(all,
		limit{name: "service, check of fresh publishers: peak RSS", allowed: maxFreshMB, have: megabytes(s.freshRSS), unit: " MB"},
		limit{name: "service, 10,000 open clients: peak RSS", allowed: maxClientsMB, have: megabytes(s.clientsRSS), unit: " MB"},
		limit{name: "service, idle: RSS", allowed: maxIdleMB, have: megabytes(s.idleRSS), unit: " MB"})
}

func (s *serviceFigures) table() table {
	t := table{head: []string{
		"service", "clients", "request bytes", "answer bytes", "bare handler per second", "service per second", "part of the bare rate", "99 of 100 ms",
		"bare CPU µs", "CPU µs",
	}}
	if s == nil {
		return t
	}
	row := func(name string, v *versusBare) {
		t.add(name, fmt.Sprint(v.clients), fmt.Sprint(v.request), fmt.Sprint(v.answer), number(v.bare), number(v.rate), number(1/v.ratio), number(milliseconds(v.p99)),
			number(1000*milliseconds(v.bareCPU)), number(1000*milliseconds(v.cpu)))
	}
	row("decision about a known publisher", &s.decision)
	row("the same, all from one client address", &s.alone)
	row("decision about 1,000 publishers and agents that they do not name", &s.spread)
	row("cached check", &s.cached)
	row("create, small file", &s.create)
	row("create, 500 properties", &s.create500)
	t.add("check of a 3 MB file that is sent", "1", "", "", "", "", "", "", "", number(1000*milliseconds(s.large.sent)))
	t.add("check of a 3 MB file that is fetched and kept", "1", "", "", "", "", "", "", "", number(1000*milliseconds(s.large.fetched)))
	perSecond := func(d time.Duration) string { return number(freshRound / d.Seconds()) }
	t.add("check of fresh publishers", fmt.Sprint(atOnce), "", "", perSecond(s.fresh.bare), perSecond(s.fresh.discovery), number(1/s.fresh.ratio), "", "", "")
	t.add("open clients", fmt.Sprint(s.clientsConnected), "", "", "", number(float64(s.clientsAnswered)/s.clientsTook.Seconds()), "", "", "", "")
	return t
}
