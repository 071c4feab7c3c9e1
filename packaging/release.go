package packaging

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Platforms are those that releases are built for.
var Platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// Options say what to make.
type Options struct {
	Source    string    // the checkout
	To        string    // where packages go; it is emptied first
	Platforms []string  // such as linux/amd64
	Log       io.Writer // gets a line for each package and program, with the time that it took
}

// A release is what all packages of it have in common.
type release struct {
	source, to string
	log        io.Writer
	version    string // such as 1.2.3
	home       string // the URL of the project
	commit     string
	date       time.Time // of the commit, and of every file in a package
	work       string    // for what is made on the way
	common     []file    // licence, manual and completions, by their names in an archive
	written    []string
}

// A file is one in a package.
type file struct {
	name    string
	mode    int64
	content []byte
}

// sums is the name of the list of checksums.
const sums = "SHA256SUMS"

// Release makes the packages.
func Release(ctx context.Context, o Options) error {
	work, err := os.MkdirTemp("", "avow-release-")
	if err != nil {
		return err
	}
	r := &release{source: o.Source, to: o.To, log: o.Log, work: work}
	err = r.make(ctx, o)
	return errors.Join(err, os.RemoveAll(work))
}

// step does something that has a name, and says how long it took. Compiling for another system may take
// minutes, so the name comes first.
func (r *release) step(name string, do func() error) error {
	began := time.Now()
	fmt.Fprintf(r.log, "%-48s", name)
	err := do()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Fprintf(r.log, "%8.1f s\n", time.Since(began).Seconds())
	return nil
}

func (r *release) make(ctx context.Context, o Options) error {
	for _, p := range o.Platforms {
		if !slices.Contains(Platforms, p) {
			return fmt.Errorf("no packages are made for %q; the platforms are %s", p, strings.Join(Platforms, ", "))
		}
	}
	err := r.describe(ctx)
	if err != nil {
		return err
	}
	err = errors.Join(os.RemoveAll(r.to), os.MkdirAll(r.to, 0o755))
	if err != nil {
		return err
	}
	err = r.step("manual and completions", func() error { return r.collect(ctx) })
	if err != nil {
		return err
	}
	for _, p := range o.Platforms {
		system, arch, _ := strings.Cut(p, "/")
		err := r.platform(ctx, system, arch)
		if err != nil {
			return err
		}
	}
	err = r.step(npmPrefix+r.version+".tgz", func() error { return r.npm(ctx) })
	if err != nil {
		return err
	}
	name := "conformance-" + r.version
	err = r.step(name+".zip", func() error {
		content, err := r.suite(name)
		if err != nil {
			return err
		}
		return r.write(name+".zip", content)
	})
	if err != nil {
		return err
	}
	err = r.step(vsixPrefix+r.version+".vsix", r.vscode)
	if err != nil {
		return err
	}
	return r.step(sums, r.writeSums)
}

// describe finds out what is released: the version and the home of the project are in files,
// and git knows the commit.
func (r *release) describe(ctx context.Context) error {
	for name, value := range map[string]*string{"VERSION": &r.version, "HOME": &r.home} {
		text, err := os.ReadFile(filepath.Join(r.source, "internal", "buildinfo", name))
		if err != nil {
			return err
		}
		*value = strings.TrimSpace(string(text))
	}
	commit, err := r.output(ctx, nil, "git", "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty")
	if err != nil {
		return err
	}
	r.commit = commit
	stamp, err := r.output(ctx, nil, "git", "log", "-1", "--format=%cI")
	if err != nil {
		return err
	}
	r.date, err = time.Parse(time.RFC3339, stamp)
	if err != nil {
		return err
	}
	r.date = r.date.UTC()
	return nil
}

