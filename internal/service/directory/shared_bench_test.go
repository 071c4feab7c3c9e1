//go:build linux

package directory_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/avow-project/avow/internal/service/directory"
)

// sharedPublishers is how many publishers share the file of BenchmarkShared.
var sharedPublishers = flag.Int("shared-publishers", 1500, "how many publishers share a file in the benchmark")

// BenchmarkShared changes the only agent of a file that many publishers share. It reports the processor time of the
// commit of the file and of the turns after it, of this process and of the databases that run below this one.
func BenchmarkShared(b *testing.B) {
	for name, open := range stores() {
		b.Run(name, func(b *testing.B) {
			const network = "https://network.example/adagents.json"
			w := &web{pages: map[string]string{network: sharedFile(agentA)}}
			l := newLab(b, open(b), w)
			for i := range *sharedPublishers {
				w.set(wellKnown(sharer(i)), fmt.Sprintf(`{"authoritative_location": %q}`, network))
				l.look(sharer(i))
			}
			l.turns()
			agents := [...]string{agentB, agentA}
			var committed, told time.Duration
			for i := 0; b.Loop(); i++ {
				agent := agents[i%2]
				l.pass(2 * time.Hour)
				w.set(network, sharedFile(agent))
				begun := spent(b)
				l.look(sharer(0))
				committed += spent(b) - begun
				begun = spent(b)
				l.turns()
				told += spent(b) - begun
				v := l.view()
				if a := v.Agent(agent); a.Publishers != *sharedPublishers || v.Err() != nil {
					b.Fatalf("%+v, %v", a, v.Err())
				}
				if rows, _ := v.Rows(directory.RowQuery{Agent: agents[1-i%2], Limit: 1, Authorized: true}); len(rows) > 0 {
					b.Fatalf("the agent that was removed has %+v", rows)
				}
			}
			b.ReportMetric(float64(committed.Milliseconds())/float64(b.N), "commit-cpu-ms")
			b.ReportMetric(float64(told.Milliseconds())/float64(b.N), "turns-cpu-ms")
		})
	}
}

func sharer(i int) string { return fmt.Sprintf("p%05d.example", i) }

// sharedFile is a file with a property of each of the publishers, which an agent may sell.
func sharedFile(agent string) string {
	var properties []string
	for i := range *sharedPublishers {
		properties = append(properties, fmt.Sprintf(`{"property_id": "p%d", "tags": ["all"], "property_type": "website", "name": "Site", "publisher_domain": %[2]q, "identifiers": [{"type": "domain", "value": %[2]q}]}`, i, sharer(i)))
	}
	return fmt.Sprintf(`{"tags": {"all": {"name": "All", "description": "All"}}, "properties": [%s],
 "authorized_agents": [{"url": %q, "authorized_for": "All", "authorization_type": "property_tags", "property_tags": ["all"]}]}`, strings.Join(properties, ",\n"), agent)
}

// spent is the processor time of this process and of all processes below it, also of those that have ended.
func spent(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	if err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano()+u.Stime.Nano()) + below(os.Getpid())
}

// below is the processor time of the processes below one, in which the kernel counts hundredths of a second.
func below(parent int) time.Duration {
	var total time.Duration
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		var pid, ppid int
		var ticks [4]int
		_, _ = fmt.Sscan(filepath.Base(filepath.Dir(name)), &pid)
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		_, _ = fmt.Sscan(strings.Join(append([]string{fields[1]}, fields[11:15]...), " "), &ppid, &ticks[0], &ticks[1], &ticks[2], &ticks[3])
		if ppid == parent {
			total += time.Duration(ticks[0]+ticks[1]+ticks[2]+ticks[3])*10*time.Millisecond + below(pid)
		}
	}
	return total
}
