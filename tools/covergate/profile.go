package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
)

// block is one run of statements: the file and the position text exactly as
// the profile writes them, which is all that is needed to recognise it again.
type block struct {
	file string
	span string
}

// counts says how many statements a block has and whether any test ran it.
type counts struct {
	statements int
	covered    bool
}

// profile maps blocks to counts. A profile made with -coverpkg lists a block
// once per test binary, so lines of the same block are merged.
type profile map[block]counts

// readProfile reads the text format of `go test -coverprofile`: a mode line,
// then `file:start,end statements count` per block.
func readProfile(r io.Reader) (profile, error) {
	prof := profile{}
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "mode:") {
			continue
		}
		err := prof.add(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	err := lines.Err()
	if err != nil {
		return nil, err
	}
	return prof, nil
}

// add merges one block line into the profile.
func (p profile) add(line string) error {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return fmt.Errorf("want 3 fields, have %d", len(fields))
	}
	colon := strings.LastIndexByte(fields[0], ':')
	if colon < 0 {
		return errors.New("no position")
	}
	statements, err := strconv.Atoi(fields[1])
	if err != nil {
		return err
	}
	count, err := strconv.ParseUint(fields[2], 10, 64)
	if err != nil {
		return err
	}
	key := block{file: fields[0][:colon], span: fields[0][colon+1:]}
	seen := p[key]
	p[key] = counts{statements: statements, covered: seen.covered || count > 0}
	return nil
}

// gate prints the coverage of the package and returns an error when it is
// below the minimum; the uncovered blocks are listed then, because they are
// what the reader has to look at next.
func (p profile) gate(pkg string, minimum float64, out io.Writer) error {
	var total, covered int
	var missing []string
	for key, t := range p {
		if path.Dir(key.file) != pkg {
			continue
		}
		total += t.statements
		if t.covered {
			covered += t.statements
			continue
		}
		missing = append(missing, key.file+":"+key.span)
	}
	if total == 0 {
		return fmt.Errorf("the profile has no statement of %s", pkg)
	}
	percent := 100 * float64(covered) / float64(total)
	fmt.Fprintf(out, "%s: %.1f %% of %d statements covered, minimum %.1f %%\n", pkg, percent, total, minimum)
	if percent >= minimum {
		return nil
	}
	slices.Sort(missing)
	for _, m := range missing {
		fmt.Fprintln(out, "  not covered:", m)
	}
	return fmt.Errorf("coverage of %s is %.1f %%, below %.1f %%", pkg, percent, minimum)
}
