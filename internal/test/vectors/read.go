package vectors

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A setter stores the value of a key.
type setter func(value string) error

// readLines hands every line "key: value" to its setter. Keys in many may be
// repeated.
func readLines(text string, keys map[string]setter, many ...string) error {
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		set := keys[key]
		switch {
		case !ok || value == "" || set == nil:
			return fmt.Errorf("%q is not a line that is known", line)
		case seen[key] && !slices.Contains(many, key):
			return fmt.Errorf("%s is there twice", key)
		}
		seen[key] = true
		err := set(value)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

func (q *Question) read(text string) error {
	first, rest, _ := strings.Cut(text, "\n")
	verb, target, _ := strings.Cut(first, " ")
	switch verb {
	case "discover":
	case "file":
		q.File = true
	default:
		return fmt.Errorf("%q is not a question", first)
	}
	q.Target = target
	return readLines(rest, map[string]setter{
		"follow_superseded": flag(&q.FollowSuperseded),
		"if_none_match":     word(&q.IfNoneMatch),
		"if_modified_since": word(&q.IfModifiedSince),
		"attempts":          number(&q.Attempts),
		"hop_timeout":       duration(&q.HopTimeout),
	})
}

func (w *Want) read(text string) error {
	err := readLines(text, map[string]setter{
		"error":          oneOf(&w.Error, "input"),
		"answer":         oneOf(&w.Answer, "usable", "unusable", "absent", "unreachable", "unchanged"),
		"method":         oneOf(&w.Method, "direct", "authoritative_location", "ads_txt_managerdomain"),
		"found":          flag(&w.Found),
		"valid":          flag(&w.Valid),
		"url":            word(&w.URL),
		"resolved_url":   word(&w.ResolvedURL),
		"manager_domain": word(&w.ManagerDomain),
		"superseded_by":  word(&w.SupersededBy),
		"usable":         w.Usable.read,
		"reason":         word(&w.Reason),
		"findings":       set(&w.Findings),
		"file_errors":    set(&w.FileErrors),
		"file_warnings":  set(&w.FileWarnings),
		"hops":           w.readHops,
		"request":        list(&w.Requests),
		"not_looked_up":  list(&w.NotLookedUp),
		"not_dialled":    list(&w.NotDialled),
	}, "request", "not_looked_up", "not_dialled")
	switch {
	case err != nil:
		return err
	case w.Error != "" && (w.Answer != "" || w.Method != "" || w.Hops != nil || w.Requests != nil):
		return errors.New("a question that is refused has no answer")
	case w.Error == "" && (w.Answer == "" || w.Method == "" || w.URL == "" || w.Hops == nil):
		return errors.New("answer, method, url and hops are needed")
	}
	return nil
}

func (u *Usable) read(value string) error {
	_, err := fmt.Sscanf(value, "agents=%d properties=%d", &u.Agents, &u.Properties)
	return err
}

func (w *Want) readHops(value string) error {
	for field := range strings.FieldsSeq(value) {
		step, outcome, ok := strings.Cut(field, ":")
		if !ok {
			return fmt.Errorf("%q is not step:outcome", field)
		}
		w.Hops = append(w.Hops, Hop{step, outcome})
	}
	return nil
}

func word(to *string) setter {
	return func(value string) error {
		*to = value
		return nil
	}
}

func oneOf(to *string, values ...string) setter {
	return func(value string) error {
		if !slices.Contains(values, value) {
			return fmt.Errorf("%q is none of %s", value, strings.Join(values, ", "))
		}
		*to = value
		return nil
	}
}

func flag(to *bool) setter {
	return func(value string) error {
		switch value {
		case "true", "false":
			*to = value == "true"
			return nil
		}
		return fmt.Errorf("%q is neither true nor false", value)
	}
}

func number(to *int) setter {
	return func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not a number above zero", value)
		}
		*to = n
		return nil
	}
}

func duration(to *time.Duration) setter {
	return func(value string) error {
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return fmt.Errorf("%q is not a duration above zero", value)
		}
		*to = d
		return nil
	}
}

// set reads words that must be in alphabetical order, each once.
func set(to *[]string) setter {
	return func(value string) error {
		words := strings.Fields(value)
		if len(words) == 0 || !slices.IsSorted(words) || len(slices.Compact(slices.Clone(words))) != len(words) {
			return errors.New("the words are not in alphabetical order, each once")
		}
		*to = words
		return nil
	}
}

func list(to *[]string) setter {
	return func(value string) error {
		*to = append(*to, value)
		return nil
	}
}
