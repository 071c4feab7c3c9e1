package packaging

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// architecture is that of the packages that tests make and run.
const architecture = runtime.GOARCH

// releaseVersion is the version of the release that tests make, and releaseTag its tag.
const (
	releaseVersion = "1.2.3"
	releaseTag     = "v" + releaseVersion
)

// copySource copies the files of the repository into a repository of its own, with a commit
// that does not depend on who makes it and when. It has another version, which has to be the one
// of all packages.
func copySource(ctx context.Context, to string) error {
	script := `set -euo pipefail
git ls-files -co --exclude-standard -z | while IFS= read -r -d '' name; do if [ -e "$name" ]; then printf '%s\0' "$name"; fi; done |
  tar -c --null -T - | tar -x -C "$1"
cd "$1"
echo "$2" >internal/buildinfo/VERSION
git init -q
git add -A
git -c user.name=n -c user.email=n@example.com -c commit.gpgsign=false commit -q -m files`
	err := os.MkdirAll(to, 0o755)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "bash", "-c", script, "bash", to, releaseVersion)
	cmd.Dir = ".."
	const date = "2026-01-02T03:04:05+05:00"
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// makeRelease makes the packages of this machine's architecture in a folder below shared, from
// a copy of the repository in a folder with a given name.
func makeRelease(name, place string, log io.Writer) (string, error) {
	ctx := context.Background()
	source, to := filepath.Join(shared, place), filepath.Join(shared, name)
	err := copySource(ctx, source)
	if err != nil {
		return "", err
	}
	return to, Release(ctx, Options{Source: source, To: to, Platforms: []string{"linux/" + architecture}, Log: log})
}

var firstRelease = sync.OnceValues(func() (string, error) { return makeRelease("first", "a", io.Discard) })

// dist returns the folder of the packages.
func dist(t *testing.T) string {
	t.Helper()
	dir, err := firstRelease()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// source returns the folder of the copy of the repository that the packages were made from.
func source(t *testing.T) string {
	t.Helper()
	dist(t)
	return filepath.Join(shared, "a")
}

// made returns the path of a package, whose name ends in a given way.
func made(t *testing.T, suffix string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dist(t), "*"+suffix))
	if err != nil || len(found) != 1 {
		t.Fatalf("%d packages end in %s: %v", len(found), suffix, err)
	}
	return found[0]
}

// TestReproducible: whoever builds a release elsewhere gets the same bytes.
func TestReproducible(t *testing.T) {
	t.Parallel()
	first := dist(t)
	var log strings.Builder
	second, err := makeRelease("second", "somewhere/else", &log)
	if err != nil {
		t.Fatal(err)
	}
	names := func(dir string) []string {
		found, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range found {
			found[i] = filepath.Base(found[i])
		}
		return found
	}
	want := []string{
		"SHA256SUMS", "avow-1.2.3-1." + rpmArch[architecture] + ".rpm", "avow-project-avow-1.2.3.tgz", "avow-vscode-1.2.3.vsix", "avow_1.2.3_" + architecture + ".deb",
		"avow_1.2.3_linux_" + architecture + ".cdx.json", "avow_1.2.3_linux_" + architecture + ".oci.tar", "avow_1.2.3_linux_" + architecture + ".tar.gz", "conformance-1.2.3.zip",
	}
	if !slices.Equal(names(first), want) || !slices.Equal(names(second), want) {
		t.Errorf("made %q and %q, want %q", names(first), names(second), want)
	}
	for _, name := range want {
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` +\d+\.\d s$`).MatchString(log.String()) {
			t.Errorf("it does not say how long %s took:\n%s", name, log.String())
		}
		a, err := os.ReadFile(filepath.Join(first, name))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(second, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s is another one in the second release", name)
		}
	}
	command(t, first, "sha256sum", "-c", "--strict", "SHA256SUMS")
}

// TestArchive: the program knows what it is, and the manual and completions are beside it.
func TestArchive(t *testing.T) {
	t.Parallel()
	dir := filepath.Dir(program(t))
	out := command(t, dir, "./avow", "version")
	if !strings.Contains(out, "avow 1.2.3 (commit ") || !strings.Contains(out, "2026-01-01") {
		t.Errorf("avow version: %s", out)
	}
	for _, name := range []string{"LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "man/avow.1", "man/avow-validate.1", "completions/avow.fish", "completions/avow.zsh", "completions/avow.powershell"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	command(t, dir, "bash", "-n", "completions/avow.bash")
	pages, err := filepath.Glob(filepath.Join(dir, "man", "*.1"))
	if err != nil {
		t.Fatal(err)
	}
	command(t, dir, "mandoc", append([]string{"-T", "lint", "-W", "warning"}, pages...)...)
}

// TestComponents: the list has the modules that are in the program.
func TestComponents(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(made(t, ".cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list bom
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	err = decoder.Decode(&list)
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(program(t))
	if err != nil {
		t.Fatal(err)
	}
	if list.Format != "CycloneDX" || len(list.Components) != len(info.Deps)+1 || len(list.Dependencies) != 1 || len(list.Dependencies[0].DependsOn) != len(list.Components) {
		t.Errorf("%d components for %d modules and the library of Go", len(list.Components), len(info.Deps))
	}
	for _, m := range info.Deps {
		purl := "pkg:golang/" + m.Path + "@" + m.Version
		found := slices.ContainsFunc(list.Components, func(c component) bool { return c.PURL == purl && c.Properties[0].Value == m.Sum })
		if !found {
			t.Errorf("no %s with its checksum", purl)
		}
	}
}

// TestNPM: the package for JavaScript installs without a registry, has its version and answers.
func TestNPM(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	command(t, dir, "npm", "install", "--prefix", dir, "--offline", "--no-audit", "--no-fund", made(t, ".tgz"))
	script := `import { load } from "@avow-project/avow";
const avow = await load();
console.log(avow.check("{}").findings[0].code);`
	out := command(t, dir, "node", "--input-type=module", "-e", script)
	if out != "file.agents_missing\n" {
		t.Errorf("the package says %q", out)
	}
	folder := filepath.Join(dir, "node_modules", "@avow-project", "avow")
	text, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var description struct {
		Version string
		Files   []string
	}
	err = json.Unmarshal(text, &description)
	if err != nil || description.Version != releaseVersion {
		t.Errorf("version %q: %v", description.Version, err)
	}
	for _, name := range description.Files {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestVersions: a preview sorts before its release.
func TestVersions(t *testing.T) {
	t.Parallel()
	order := []string{"1.2.3-rc.1", "1.2.3-rc.2", "1.2.3", "1.2.4"}
	for i, v := range order {
		deb := (&release{version: v}).systemVersion()
		if i > 0 {
			command(t, ".", "dpkg", "--compare-versions", (&release{version: order[i-1]}).systemVersion(), "lt", deb)
		}
		if strings.Contains(deb, "-") {
			t.Errorf("%s: rpm does not take %s", v, deb)
		}
	}
}

func TestNoSuchPlatform(t *testing.T) {
	t.Parallel()
	err := Release(t.Context(), Options{Source: "..", To: t.TempDir(), Platforms: []string{"plan9/mips"}})
	if err == nil || !strings.Contains(err.Error(), "linux/amd64") {
		t.Errorf("error %v", err)
	}
}
