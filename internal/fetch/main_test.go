package fetch

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/avow-project/avow/internal/test/fakeweb"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start runs an internet for the length of a test.
func start(t testing.TB, archive string) *fakeweb.Web {
	t.Helper()
	web, err := fakeweb.Start([]byte(archive))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.Close)
	return web
}

// impatient are limits for tests: no pause is long, no site is spared.
func impatient() limits {
	l := defaultLimits(&Config{})
	l.firstPause, l.maxPause = time.Millisecond, 5*time.Millisecond
	l.burst, l.perHost, l.perSite = 1000, 100, 100
	return l
}

// clientOf returns a client of the internet of a test.
func clientOf(web *fakeweb.Web, change ...func(*Config, *limits)) *Client {
	config := &Config{Network: web.Network()}
	l := impatient()
	for _, f := range change {
		f(config, &l)
	}
	return newClient(config, l)
}

func once(_ *Config, l *limits) { l.attempts = 1 }
