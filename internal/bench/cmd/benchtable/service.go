package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/bench"
)

const (
	// serviceName is what -only matches for the figures about the service.
	serviceName = "service"

	loadClients = 100
	// largeClients send large requests, of which the service takes few at once.
	largeClients = 8
	// A run of load is loadTurns turns of loadTime: short turns see the same machine next
	// to each other.
	loadTime    = time.Second
	loadTurns   = 3
	spreadWarm  = 15 * time.Second
	idleClients = 10_000
	idleSettle  = 2 * time.Second
)

// The promised limits of the service. Rates are promised as parts of that of a bare
// handler with an answer of the same size, so times are at most so many times its own.
const (
	maxCached     = 1 / 0.40
	maxCachedMS   = 50
	maxCreate     = 1 / 0.15
	maxCreate500  = 2 // milliseconds: five hundred in a second
	maxDecision   = 1 / 0.50
	maxDecisionMS = 40
	maxFresh      = 1 / 0.60
	maxLargeCPU   = 50 // milliseconds of the processor
	maxFreshMB    = 180
	maxClientsMB  = 512 * 1.048576
	maxIdleMB     = 50
	createdNumber = 500
)

// serviceFigures is what was measured on the service.
type serviceFigures struct {
	decision, alone, spread           versusBare
	cached, create, create500         versusBare
	large                             serviceLarge
	fresh                             webReport
	freshRSS, clientsRSS, idleRSS     int64
	clientsTook                       time.Duration
	clientsAnswered, clientsConnected int
}

// versusBare is the rate of requests next to that of a bare handler.
type versusBare struct {
	clients         int
	request, answer int // bytes
	bare, rate      float64
	ratio           float64 // of times; median over neighbouring runs
	p99             time.Duration
	// bareCPU and cpu are the processor time of an answer in each server.
	bareCPU, cpu time.Duration
}

func measureService(runs int) (*serviceFigures, error) {
	found := new(serviceFigures)
	return found, runServices(runs, func(m *serviceRun) error {
		return errors.Join(m.idle(found), m.rates(found), m.large(found), m.clients(found), m.fresh(found))
	})
}

// runServices starts origins and measures servers beside them, in a folder that is removed afterwards.
func runServices(runs int, measure func(*serviceRun) error) error {
	o, err := startOrigins()
	if err != nil {
		return err
	}
	defer o.close()
	dir, err := os.MkdirTemp("", "benchtable")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // it is in the folder for such things
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return measure(&serviceRun{origins: o, self: self, dir: dir, runs: min(runs, 5)})
}

// serviceRun is one run of the measurements.
type serviceRun struct {
	origins   *origins
	self, dir string
	runs      int
	alone     bool // all connections come from one client address
}

// idle measures the program as it is released, before anybody asks it much.
func (m *serviceRun) idle(found *serviceFigures) error {
	program := filepath.Join(m.dir, "avow")
	err := buildProgram(program)
	if err != nil {
		return err
	}
	s, err := startServer(program, "", m.origins)
	if err != nil {
		return err
	}
	_, err = m.load(s, request("GET", "/readyz", ""), 1, 0)
	time.Sleep(idleSettle)
	found.idleRSS = s.memory()
	_, stopped := s.stop()
	return errors.Join(err, stopped)
}

// rates compares the quick calls with a bare handler.
func (m *serviceRun) rates(found *serviceFigures) error {
	bare, err := startServer(m.self, bareTask, m.origins)
	if err != nil {
		return err
	}
	avow, err := startServer(m.self, serveTask, m.origins)
	if err != nil {
		return err
	}
	for _, x := range []struct {
		into    *versusBare
		clients int
		method  string
		path    string
		body    string
	}{
		{&found.decision, loadClients, "GET", question, ""},
		{&found.alone, loadClients, "GET", question, ""},
		{&found.spread, loadClients, "GET", manyQuestions, ""},
		{&found.cached, loadClients, "POST", "/api/adagents/validate", `{"domain":"` + publisherHost + `0.example"}`},
		{&found.create, loadClients, "POST", "/api/adagents/create", string(bench.Small())},
		{&found.create500, largeClients, "POST", "/api/adagents/create", properties(createdNumber)},
	} {
		x.into.clients = x.clients
		m.alone = x.into == &found.alone
		err = errors.Join(err, m.versus(x.into, bare, avow, x.method, x.path, x.body))
	}
	m.alone = false
	_, stopped := bare.stop()
	_, ended := avow.stop()
	return errors.Join(err, stopped, ended)
}

