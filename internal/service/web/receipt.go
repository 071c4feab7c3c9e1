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
