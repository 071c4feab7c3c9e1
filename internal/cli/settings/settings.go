// Package settings reads what can be set by a flag, a variable of the environment or a file,
// and has the settings of the service.
package settings

import (
	"errors"
	"maps"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/spell"
)

// Settings are the flags of a command that can also be set by the environment and by a
// file. The flag --max-conns is AVOW_MAX_CONNS and the member max_conns. What was typed
// goes first, then the environment, then the file.
type Settings struct {
	// flags are those of the command, and quiet those that have no flag, because what
	// is typed can be seen in the list of processes.
	flags, quiet *pflag.FlagSet
	// names are the settings among the flags, in the order of definition.
	names []string
	// known are the members that the file may have.
	known func() []string
	// File is the configuration file; empty means none.
	File string
	// FileHasSecret: others must not read the file.
	FileHasSecret bool
}

// Define notes the flags that f defines as settings.
func (s *Settings) Define(f func(flags, quiet *pflag.FlagSet)) {
	known := map[string]bool{}
	s.visit(func(f *pflag.Flag) { known[f.Name] = true })
	f(s.flags, s.quiet)
	s.visit(func(f *pflag.Flag) {
		if !known[f.Name] {
			s.names = append(s.names, f.Name)
		}
	})
}

func (s *Settings) visit(f func(*pflag.Flag)) {
	for _, set := range []*pflag.FlagSet{s.flags, s.quiet} {
		set.SortFlags = false
		set.VisitAll(f)
	}
}

// lookup returns a setting by its name.
func (s *Settings) lookup(name string) *pflag.Flag {
	f := s.flags.Lookup(name)
	if f == nil {
		f = s.quiet.Lookup(name)
	}
	return f
}

// Typed reports whether a setting was given as a flag.
func (s *Settings) Typed(name string) bool {
	f := s.lookup(name)
	return f != nil && f.Changed
}

// secret reports whether the value of a setting must not be shown.
func (s *Settings) secret(name string) bool { return s.quiet.Lookup(name) != nil }

// variableOf and memberOf are what a setting is called elsewhere.
func variableOf(name string) string {
	return "AVOW_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

func memberOf(name string) string { return strings.ReplaceAll(name, "-", "_") }

// Load takes from the environment and the file what was not typed.
func (s *Settings) Load(getenv func(string) string) error {
	if s.File == "" {
		s.File = getenv(variableOf("config"))
	}
	members, err := s.readFile()
	if err != nil {
		return err
	}
	s.FileHasSecret = secretIn(members)
	for _, name := range s.names {
		f := s.lookup(name)
		if f.Changed {
			continue
		}
		where, value := variableOf(name), getenv(variableOf(name))
		if value == "" {
			given, ok := members[memberOf(name)]
			if !ok {
				continue
			}
			where = memberOf(name) + " in " + s.File
			value, err = textOf(given)
			if err != nil {
				return console.UsageError("", "%s %v", where, err)
			}
		}
		err = f.Value.Set(value)
		if err != nil {
			return s.refused(f, where, value, err)
		}
	}
	return nil
}

// Misspelled returns the variables of an environment that are most probably meant to be settings and
// are not, each with the one that was meant.
func Misspelled(environ []string) map[string]string {
	var known []string
	meant := map[string]string{}
	for _, text := range environ {
		name, _, _ := strings.Cut(text, "=")
		if !strings.HasPrefix(name, "AVOW_") {
			continue
		}
		if known == nil {
			known = []string{variableOf("config"), "AVOW_MIRRORS"}
			for _, row := range Table() {
				known = append(known, row.Variable)
			}
		}
		near, ok := spell.Nearest(name, known, spell.MaxDistance)
		if ok && !slices.Contains(known, name) {
			meant[name] = near
		}
	}
	return meant
}

// secretIn reports whether the members of a configuration file have a key, or a database
// with its password.
func secretIn(members map[string]any) bool {
	key, _ := members[memberOf("enrich-key")].(string)
	store, _ := members["store"].(string)
	u, err := url.Parse(store)
	password := false
	if err == nil && u.User != nil {
		_, password = u.User.Password()
	}
	return key != "" || password
}

// refused is the error of a value that a setting does not take.
func (s *Settings) refused(f *pflag.Flag, where, value string, err error) error {
	hint := "see avow serve --help"
	var word *console.ChoiceError
	if errors.As(err, &word) {
		hint = word.Hint
	}
	if s.secret(f.Name) {
		return console.UsageError(hint, "%s cannot be used", where)
	}
	return console.UsageError(hint, "invalid %s: %q", where, value)
}

// readFile reads the configuration file. Every member has to be a setting: one that is
// misspelt would be a setting that is silently not made.
func (s *Settings) readFile() (map[string]any, error) {
	if s.File == "" {
		return nil, nil
	}
	text, err := os.ReadFile(s.File)
	if err != nil {
		return nil, console.Failure("", "cannot read the configuration: %s: %s", s.File, console.Reason(err))
	}
	members := map[string]any{}
	_, err = toml.Decode(string(text), &members)
	var syntax toml.ParseError
	if errors.As(err, &syntax) {
		return nil, console.UsageError("", "%s:%d: %s", s.File, syntax.Position.Line, syntax.Message)
	}
	if err != nil {
		return nil, console.UsageError("", "%s: %v", s.File, err)
	}
	return members, s.unknownMember(members)
}

// unknownMember is the error of the first unknown member.
func (s *Settings) unknownMember(members map[string]any) error {
	known := s.known()
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if slices.Contains(known, name) {
			continue
		}
		hint := "docs/operating.md lists the settings"
		near, ok := spell.Nearest(name, known, 2)
		if ok {
			hint = "did you mean " + near + "?"
		}
		return console.UsageError(hint, "%s: there is no setting %q", s.File, name)
	}
	return nil
}

// textOf writes a member of the file as it would be typed.
func textOf(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case bool:
		return strconv.FormatBool(v), nil
	case []any:
		var parts []string
		for _, e := range v {
			text, ok := e.(string)
			if !ok {
				return "", errors.New("must be a list of strings")
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, ","), nil
	}
	return "", errors.New("must be a string, a number, true, false or a list of strings")
}
