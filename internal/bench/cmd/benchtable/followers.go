package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http/httputil"
	"slices"
	"sync"
	"time"
)

// followers has many clients follow the feed of the service, and new publishers become known.
func (m *serviceRun) followers(found *directoryFigures) error {
	// The certificates are made before anything is measured.
	for i := range followed {
		_, err := m.origins.certificate(&tls.ClientHelloInfo{ServerName: followedDomain(i)})
		if err != nil {
			return err
		}
	}
	s, err := startServer(m.self, serveTask, m.origins)
	if err != nil {
		return err
	}
	conns, err := openConns(s.addr, followers+1, false)
	if err == nil {
		err = found.followAll(s, conns[0], conns[1:])
	}
	rss, stopped := s.stop()
	found.followRSS[1] = rss
	return errors.Join(err, stopped)
}

func followedDomain(i int) string { return fmt.Sprintf("%s%d.example", publisherHost, i) }

// followAll measures from the request that has a publisher looked at, so that the fetch, the
// check and the commit are part of it, to the moment at which all have read of it.
func (d *directoryFigures) followAll(s *serverProcess, asks *loadConn, conns []*loadConn) error {
	streams := make([]*bufio.Reader, len(conns))
	err := each(conns, func(i int) error {
		var err error
		streams[i], err = conns[i].stream()
		return err
	})
	if err != nil {
		return err
	}
	d.followRSS[0] = s.memory()
	for n := range followed {
		asked := make(chan error, 1)
		began := time.Now()
		go func() { asked <- asks.validate(followedDomain(n)) }()
		err := each(conns, func(i int) error { return readUntil(streams[i], `"`+followedDomain(n)+`"`) })
		d.follow = append(d.follow, time.Since(began))
		err = errors.Join(err, <-asked)
		if err != nil {
			return err
		}
	}
	slices.Sort(d.follow)
	return nil
}

// each does something for all connections at the same time.
func each(conns []*loadConn, do func(i int) error) error {
	errs := make([]error, len(conns))
	var done sync.WaitGroup
	for i := range conns {
		done.Go(func() { errs[i] = do(i) })
	}
	done.Wait()
	return errors.Join(errs...)
}

// stream begins to follow the feed, and returns when the first heartbeat has come.
func (c *loadConn) stream() (*bufio.Reader, error) {
	_, err := c.conn.Write([]byte("GET /api/registry/feed/stream HTTP/1.1\r\nHost: avow.example\r\nAccept: text/event-stream\r\n\r\n"))
	if err != nil {
		return nil, err
	}
	head, err := c.head()
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(head, statusOK) {
		return nil, fmt.Errorf("the answer is %s", head)
	}
	lines := bufio.NewReader(httputil.NewChunkedReader(c.read))
	return lines, readUntil(lines, "event: heartbeat")
}

// readUntil reads until a line contains a text.
func readUntil(r *bufio.Reader, text string) error {
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("waiting for %s: %w", text, err)
		}
		if bytes.Contains(line, []byte(text)) {
			return nil
		}
	}
}
