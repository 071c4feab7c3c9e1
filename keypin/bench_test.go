package keypin

import (
	"crypto/ed25519"
	"fmt"
	"testing"
	"time"
)

// benchNonce is a replay store that forgets, so that one message can be verified again
// and again.
type benchNonce struct{ Memory }

// BenchmarkVerify compares a whole verification with the bare signature check, in one
// run: it reports how many bare checks a verification takes.
func BenchmarkVerify(b *testing.B) {
	w := newWorld(b, entry(agentURL, edJWK("k1", "one")))
	p := Requests()
	const messages = 4096
	signedMessages := make([]*Message, messages)
	for i := range signedMessages {
		signedMessages[i] = signed(b, hook(), Signing{Profile: p, Nonce: fmt.Sprintf("%s%06d", nonce, i)})
	}
	key := edKey("one").Public().(ed25519.PublicKey)
	sig, f := readSignature(signedMessages[0], p)
	if f != nil {
		b.Fatal(f)
	}
	base, _ := sig.base(signedMessages[0], true)
	var bare, whole time.Duration
	n := 0
	for b.Loop() {
		if n%messages == 0 {
			w.v.config.Replay = new(benchNonce)
		}
		start := time.Now()
		if !ed25519.Verify(key, base, sig.value) {
			b.Fatal("the bare check fails")
		}
		middle := time.Now()
		r := w.verify(signedMessages[n%messages], Question{Profile: p})
		whole += time.Since(middle)
		bare += middle.Sub(start)
		if !r.OK() {
			b.Fatal(r.Code)
		}
		n++
	}
	b.ReportMetric(float64(whole)/float64(bare), "checks")
	b.ReportMetric(float64(whole.Nanoseconds())/float64(n), "ns/verify")
	b.ReportMetric(float64(bare.Nanoseconds())/float64(n), "ns/ed25519")
}
