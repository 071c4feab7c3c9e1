package main

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/bench"
	"github.com/avow-project/avow/internal/bench/press"
	"github.com/avow-project/avow/internal/index"
	"github.com/avow-project/avow/resolve"
)

const (
	// indexName is what -only matches for the figures about the index.
	indexName = "index"
	// listedFile is the file in which everything of one agent is listed.
	listedFile = "network3mb.json"
	// millionFiles is the number of small files in the largest index.
	millionFiles = 1_000_000
	// decisions is the number of questions about the largest index.
	decisions = 1 << 16
	// questions is the number of different questions about a file.
	questions = 1 << 10
	// asked is the number of questions in a sample about a file. It takes a millisecond
	// or two: short enough for some of the samples to be undisturbed.
	asked = 1 << 13
	// rounds is how often the files take turns in each run, with two samples each,
	// answerRounds the same for whole answers and millionRounds for the largest index.
	rounds        = 100
	answerRounds  = 20
	millionRounds = 5
	// builds is the number of times that a file is parsed and indexed for each run.
	builds = 3
	// grown is the number of properties of the file that is doubled to see how the
	// time of a listing grows.
	grown = 30_000
)

// indexFigures is what was measured on indexes.
type indexFigures struct {
	files []indexedFile
	// listing is the time to list everything of an agent in the network's file, and
	// growth the time for a file of twice the size over twice that time.
	listing time.Duration
	growth  float64
	million indexedFile
	// heap is the size of the index of a million files.
	heap uint64
}

// indexedFile is what was measured on the index of one file. Decisions are about all
// publishers that the file has properties of.
type indexedFile struct {
	name          string
	publishers    int
	parse, build  time.Duration // of the file of the publisher who serves it
	ratio         float64       // of the quickest build to the quickest parse
	pointing      time.Duration // to build it with all publishers who point to it
	decide        timing
	answer        timing  // with everything that the service says
	allocs        float64 // of one decision
	authorizedPct int
}

func measureIndex(runs int) (*indexFigures, error) {
	found := new(indexFigures)
	var asks, replies []stint
	for _, file := range bench.Files() {
		f, ask, reply, err := indexedOne(file, runs)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name, err)
		}
		found.files, asks, replies = append(found.files, f), append(asks, ask), append(replies, reply)
		if file.Name == listedFile {
			found.listing, err = listAgent(file.Make(), runs)
			if err != nil {
				return nil, err
			}
		}
	}
	for i, t := range timed(rounds*runs, asks) {
		found.files[i].decide = t
	}
	for i, t := range timed(answerRounds*runs, replies) {
		found.files[i].answer = t
	}
	found.growth = listingGrowth(runs)
	found.measureMillion(runs)
	return found, nil
}

// indexedOne measures all but decisions and answers, which it returns.
func indexedOne(file bench.File, runs int) (indexedFile, stint, stint, error) {
	src := file.Make()
	report := adagents.Check(src, adagents.Options{Now: bench.Now()})
	_, err := usable(report)
	if err != nil {
		return indexedFile{}, stint{}, stint{}, err
	}
	press.Qualify(report.File)
	docs := publishersOf(report.File)
	f := indexedFile{name: file.Name, publishers: len(docs)}
	// The index is made from what Parse returns.
	own := []*resolve.Document{{Publisher: "example-exchange.com", State: resolve.Usable, File: report.File, Method: "direct"}}
	built := compare(builds*runs, func() { _, _ = adagents.Parse(src) }, func() { indexOf(own) })
	f.parse, f.build, f.ratio = built.base, built.work, built.quickest
	pointing := func() { indexOf(docs) }
	f.pointing = compare(runs, pointing, pointing).work
	x := indexOf(docs)
	asks := questionsAbout(report.File, x)
	ask := f.ask(x, asks)
	if f.authorizedPct == 0 {
		return f, ask, stint{}, errors.New("no decision is a yes")
	}
	return f, ask, answers(docs, asks), nil
}

func indexOf(docs []*resolve.Document) *index.Index {
	x := index.New()
	x.Put(docs...)
	return x
}

