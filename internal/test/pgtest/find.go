package pgtest

import (
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// errMissing says how to get what is missing.
var errMissing = errors.New(
	"pgtest: no PostgreSQL server is installed (initdb and postgres are neither in PATH nor in " +
		"/usr/lib/postgresql/*/bin); run `make test-deps`, or install the package postgresql")

// programs are the two programs that are needed.
type programs struct{ initdb, postgres string }

// find looks for the programs in PATH, then where Debian has them: outside PATH, by
// version.
func find() (programs, error) {
	initdb, errInit := exec.LookPath("initdb")
	postgres, errServer := exec.LookPath("postgres")
	if errInit == nil && errServer == nil {
		return programs{initdb, postgres}, nil
	}
	dirs, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return programs{}, err
	}
	slices.SortFunc(dirs, func(a, b string) int { return version(b) - version(a) })
	for _, dir := range dirs {
		p := programs{filepath.Join(dir, "initdb"), filepath.Join(dir, "postgres")}
		_, errInit := exec.LookPath(p.initdb)
		_, errServer := exec.LookPath(p.postgres)
		if errInit == nil && errServer == nil {
			return p, nil
		}
	}
	return programs{}, errMissing
}

// version is the major version in the path of a directory of programs.
func version(dir string) int {
	n, err := strconv.Atoi(filepath.Base(filepath.Dir(dir)))
	if err != nil {
		return 0
	}
	return n
}