// question is one about the publisher of the small file, which the answer says yes to.
const question = "/api/authorize?publisher=example.com&agent=https%3A%2F%2Fsales.example.com%2Fmcp&property=gazette_site"

// manyQuestions are about a thousand publishers and four agents, and every tenth about an agent that hardly
// anybody asks about. No file names these, so all answers are no. The client puts numbers in the place of the marks.
const manyQuestions = "/api/authorize?publisher=" + publisherHost + publisherMark + ".example&agent=https%3A%2F%2Fsales.example.com%2F" + agentMark

// properties is a request for a file with some properties of the plainest kind.
func properties(n int) string {
	var b strings.Builder
	b.WriteString(`{"authorized_agents":[{"url":"https://agent.example/mcp","authorized_for":"All","authorization_type":"property_tags","property_tags":["all"]}],` +
		`"tags":{"all":{"name":"All","description":"All"}},"properties":[`)
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"property_id":"p%d","property_type":"website","name":"Site %d","publisher_domain":"site%d.example","identifiers":[{"type":"domain","value":"site%d.example"}],"tags":["all"]}`, i, i, i, i)
	}
	b.WriteString("]}")
	return b.String()
}

// versus loads both servers in turn.
func (m *serviceRun) versus(into *versusBare, bare, avow *serverProcess, method, path, body string) error {
	first, err := m.load(avow, request(method, path, body), 1, 0)
	if err != nil {
		return err
	}
	into.request, into.answer = len(body), first.size
	if path == manyQuestions {
		_, err = m.load(avow, request(method, path, body), into.clients, spreadWarm) // all publishers become known
	}
	if err != nil {
		return err
	}
	var bares, rates, ratios []float64
	var p99, bareCPU, cpu []time.Duration
	for range m.runs * loadTurns {
		base, err := m.load(bare, request(method, fmt.Sprintf("/%d", first.size), body), into.clients, loadTime)
		if err != nil {
			return err
		}
		work, err := m.load(avow, request(method, path, body), into.clients, loadTime)
		if err != nil {
			return err
		}
		bareCPU, cpu = append(bareCPU, base.cpu), append(cpu, work.cpu)
		bares, rates, ratios, p99 = append(bares, base.rate()), append(rates, work.rate()), append(ratios, base.rate()/work.rate()), append(p99, work.p99)
	}
	into.bare, into.rate, into.ratio, into.p99 = median(bares), median(rates), median(ratios), median(p99)
	into.bareCPU, into.cpu = median(bareCPU), median(cpu)
	return nil
}

// clients opens many connections that stay.
func (m *serviceRun) clients(found *serviceFigures) error {
	s, err := startServer(m.self, serveTask, m.origins)
	if err != nil {
		return err
	}
	r, err := m.load(s, request("POST", "/api/adagents/validate", `{"domain":"`+publisherHost+`0.example"}`), idleClients, 0)
	found.clientsAnswered, found.clientsConnected, found.clientsTook = r.answers, idleClients, r.took
	rss, stopped := s.stop()
	found.clientsRSS = rss
	return errors.Join(err, stopped)
}

// request is a request as it is sent.
func request(method, path, body string) []byte {
	return fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: avow.example\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", method, path, len(body), body)
}

// load runs this program as the one that makes load.
func (m *serviceRun) load(s *serverProcess, request []byte, clients int, d time.Duration) (loadReport, error) {
	var r loadReport
	name := filepath.Join(m.dir, "request")
	err := os.WriteFile(name, request, 0o600)
	if err != nil {
		return r, err
	}
	cmd := exec.Command(m.self)
	cmd.Env = append(os.Environ(), webTaskVariable+"="+loadTask, loadAddress+"="+s.addr, loadRequest+"="+name,
		fmt.Sprint(loadConns, "=", clients), fmt.Sprint(loadDuration, "=", d), fmt.Sprint(loadAlone, "=", m.alone))
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	before := s.cpu()
	err = cmd.Run()
	if err != nil {
		return r, fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
	}
	_, err = fmt.Fscan(&stdout, &r.answers, &r.size, &r.took, &r.p99)
	r.cpu = (s.cpu() - before) / time.Duration(max(r.answers, 1))
	return r, err
}