// publishersOf makes a document for each publisher of a file; all point to it.
func publishersOf(file *adagents.File) []*resolve.Document {
	var docs []*resolve.Document
	seen := map[string]bool{}
	for i := range file.Properties {
		publisher := file.Properties[i].PublisherDomain
		if !seen[publisher] {
			seen[publisher] = true
			docs = append(docs, &resolve.Document{Publisher: publisher, State: resolve.Usable, File: file, Method: "authoritative_location"})
		}
	}
	return docs
}

// questionsAbout names a property, an identifier of it, a placement, a collection, a
// country and an instant in each question. Every second one is about a country in which
// no agent may sell. There are as many of them for every file: each comes in memory of
// its own, as it does in a request.
func questionsAbout(file *adagents.File, x *index.Index) []resolve.Question {
	var out []resolve.Question
	for len(out) < questions {
		p := &file.Properties[len(out)*max(1, len(file.Properties)/questions)%len(file.Properties)]
		claims := x.AgentsOf(p.PublisherDomain, p.ID)
		q := resolve.Question{
			Publisher: p.PublisherDomain, Agent: claims[len(out)%len(claims)].Agent, Property: p.ID,
			Identifier: resolve.Identifier{Type: p.Identifiers[0].Type, Value: p.Identifiers[0].Value},
			Placements: []string{press.Slot}, Collections: []resolve.CollectionRef{{PublisherDomain: press.ProgramDomain, ID: press.Program}},
			Country: press.Country, At: bench.Now(),
		}
		if len(out)%2 == 1 {
			q.Country = "ZA"
		}
		asReceived(&q)
		out = append(out, q)
	}
	return out
}

// asReceived puts the parts of a question next to each other, as they are in a request,
// and not all over the text of the file.
func asReceived(q *resolve.Question) {
	parts := []*string{&q.Publisher, &q.Agent, &q.Property, &q.Identifier.Type, &q.Identifier.Value}
	text := ""
	for _, part := range parts {
		text += *part
	}
	for _, part := range parts {
		*part, text = text[:len(*part)], text[len(*part):]
	}
}

// ask returns the work of some decisions, and notes what does not depend on time.
func (f *indexedFile) ask(x *index.Index, questions []resolve.Question) stint {
	authorized := 0
	n := max(asked, len(questions))
	all := func() {
		next := 0
		for range n {
			d, err := x.Decide(&questions[next])
			if err == nil && d.Verdict == resolve.Authorized {
				authorized++
			}
			next++
			if next == len(questions) { // a division takes as long as a tenth of a decision
				next = 0
			}
		}
	}
	all()
	f.authorizedPct = authorized * 100 / n
	f.allocs = float64(allocations(all)) / float64(n)
	return stint{times: n, work: all}
}

// answers returns the work of some answers as the service gives them: from documents whose
// file is prepared, with reasons and evidence.
func answers(docs []*resolve.Document, questions []resolve.Question) stint {
	prepared := resolve.Prepare(docs[0].File)
	byName := make(map[string]*resolve.Document, len(docs))
	for _, d := range docs {
		with := *d
		with.Prepared = prepared
		byName[d.Publisher] = &with
	}
	all := func() {
		for i := range questions {
			_, err := resolve.Judge(byName[questions[i].Publisher], questions[i])
			if err != nil {
				panic(err) // the questions are made here
			}
		}
	}
	all()
	return stint{times: len(questions), work: all}
}

func listAgent(src []byte, runs int) (time.Duration, error) {
	file := adagents.Check(src, adagents.Options{Now: bench.Now()}).File
	list := listOf(file)
	if n := list(); n != len(file.Properties) {
		return 0, fmt.Errorf("the agent has %d properties, want %d", n, len(file.Properties))
	}
	work := func() { list() }
	return compare(runs, work, work).base, nil
}

// listOf returns a function that lists what the first agent of a file may sell of each of its
// publishers, and counts it.
func listOf(file *adagents.File) func() int {
	docs, agent := publishersOf(file), file.Agents[0].URL
	x := indexOf(docs)
	return func() int {
		n := 0
		for _, d := range docs {
			row := x.PropertiesOf(d.Publisher, agent, bench.Now())
			n += row.AuthorizedCount + row.ConditionalCount
		}
		return n
	}
}

