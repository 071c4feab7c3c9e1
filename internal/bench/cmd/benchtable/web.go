package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// webName is what -only matches for the figures about discovery.
const webName = "discovery"

// webFigures is what was measured over HTTPS on loopback. The origins run in this
// process, everything measured in another.
type webFigures struct {
	rates                          webReport
	ratesRSS, largeRSS, hostileRSS int64
	rollout                        *rolloutFigures
}

// share is the rate of discovery as a part of the rate of bare requests.
func (w *webFigures) share() float64 { return 1 / w.rates.ratio }

func measureWeb() (*webFigures, error) {
	o, err := startOrigins()
	if err != nil {
		return nil, err
	}
	defer o.close()
	// The bodies are made before anything is measured.
	o.large()
	o.hostile()
	o.useless()
	var found webFigures
	for task, rss := range map[string]*int64{"rates": &found.ratesRSS, "large": &found.largeRSS, "hostile": &found.hostileRSS} {
		report, peak, err := measureTask(o, task)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", task, err)
		}
		*rss = peak
		if task == "rates" {
			found.rates = report
		}
	}
	found.rollout, err = measureRollout(o)
	return &found, err
}

// measureTask runs this program as the measured process, and returns the most physical memory that
// it had.
func measureTask(o *origins, task string) (webReport, int64, error) {
	report, state, err := startTask(o, task)
	if err != nil {
		return report, 0, err
	}
	return report, peakRSS(state), nil
}

// startTask runs this program as the measured process.
func startTask(o *origins, task string) (webReport, *os.ProcessState, error) {
	var report webReport
	err := forgetPeak()
	if err != nil {
		return report, nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return report, nil, err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), webTaskVariable+"="+task, webOriginVariable+"="+o.listener.Addr().String(), webRootsVariable+"="+o.pem)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if err != nil {
		return report, nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(stderr.String()))
	}
	_, err = fmt.Fscan(&stdout, &report.bare, &report.discovery, &report.ratio)
	return report, cmd.ProcessState, err
}

func (w *webFigures) limits() []limit {
	if w == nil {
		return nil
	}
	all := []limit{{name: "discovery of 1,000 publishers: time / bare requests", allowed: maxDiscovery, have: w.rates.ratio}}
	all = append(all, w.rollout.limits()...)
	if w.ratesRSS == 0 {
		return all // this system does not tell
	}
	return append(all,
		limit{name: "discovery of 1,000 publishers: peak RSS", allowed: maxDiscoveryMB, have: megabytes(w.ratesRSS), unit: " MB"},
		limit{name: "discovery of a 19 MB authoritative file: peak RSS", allowed: maxLargeMB, have: megabytes(w.largeRSS), unit: " MB"},
		limit{name: "discovery of 16 hostile 20 MB files at once: peak RSS", allowed: maxHostilesMB, have: megabytes(w.hostileRSS), unit: " MB"})
}

func (w *webFigures) table() table {
	t := table{head: []string{"discovery over HTTPS", "publishers", "at once", "bare requests ms", "discovery ms", "publishers per second", "part of the bare rate"}}
	if w != nil {
		t.add("fresh publishers", fmt.Sprint(freshDomains), fmt.Sprint(atOnce), number(milliseconds(w.rates.bare)), number(milliseconds(w.rates.discovery)),
			number(freshDomains/w.rates.discovery.Seconds()), number(w.share()))
		t.add("publishers of a network, `avow network`", fmt.Sprint(rolloutCount), fmt.Sprint(rolloutAtOnce), number(milliseconds(w.rollout.bare)), number(milliseconds(w.rollout.network)),
			number(rolloutCount/w.rollout.network.Seconds()), number(1/w.rollout.ratio))
	}
	return t
}
