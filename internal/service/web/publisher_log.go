package web

import (
	"net/http"
	"strings"

	"github.com/avow-project/avow/internal/service/ops"
)

// logPage is what the transparency log has about a publisher and its file.
type logPage struct {
	Domain, Publisher string
	Pending           bool
	Leaves            []ops.LogEntry
	// Map is what the last map of the log has about the publisher; nil without a map.
	Map *ops.LogMap
}

func publisherLogURL(domain string) string { return publisherURL(domain) + "/log" }

// publisherLog answers with what the log has about a publisher. It makes no request.
func (p *Pages) publisherLog(w http.ResponseWriter, r *http.Request) {
	domain := p.publisherOf(w, r, publisherLogURL)
	if domain == "" {
		return
	}
	if !p.reader.HasLog() {
		p.fail(w, r, &problemPage{
			Status: http.StatusNotFound, Title: "There is no transparency log", Message: "This service keeps no transparency log.",
			Hint: "What it knows about a publisher over time is on the page about the publisher.",
		})
		return
	}
	log, err := p.reader.Log(r.Context(), domain)
	if err != nil {
		p.failed(w, r, err, domainForm{Domain: domain})
		return
	}
	for i := range log.Entries {
		e := &log.Entries[i]
		e.Sentence = strings.TrimSuffix(sentence(e.Sentence), ".")
	}
	p.render(w, r, http.StatusOK, "log", &logPage{Domain: safe(domain), Publisher: publisherURL(domain), Pending: log.Pending, Leaves: log.Entries, Map: log.Map})
}