// listingGrowth lists everything of one agent in a file and in one of twice the
// size.
func listingGrowth(runs int) float64 {
	var work [2]func()
	for i := range work {
		list := listOf(adagents.Check(bench.Large((i+1)*grown), unlimited()).File)
		work[i] = func() { list() }
	}
	growth := 0.0
	withoutCollector(func() { growth = compare(runs, work[0], work[1]).ratio / 2 })
	return growth
}

// measureMillion makes an index of a million small files and asks about publishers
// all over it.
func (found *indexFigures) measureMillion(runs int) {
	runtime.GC()
	before := heapObjects()
	x := index.New()
	printer := press.NewPress()
	start := time.Now()
	for i := range millionFiles {
		x.Put(&resolve.Document{Publisher: press.PublisherName(i), State: resolve.Usable, Method: "direct", File: printer.File(i)})
	}
	found.million = indexedFile{name: "a million small files", publishers: x.Len(), pointing: time.Since(start)}
	runtime.GC()
	found.heap = heapObjects() - before
	questions := make([]resolve.Question, decisions)
	for i := range questions {
		n := i * 40503 % millionFiles
		questions[i] = resolve.Question{
			Publisher: press.PublisherName(n), Agent: press.SharedAgent, Property: "gazette_site",
			Identifier: resolve.Identifier{Type: "domain", Value: press.PublisherName(n)},
			Placements: []string{"home_top"}, Country: press.Country, At: bench.Now(),
		}
	}
	found.million.decide = timed(millionRounds*runs, []stint{found.million.ask(x, questions)})[0]
	runtime.KeepAlive(x)
}

// The promises about indexes.
const (
	maxDecideNS = 400
	maxAnswerUS = 20
	// None, but counting them takes a few, which are spread over all decisions.
	maxDecideAllocs = 0.001
	maxListingMS    = 5
	maxMillionMB    = 2000
)

func (found *indexFigures) limits() []limit {
	if found == nil {
		return nil
	}
	var all []limit
	for _, f := range found.files {
		all = append(all,
			limit{name: f.name + ": one decision", allowed: maxDecideNS, have: float64(f.decide.quickest), unit: " ns"},
			limit{name: f.name + ": allocations of a decision", allowed: maxDecideAllocs, have: f.allocs},
			limit{name: f.name + ": one answer of the service", allowed: maxAnswerUS, have: float64(f.answer.quickest) / 1000, unit: " µs"})
	}
	return append(all,
		limit{name: listedFile + ": all properties of an agent", allowed: maxListingMS, have: milliseconds(found.listing), unit: " ms"},
		limit{name: "all properties of an agent: growth", allowed: maxGrowth, have: found.growth, credible: minGrowth},
		limit{name: "a million small files: heap", allowed: maxMillionMB, have: float64(found.heap) / 1e6, unit: " MB"})
}

func (found *indexFigures) table() table {
	t := table{head: []string{"index", "publishers", "parse ms", "index ms", "index / parse", "with publishers ms", "decision ns, 1 CPU", "median", "authorized %", "allocs", "answer µs", "median"}}
	if found == nil {
		return t
	}
	for _, f := range append(found.files, found.million) {
		parse, build, ratio := "", "", ""
		if f.parse > 0 {
			parse, build, ratio = number(milliseconds(f.parse)), number(milliseconds(f.build)), number(f.ratio)
		}
		answer, median := "", ""
		if f.answer.quickest > 0 {
			answer, median = number(float64(f.answer.quickest)/1000), number(float64(f.answer.median)/1000)
		}
		t.add("index of "+f.name, fmt.Sprint(f.publishers), parse, build, ratio, number(milliseconds(f.pointing)),
			fmt.Sprint(f.decide.quickest.Nanoseconds()), fmt.Sprint(f.decide.median.Nanoseconds()), fmt.Sprint(f.authorizedPct), number(f.allocs), answer, median)
	}
	return t
}
