// Package policy reads what a project has decided about its checks: the file .avow.toml.
package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/spell"
)

const (
	// FileName is the name of the file in the working directory.
	FileName = ".avow.toml"
	// maxFile is the largest file that is read: hand-written files are smaller.
	maxFile = 1 << 20
)

// A Policy is what a project has decided.
type Policy struct {
	// Targets are what is checked when the command names nothing.
	Targets []string
	// Profile and Baseline are empty for those of the command.
	Profile, Baseline string
	// FailOn is nil when nothing is said.
	FailOn  *FailOn
	Ignores []Ignore
}

// An Ignore accepts the findings of a code until a day.
type Ignore struct {
	Code, Reason string
	// Where says where it is written: file and line, or a flag.
	Where string
	// Until is the last day, in UTC; zero for one without an end, of a flag.
	Until time.Time
}

// Expired reports whether the last day is over.
func (i *Ignore) Expired(now time.Time) bool {
	const day = 24 * time.Hour
	return !i.Until.IsZero() && !now.Before(i.Until.Add(day))
}

// FailOn says which findings make a check fail.
type FailOn struct {
	// Least is the mildest severity that does, if BySeverity.
	BySeverity bool
	Least      adagents.Severity
	Codes      map[string]bool
}

// Names reports whether a finding is one of those.
func (f *FailOn) Names(code string, severity adagents.Severity) bool {
	return f.BySeverity && severity >= f.Least || f.Codes[code]
}

// ParseFailOn reads severities and codes.
func ParseFailOn(words []string) (*FailOn, error) {
	f := &FailOn{Codes: make(map[string]bool)}
	for _, word := range words {
		severity, ok := adagents.ParseSeverity(word)
		if ok {
			if !f.BySeverity || severity < f.Least {
				f.BySeverity, f.Least = true, severity
			}
			continue
		}
		err := CheckCode(word)
		if err != nil {
			return nil, err
		}
		f.Codes[word] = true
	}
	return f, nil
}

// CheckCode refuses anything but the code of a finding.
func CheckCode(code string) error {
	if catalogue.Lookup(code).Code != "" {
		return nil
	}
	hint := "avow explain lists all codes"
	near, ok := spell.Nearest(code, []string{"error", "warning", "info"}, 1)
	if !ok {
		near, ok = spell.Nearest(code, codes(), 3)
	}
	if ok {
		hint = "did you mean " + near + "?"
	}
	return console.UsageError(hint, "there is no code %q", code)
}

func codes() []string {
	var list []string
	for _, rule := range catalogue.All() {
		list = append(list, rule.Code)
	}
	return list
}

// file is the form of the file.
type file struct {
	Targets  []string     `toml:"targets"`
	Profile  string       `toml:"profile"`
	FailOn   []string     `toml:"fail_on"`
	Baseline string       `toml:"baseline"`
	Ignore   []ignoreItem `toml:"ignore"`
}

type ignoreItem struct {
	Code   string    `toml:"code"`
	Reason string    `toml:"reason"`
	Until  time.Time `toml:"until"`
}

// Read reads the policy of a file. Without a name it reads the working directory's, and an
// empty one if there is no such file.
func Read(name string) (*Policy, error) {
	path := name
	if path == "" {
		path = FileName
	}
	info, err := os.Lstat(path)
	if name == "" && err == nil && !info.Mode().IsRegular() {
		// It may come with a branch of another person, and errors repeat what is in the file.
		return nil, console.Failure("use --config to name another file",
			"%s is a symbolic link or not a file, and is not read", path)
	}
	src, err := os.ReadFile(path)
	switch {
	case name == "" && errors.Is(err, fs.ErrNotExist):
		return &Policy{}, nil
	case err != nil:
		return nil, console.Failure("", "cannot read %s: %s", path, console.Reason(err))
	case len(src) > maxFile:
		return nil, console.Failure("", "%s is larger than %d MiB", path, maxFile>>20)
	}
	return parse(path, src)
}

// parse reads the text of a policy.
func parse(path string, src []byte) (*Policy, error) {
	var f file
	known, err := toml.Decode(string(src), &f)
	if err != nil {
		return nil, syntaxError(path, err)
	}
	if unknown := known.Undecoded(); len(unknown) > 0 {
		return nil, unknownSetting(path, src, unknown[0])
	}
	dir := filepath.Dir(path)
	p := &Policy{Profile: f.Profile}
	if p.Profile != "" && p.Profile != "default" && p.Profile != "strict" {
		return nil, faultAt(path, lineOf(src, "profile"), "use default or strict", "there is no profile %q", f.Profile)
	}
	if f.Baseline != "" {
		if !inProject(dir, f.Baseline) {
			return nil, outside(path, lineOf(src, "baseline"), "baseline", f.Baseline)
		}
		p.Baseline = filepath.Join(dir, f.Baseline)
	}
	for _, t := range f.Targets {
		line := lineOf(src, "targets")
		switch {
		case t == "" || t == console.StdinName:
			return nil, faultAt(path, line, "name domains, files or folders", "%q is not a target", t)
		case strings.Contains(t, "://"):
			return nil, faultAt(path, line, "name URLs on the command line", "the target %q is a URL", t)
		case !inProject(dir, t):
			return nil, outside(path, line, "target", t)
		}
		p.Targets = append(p.Targets, target(dir, t))
	}
	if f.FailOn != nil {
		p.FailOn, err = ParseFailOn(f.FailOn)
		if err != nil {
			return nil, faultAt(path, lineOf(src, "fail_on"), console.AsError(err).Hint, "%s", console.AsError(err).Message)
		}
	}
	p.Ignores, err = ignores(path, src, f.Ignore)
	return p, err
}

