package main

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

const (
	// directoryName is what -only matches for the figures about the directory and its feed.
	directoryName = "directory"

	// pageAsked is how often the first page is asked for, one request after the other.
	pageAsked = 500
	followers = 1_000
	// followed is how many publishers become known while the followers wait.
	followed = 300
)

// The promised limits of the directory.
const (
	maxPageMS      = 5
	maxPage        = 1 / 0.40
	maxFollowMS    = 1000
	maxFollowersMB = 200
)

// directoryFigures is what was measured on the directory and its feed.
type directoryFigures struct {
	readCPU   time.Duration // for a publisher
	heap      int64         // of the directory
	rss       int64         // of the whole process, when everything was read
	page      versusBare
	answers   []time.Duration // of the first page, sorted
	follow    []time.Duration // until the last follower had an event, sorted
	followRSS [2]int64        // when all are connected, and the most
}

func measureDirectory(runs int) (*directoryFigures, error) {
	found := new(directoryFigures)
	return found, runServices(runs, func(m *serviceRun) error { return errors.Join(m.followers(found), m.firstPage(found)) })
}

// firstPage asks for the first page of the agent with most publishers.
func (m *serviceRun) firstPage(found *directoryFigures) error {
	bare, err := startServer(m.self, bareTask, m.origins)
	if err != nil {
		return err
	}
	s, err := startServer(m.self, directoryTask, m.origins)
	if err != nil {
		_, stopped := bare.stop()
		return errors.Join(err, stopped)
	}
	found.readCPU = s.cpu() / time.Duration(directoryPublishers())
	found.rss, found.heap, found.page.clients = s.memory(), s.heap, loadClients
	found.answers, err = s.oneByOne(request("GET", largestAgentPath, ""))
	if err == nil {
		err = m.versus(&found.page, bare, s, "GET", largestAgentPath, "")
	}
	_, stopped := bare.stop()
	_, ended := s.stop()
	return errors.Join(err, stopped, ended)
}

// oneByOne returns how long answers take, in order of that.
func (s *serverProcess) oneByOne(request []byte) ([]time.Duration, error) {
	conns, err := openConns(s.addr, 1, false)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conns[0].conn.Close() }() // nothing is being written
	for range pageAsked {
		err := conns[0].exchange(request)
		if err != nil {
			return nil, err
		}
	}
	return slices.Sorted(slices.Values(conns[0].times)), nil
}

func (d *directoryFigures) limits() []limit {
	if d == nil {
		return nil
	}
	all := []limit{
		{name: "directory, first page of the largest agent: median", allowed: maxPageMS, have: milliseconds(middle(d.answers)), unit: " ms"},
		{name: "directory, first page of the largest agent: time / bare handler", allowed: maxPage, have: d.page.ratio},
		{name: "feed, from a request to the last of 1,000 followers: greatest", allowed: maxFollowMS, have: milliseconds(d.follow[len(d.follow)-1]), unit: " ms"},
	}
	if d.followRSS[1] == 0 {
		return all // this system does not tell
	}
	return append(all, limit{name: "feed, 1,000 followers: peak RSS", allowed: maxFollowersMB, have: megabytes(d.followRSS[1]), unit: " MB"})
}

// middle is the median of what is sorted.
func middle(list []time.Duration) time.Duration { return list[len(list)/2] }

func (d *directoryFigures) table() table {
	t := table{head: []string{
		"directory", "number", "answer bytes", "median ms", "greatest ms", "bare handler per second", "service per second", "part of the bare rate",
		"bare CPU µs", "CPU µs", "bytes each", "RSS MB",
	}}
	if d == nil {
		return t
	}
	n := directoryPublishers()
	t.add("publishers, looked at and stored", fmt.Sprint(n), "", "", "", "", "", "", "", number(1000*milliseconds(d.readCPU)), number(float64(d.heap)/float64(n)), number(megabytes(d.rss)))
	t.add("first page of the largest agent", fmt.Sprint(sellsOf(n)), fmt.Sprint(d.page.answer), number(milliseconds(middle(d.answers))), number(milliseconds(d.answers[len(d.answers)-1])),
		number(d.page.bare), number(d.page.rate), number(1/d.page.ratio), number(1000*milliseconds(d.page.bareCPU)), number(1000*milliseconds(d.page.cpu)), "", "")
	t.add("followers of the feed, connected", fmt.Sprint(followers), "", "", "", "", "", "", "", "", "", number(megabytes(d.followRSS[0])))
	t.add("the same, until the last has read of a new publisher", fmt.Sprint(len(d.follow)), "", number(milliseconds(middle(d.follow))), number(milliseconds(d.follow[len(d.follow)-1])),
		"", "", "", "", "", "", number(megabytes(d.followRSS[1])))
	return t
}
