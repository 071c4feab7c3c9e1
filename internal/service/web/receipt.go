package web

import (
	"net/http"
	"time"

	"github.com/avow-project/avow/internal/service/ops"
)

// receiptView says how an answer stands to the transparency log.
type receiptView struct {
	// URL is where the receipt is; empty when there is none.
	URL, Words string
	// Since is when what is pending was decided.
	Since time.Time
}

// receiptWords say how an answer stands to the log whose receipt is at a URL, if there is one.
func receiptWords(url string, r *ops.Receipt) receiptView {
	switch r.State {
	case ops.Included:
		return receiptView{URL: url,
			Words: "What the answer rests on is in the signed transparency log. The receipt proves it, also without a network."}
	case ops.Pending:
		return receiptView{Words: "There is no receipt yet: " + sentence(r.Reason), Since: r.Since}
	}
	return receiptView{Words: "There is no receipt: " + sentence(r.Reason)}
}

// receipt answers with the receipt of an answer as a file, or says why there is none.
func (p *Pages) receipt(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Robots-Tag", "noindex")
	a, problem := askedOf(r.URL.Query())
	if problem != nil {
		p.wrongQuestion(w, r, a, problem)
		return
	}
	_, v := p.answered(w, r, a)
	if v == nil {
		return
	}
	p.sendReceipt(w, r, "avow-"+v.Question.Publisher+"-"+v.Verdict.String(), p.reader.Receipt(r.Context(), v))
}

// sendReceipt answers with a receipt as a file, or says why there is none.
func (p *Pages) sendReceipt(w http.ResponseWriter, r *http.Request, name string, got *ops.Receipt) {
	if got.Text == nil {
		p.fail(w, r, &problemPage{
			Status: http.StatusNotFound, Title: "There is no receipt", Message: receiptWords("", got).Words,
			Hint: "The answer itself does not depend on it.",
		})
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`.receipt.txt"`)
	_, _ = w.Write(got.Text) // the caller may have gone away
}