// ignores reads what is ignored. A reason and a last day are needed: reasons are forgotten
// later, and an exception without an end lasts for good.
func ignores(path string, src []byte, items []ignoreItem) ([]Ignore, error) {
	lines := tableLines(src)
	var list []Ignore
	for i, item := range items {
		line := 0
		if i < len(lines) {
			line = lines[i]
		}
		err := CheckCode(item.Code)
		switch {
		case item.Code == "":
			return nil, faultAt(path, line, `for example code = "file.schema_missing"`, "an ignore has no code")
		case err != nil:
			return nil, faultAt(path, line, console.AsError(err).Hint, "%s", console.AsError(err).Message)
		case strings.TrimSpace(item.Reason) == "":
			return nil, faultAt(path, line, "say why it is accepted, for later readers",
				"the ignore of %s has no reason", item.Code)
		case item.Until.IsZero():
			return nil, faultAt(path, line, "for example until = 2026-12-31, so that it is reviewed then",
				"the ignore of %s has no last day", item.Code)
		}
		year, month, day := item.Until.Date()
		list = append(list, Ignore{Code: item.Code, Reason: item.Reason, Where: fmt.Sprintf("%s:%d", path, line),
			Until: time.Date(year, month, day, 0, 0, 0, 0, time.UTC)})
	}
	return list, nil
}

// target is a target of the file: one that is not a domain is beside the file.
func target(dir, name string) string {
	if dir == "." {
		return name
	}
	_, err := os.Stat(filepath.Join(dir, name))
	if err == nil || strings.ContainsAny(name, `/\*?[`) {
		return filepath.Join(dir, name)
	}
	return name
}

// inProject reports whether a name or pattern is in the folder of the project file and cannot
// lead out of it: the file may come with a branch that has not been reviewed yet.
func inProject(dir, name string) bool {
	if !filepath.IsLocal(name) {
		return false
	}
	parts := strings.Split(filepath.ToSlash(name), "/")
	if i := slices.IndexFunc(parts, func(s string) bool { return strings.ContainsAny(s, "*?[") }); i >= 0 {
		parts = parts[:i]
	}
	fixed := filepath.Join(dir, filepath.Join(parts...))
	_, inside := console.Inside(dir, fixed)
	_, err := os.Lstat(fixed)
	return inside || errors.Is(err, fs.ErrNotExist)
}

// outside is the error of a name that leads out of the project.
func outside(path string, line int, what, name string) error {
	return faultAt(path, line, "name files below "+filepath.Dir(path)+", or give this one on the command line",
		"the %s %q is outside the project", what, name)
}

// faultAt is an error in a line of the file.
func faultAt(path string, line int, hint, format string, args ...any) error {
	where := path
	if line > 0 {
		where = fmt.Sprintf("%s:%d", path, line)
	}
	return console.UsageError(hint, "%s: %s", where, fmt.Sprintf(format, args...))
}

// members are the names that the file may have.
var members = []string{"targets", "profile", "fail_on", "baseline", "ignore", "code", "reason", "until"}

// unknownSetting is the error of a name that the file does not have.
func unknownSetting(path string, src []byte, key toml.Key) error {
	name := key[len(key)-1]
	hint := "the file has targets, profile, fail_on, baseline, and [[ignore]] with code, reason and until"
	near, ok := spell.Nearest(name, members, 2)
	if ok && !slices.Contains(members, name) {
		hint = "did you mean " + near + "?"
	}
	return faultAt(path, lineOf(src, name), hint, "there is no setting %q", strings.Join(key, "."))
}

// syntaxError says where the file is wrong.
func syntaxError(path string, err error) error {
	var wrong toml.ParseError
	if errors.As(err, &wrong) {
		return faultAt(path, wrong.Position.Line, "", "%s", wrong.Message)
	}
	// A value of the wrong type has its line in the message only.
	text := strings.TrimPrefix(err.Error(), "toml: ")
	line := 0
	_, scanned := fmt.Sscanf(text, "line %d", &line)
	if _, rest, ok := strings.Cut(text, "): "); ok && scanned == nil {
		text = rest
	}
	return faultAt(path, line, "", "%s", text)
}

// lineOf is the first line that sets a name or begins its table; zero when it is not found.
func lineOf(src []byte, name string) int {
	for i, line := range strings.Split(string(src), "\n") {
		key, _, _ := strings.Cut(line, "=")
		if strings.Trim(key, " \t\r[]\"'") == name {
			return i + 1
		}
	}
	return 0
}

// tableLines are the lines at which ignores begin.
func tableLines(src []byte) []int {
	var lines []int
	for i, line := range strings.Split(string(src), "\n") {
		text, _, _ := strings.Cut(line, "#")
		if strings.ReplaceAll(strings.TrimSpace(text), " ", "") == "[[ignore]]" {
			lines = append(lines, i+1)
		}
	}
	return lines
}
