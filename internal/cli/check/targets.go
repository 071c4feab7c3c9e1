package check

import (
	"context"
	"os"
	"strings"

	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/hostname"
)

// ExpandTargets turns the arguments into targets, in order and each once: a
// file named both directly and by a pattern is checked where it appears first.
// An argument that stands for nothing becomes a target with an error, so that
// the others are still checked.
func ExpandTargets(args []string) ([]Target, error) {
	var list []Target
	seen := map[string]bool{}
	for _, arg := range args {
		if arg == "" {
			return nil, console.EmptyName()
		}
		if arg == "-" {
			if seen[arg] {
				return nil, console.UsageError("", "standard input can be read only once")
			}
			seen[arg] = true
			list = append(list, Target{Name: arg, Stdin: true})
			continue
		}
		for _, t := range expandTarget(arg) {
			if t.Err != nil || !seen[t.key()] {
				list = append(list, t)
			}
			seen[t.key()] = true
		}
	}
	return list, nil
}

// expandTarget turns one argument into targets. What exists is taken as it is,
// even when its name looks like a pattern or a domain; only a URL never is a
// file.
func expandTarget(arg string) []Target {
	if strings.Contains(arg, "://") {
		return []Target{URLTarget(arg)}
	}
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return noteDomain(arg, directory(arg))
	case err == nil:
		return noteDomain(arg, []Target{{Name: arg}})
	case strings.ContainsAny(arg, "*?["):
		return pattern(arg)
	}
	domain, ok := domainTarget(arg)
	if ok && !isSlip(arg) {
		return []Target{domain}
	}
	return []Target{{Name: arg, Err: Absent(arg, err)}}
}

// URLTarget reads an argument with a scheme. The name of the target is free of
// credentials, because it is repeated in reports.
func URLTarget(arg string) Target {
	t := Target{Name: redact.URL(arg)}
	scheme, rest, _ := strings.Cut(t.Name, "://")
	canonical, info, err := hostname.CanonicalURL(arg)
	// It is a target on the web whatever is wrong with it.
	t.Web, t.byURL = t.Name, true
	switch {
	case isLocal(rest):
		t.Err = console.Failure(
			"check the file itself, for example avow validate adagents.json, or put it on a public https site",
			"%s: the address is not reachable from outside, so no buyer can read a file there", t.Name)
	case strings.EqualFold(scheme, "http"):
		t.Err = console.Failure("write "+console.ShellQuote("https://"+rest)+
			"; a file that is served over http alone is ignored",
			"%s: avow checks https URLs only", t.Name)
	case !strings.EqualFold(scheme, "https"):
		t.Err = console.Failure("name a domain, an https URL or a file", "%s: avow checks https URLs only", t.Name)
	case err != nil:
		t.Err = console.Failure("name a domain, for example example.com, or the whole https URL of a file", "%s: the URL %v",
			t.Name, err)
	case info.HasUserinfo:
		t.Err = console.Failure("remove the part before the @",
			"%s: a public file needs no credentials, and none are sent", t.Name)
	case info.Port == "" && info.Query == "" && !info.EmptyQuery && (info.Path == "/" || info.Path == wellKnownPath):
		t.Web, t.byURL = info.Host, false
	default:
		t.Web = canonical
	}
	return t
}

// AskedTarget is a target that is obtained in a way of its own.
func AskedTarget(url string, ask func(ctx context.Context) *discover.Discovery) Target {
	return Target{Name: url, Web: url, byURL: true, Ask: ask}
}

// domainTarget reads an argument that is not a file as a domain.
func domainTarget(arg string) (Target, bool) {
	domain, ok := AsDomain(arg)
	return Target{Name: arg, Web: domain}, ok
}

// noteDomain tells the user that a name was read as that of a file although it
// could be a domain.
func noteDomain(arg string, list []Target) []Target {
	domain, ok := AsDomain(arg)
	if ok && len(list) > 0 {
		list[0].Note = arg + " is read as the name of a file or folder here; https://" + domain + " is fetched from the web"
	}
	return list
}