// output runs a program in the checkout and returns what it writes.
func (r *release) output(ctx context.Context, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = r.source
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, args[0], err, stderr.Bytes())
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// build builds avow and returns its path. Nothing of this machine gets into the program.
func (r *release) build(ctx context.Context, system, arch string) (string, error) {
	name := filepath.Join(r.work, system+"_"+arch, "avow")
	const stamp = "github.com/avow-project/avow/internal/buildinfo"
	flags := fmt.Sprintf("-s -w -buildid= -X %s.commit=%s -X %s.date=%s", stamp, r.commit, stamp,
		r.date.Format(time.RFC3339))
	env := []string{"GOOS=" + system, "GOARCH=" + arch, "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS=", "GOAMD64=v1",
		"GOARM64=v8.0", "GOEXPERIMENT="}
	return name, r.compile(ctx, env, "-ldflags", flags, "-o", name, "./cmd/avow")
}

// compile runs go build in the environment, without debug information, which the linker would remove.
func (r *release) compile(ctx context.Context, env []string, args ...string) error {
	flags := []string{"build", "-trimpath", "-buildvcs=false", "-gcflags=all=-dwarf=false"}
	_, err := r.output(ctx, env, "go", append(flags, args...)...)
	return err
}

// collect makes what is the same on all platforms.
func (r *release) collect(ctx context.Context) error {
	for _, name := range []string{"LICENSE", "NOTICE", "README.md", "CHANGELOG.md"} {
		content, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return err
		}
		r.common = append(r.common, file{name, 0o644, content})
	}
	made := filepath.Join(r.work, "made")
	native := []string{"GOOS=", "GOARCH=", "CGO_ENABLED=0", "GOWORK=off"}
	_, err := r.output(ctx, native, "go", "run", "-trimpath", "./internal/gen/pack", "-dir", made, "-date",
		r.date.Format(time.DateOnly))
	if err != nil {
		return err
	}
	paths, err := filepath.Glob(filepath.Join(made, "*", "*"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		r.common = append(r.common, file{filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path), 0o644, content})
	}
	return nil
}

// platform makes the packages of one platform.
func (r *release) platform(ctx context.Context, system, arch string) error {
	var path string
	var program []byte
	err := r.step("avow for "+system+"/"+arch, func() error {
		var err error
		path, err = r.build(ctx, system, arch)
		if err == nil {
			program, err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		return err
	}
	base := fmt.Sprintf("avow_%s_%s_%s", r.version, system, arch)
	makers := []maker{{base + ".cdx.json", func() ([]byte, error) { return r.components(path, program, system, arch) }}}
	if system == "windows" {
		makers = append(makers, maker{base + ".zip", func() ([]byte, error) { return r.zip(base, program) }})
	} else {
		makers = append(makers, maker{base + ".tar.gz", func() ([]byte, error) { return r.tarball(base, program) }})
	}
	if system == "linux" {
		makers = append(
			makers,
			maker{fmt.Sprintf("avow_%s_%s.deb", r.systemVersion(), arch), func() ([]byte, error) {
				return r.deb(program, arch)
			}},
			maker{fmt.Sprintf("avow-%s-1.%s.rpm", r.systemVersion(), rpmArch[arch]), func() ([]byte, error) {
				return r.rpm(program, arch)
			}},
			maker{base + ".oci.tar", func() ([]byte, error) { return r.image(program, arch) }},
		)
	}
	for _, m := range makers {
		err := r.step(m.name, func() error {
			content, err := m.make()
			if err != nil {
				return err
			}
			return r.write(m.name, content)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// A maker makes one package.
type maker struct {
	name string
	make func() ([]byte, error)
}

// write writes a package.
func (r *release) write(name string, content []byte) error {
	r.written = append(r.written, name)
	return os.WriteFile(filepath.Join(r.to, name), content, 0o644)
}

// writeSums writes the checksums of all packages.
func (r *release) writeSums() error {
	slices.Sort(r.written)
	var b bytes.Buffer
	for _, name := range r.written {
		content, err := os.ReadFile(filepath.Join(r.to, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(content), name)
	}
	return r.write(sums, b.Bytes())
}
