package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/avow-project/avow/internal/bench"
)

// largeChecks is how often a large file is checked: each time that of another publisher.
const largeChecks = 15

// networkHost begins the names of the publishers with a file of 3 MB.
const networkHost = "network"

// serviceLarge is the processor time of the service for the check of a file of 3 MB.
type serviceLarge struct {
	sent, fetched time.Duration
}

// large checks files of 3 MB: one that comes with the request, and those of publishers
// that were not seen yet, which are fetched and kept as well.
func (m *serviceRun) large(found *serviceFigures) error {
	s, err := startServer(m.self, serveTask, m.origins)
	if err != nil {
		return err
	}
	conns, err := openConns(s.addr, 1, false)
	if err == nil {
		sent := request("POST", "/api/adagents/validate", `{"content":`+string(bench.Network3MB())+`}`)
		found.large.sent, err = s.eachCPU(func(int) error { return conns[0].exchange(sent) })
	}
	if err == nil {
		found.large.fetched, err = s.eachCPU(func(i int) error {
			return conns[0].validate(fmt.Sprintf("%s%d.example", networkHost, i))
		})
	}
	_, stopped := s.stop()
	return errors.Join(err, stopped)
}

// eachCPU returns the median of the processor time that the server takes for a request.
func (s *serverProcess) eachCPU(ask func(i int) error) (time.Duration, error) {
	var samples []time.Duration
	for i := range largeChecks {
		before := s.cpu()
		err := ask(i)
		if err != nil {
			return 0, err
		}
		samples = append(samples, s.cpu()-before)
	}
	return median(samples), nil
}
