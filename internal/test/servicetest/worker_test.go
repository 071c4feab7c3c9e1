package servicetest

import (
	"os"
	"strconv"
	"time"
)

// clockVariable has when a fastClock began, in seconds. It makes that the clock of this program.
const clockVariable = "SERVICETEST_CLOCK"

// workerSpeed is how much faster a fastClock is, so that a publisher is due again in a test. The
// lease of a minute ends after two seconds then.
const workerSpeed = 30

// A fastClock is one of services. All that began at the same time say the same.
type fastClock struct{ begin time.Time }

func (c fastClock) now() time.Time { return c.begin.Add(workerSpeed * time.Since(c.begin)) }

// clockOf is the clock of this program; nil for that of the machine.
func clockOf() func() time.Time {
	seconds, err := strconv.ParseInt(os.Getenv(clockVariable), 10, 64)
	if err != nil {
		return nil
	}
	return fastClock{time.Unix(seconds, 0).UTC()}.now
}
