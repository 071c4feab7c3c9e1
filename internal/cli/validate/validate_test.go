package validate

import (
	"testing"
	"time"

	"github.com/avow-project/avow/internal/cli/console"
)

func TestClockAndDomainReachTheCheck(t *testing.T) {
	t.Parallel()
	lead := 30 * 24 * time.Hour
	v := &validateFlags{
		lead: &lead, release: &console.Choice{Value: "3.1"},
		profile: &console.Choice{Value: "strict"}, role: &console.Choice{Value: "manager"},
		domain: "WWW.Example.com.", now: "2027-03-04T05:06:07+01:00", scopes: []string{"create_media_buy", "anything_new"},
	}
	opt, err := v.options(time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if opt.Domain != "www.example.com" || !opt.Now.Equal(time.Date(2027, 3, 4, 4, 6, 7, 0, time.UTC)) {
		t.Errorf("options are %+v", opt)
	}
	if opt.Role != roles["manager"] || opt.Profile.String() != "strict" || opt.Lead != lead || opt.Release != "3.1" || len(opt.Scopes) != 2 {
		t.Errorf("options are %+v", opt)
	}
}
