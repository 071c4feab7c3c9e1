package packaging

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v3"
)

// tryProgram runs an installed avow.
func tryProgram(t *testing.T, name string) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "good.json"), good)
	out := command(t, dir, name, "version")
	if !strings.Contains(out, "avow 1.2.3 (commit ") {
		t.Errorf("avow version: %s", out)
	}
	out = command(t, dir, name, "validate", "--quiet", "good.json")
	if !strings.Contains(out, "good.json: valid") {
		t.Errorf("avow validate: %s", out)
	}
}

// TestDeb installs the package in an empty root, runs it, and removes it.
func TestDeb(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, name := range []string{"var/lib/dpkg/updates", "var/lib/dpkg/info", "etc", "var/log"} {
		err := os.MkdirAll(filepath.Join(root, name), 0o755)
		if err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(root, "var/lib/dpkg/status"), "")
	dpkg := func(args ...string) {
		t.Helper()
		command(t, root, "dpkg", append([]string{"--root=" + root, "--force-not-root", "--force-script-chrootless", "--force-architecture"}, args...)...)
	}
	dpkg("--install", made(t, ".deb"))
	tryProgram(t, filepath.Join(root, "usr/bin/avow"))
	users, err := os.ReadFile(filepath.Join(root, "etc/passwd"))
	if err != nil || !strings.Contains(string(users), "avow:") {
		t.Errorf("the user of the service was not made: %v\n%s", err, users)
	}
	for _, name := range []string{"usr/share/man/man1/avow.1.gz", "usr/lib/systemd/system/avow.service", "usr/share/bash-completion/completions/avow", "usr/share/doc/avow/copyright", config} {
		_, err := os.Stat(filepath.Join(root, name))
		if err != nil {
			t.Error(err)
		}
	}
	dpkg("--remove", "avow")
	_, err = os.Stat(filepath.Join(root, config))
	if err != nil {
		t.Errorf("the configuration is gone with the package: %v", err)
	}
	_, err = os.Stat(filepath.Join(root, "usr/bin/avow"))
	if err == nil {
		t.Error("the program is there after the package was removed")
	}
	dpkg("--purge", "avow")
	_, err = os.Stat(filepath.Join(root, config))
	if err == nil {
		t.Error("the configuration is there after the package was purged")
	}
}

func TestRPM(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	name := made(t, ".rpm")
	command(t, root, "rpm", "-K", "--nosignature", name)
	list := command(t, root, "rpm", "-qp", "--nosignature", "--qf", "[%{FILENAMES} %{FILEUSERNAME} %{FILEFLAGS:fflags}\n]", name)
	for _, want := range []string{"/usr/bin/avow root \n", "/etc/avow/avow.toml root cn\n", "/usr/lib/systemd/system/avow.service root \n", "/usr/share/licenses/avow/LICENSE root l\n"} {
		if !strings.Contains(list, want) {
			t.Errorf("no %q in\n%s", want, list)
		}
	}
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, "avow.rpm"), string(content))
	command(t, root, "rpm2archive", "avow.rpm")
	command(t, root, "tar", "-xzf", "avow.rpm.tgz")
	tryProgram(t, filepath.Join(root, "usr/bin/avow"))
}

// unpackImage unpacks an image, compares its parts with their hashes, and returns its root and
// how it is run.
func unpackImage(t *testing.T) (string, *imageConfig) {
	t.Helper()
	dir, root := t.TempDir(), filepath.Join(t.TempDir(), "root")
	command(t, dir, "tar", "-xf", made(t, ".oci.tar"))
	var index struct{ Manifests []descriptor }
	readPart(t, filepath.Join(dir, "index.json"), &index)
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	part := func(d descriptor) string {
		t.Helper()
		name := filepath.Join(dir, "blobs", strings.Replace(d.Digest, ":", "/", 1))
		content, err := os.ReadFile(name)
		if err != nil || digest(content) != d.Digest || len(content) != d.Size {
			t.Fatalf("%s is not what its hash says: %v", d.Digest, err)
		}
		return name
	}
	readPart(t, part(index.Manifests[0]), &manifest)
	config := new(imageConfig)
	readPart(t, part(manifest.Config), config)
	err := os.Mkdir(root, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	command(t, root, "tar", "-xzpf", part(manifest.Layers[0]), "--no-same-owner")
	return root, config
}

func readPart(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// container runs a command of an image: in its root, which is read-only besides the folder for
// the state, and as its user; for somebody who is not root, in a user namespace. Where the system
// permits neither, as in some containers, it runs on the machine itself.
func container(t *testing.T, root, state string, config *imageConfig, env []string, args ...string) *exec.Cmd {
	t.Helper()
	const enter = `set -e
mount --bind "$ROOT" "$ROOT"
mount -o remount,ro,bind "$ROOT"
mount --bind "$STATE" "$ROOT/var/lib/avow"
exec chroot $SPEC "$ROOT" "$@"`
	space, spec := []string{"--mount"}, "--userspec="+config.Config.User
	if os.Geteuid() != 0 {
		space, spec = []string{"--mount", "--map-root-user"}, ""
	}
	env = slices.Concat(config.Config.Env, []string{"PATH=" + os.Getenv("PATH")}, env)
	possible := exec.CommandContext(t.Context(), "unshare", slices.Concat(space, []string{"mount", "--bind", root, root})...)
	out, err := possible.CombinedOutput()
	if err != nil {
		t.Logf("the image runs on the machine itself: %v %s", err, out)
		cmd := exec.CommandContext(t.Context(), filepath.Join(root, args[0]), args[1:]...)
		cmd.Env = slices.Concat(env, []string{"XDG_STATE_HOME=" + filepath.Dir(state)})
		return cmd
	}
	if spec != "" {
		err := os.Chown(state, imageUser, imageUser)
		if err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "unshare", slices.Concat(space, []string{"bash", "-c", enter, "bash"}, args)...)
	cmd.Env = slices.Concat(env, []string{"ROOT=" + root, "STATE=" + state, "SPEC=" + spec})
	return cmd
}

// TestImage runs the service of the image, and its health check.
func TestImage(t *testing.T) {
	t.Parallel()
	root, config := unpackImage(t)
	err := os.Chmod(filepath.Dir(root), 0o755)
	if err != nil {
		t.Fatal(err)
	}
	user, _, _ := strings.Cut(config.Config.User, ":")
	if user == "" || user == "0" || user == "root" {
		t.Errorf("the image runs as %q", user)
	}
	certificates, err := os.ReadFile(filepath.Join(root, "etc/ssl/certs/ca-certificates.crt"))
	if err != nil || strings.Count(string(certificates), "BEGIN CERTIFICATE") < 100 {
		t.Errorf("the image has few certificates to trust: %v", err)
	}
	state := filepath.Join(t.TempDir(), "avow")
	err = os.Mkdir(state, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	run := append(slices.Clone(config.Config.Entrypoint), config.Config.Cmd...)
	service := container(t, root, state, config, []string{"AVOW_ADDR=127.0.0.1:0"}, run...)
	stderr, err := service.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	err = service.Start()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stderr)
	serving := regexp.MustCompile(`serving on http://([^\s,]+)`)
	var said strings.Builder
	addr := ""
	for addr == "" {
		line, err := lines.ReadString('\n')
		said.WriteString(line)
		if m := serving.FindStringSubmatch(line); m != nil {
			addr = m[1]
		}
		if err != nil {
			t.Fatalf("the service ended: %v %v\n%s", err, service.Wait(), &said)
		}
	}
	health := container(t, root, state, config, []string{"AVOW_ADDR=" + addr}, config.Config.Healthcheck.Test[1:]...)
	out, err := health.CombinedOutput()
	if err != nil || !strings.Contains(string(out), `"ready"`) {
		t.Errorf("the health check: %v\n%s", err, out)
	}
	err = service.Process.Signal(syscall.SIGTERM)
	if err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	err = service.Wait()
	if err != nil {
		t.Errorf("the service did not end well: %v\n%s%s", err, &said, rest)
	}
	_, err = os.Stat(filepath.Join(state, "registry.db"))
	if err != nil {
		t.Errorf("the database is not in the folder for the state: %v", err)
	}
	health = container(t, root, state, config, []string{"AVOW_ADDR=" + addr}, config.Config.Healthcheck.Test[1:]...)
	out, err = health.CombinedOutput()
	if err == nil {
		t.Errorf("the health check of a service that ended: %s", out)
	}
}

// TestUnit: systemd takes the unit, and finds little that it could still deny to the service.
func TestUnit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	unit := strings.ReplaceAll(page(t, "packaging/systemd/avow.service"), "/usr/bin/avow", program(t))
	write(t, filepath.Join(dir, "avow.service"), unit)
	out := command(t, dir, "systemd-analyze", "verify", "--man=no", "./avow.service")
	if strings.Contains(out, "avow.service") {
		t.Errorf("systemd-analyze verify: %s", out)
	}
	command(t, dir, "systemd-analyze", "security", "--offline=true", "--threshold=15", "./avow.service")
}

// TestConfiguration: the service takes the file that packages install, as it is and with every
// setting in it made.
func TestConfiguration(t *testing.T) {
	t.Parallel()
	text := page(t, "packaging/systemd/avow.toml")
	for _, text := range []string{text, regexp.MustCompile(`(?m)^#(\w+ = )`).ReplaceAllString(text, "$1")} {
		name := filepath.Join(t.TempDir(), "avow.toml")
		write(t, name, text)
		cmd := exec.CommandContext(t.Context(), program(t), "serve", "health", "--config", name, "--addr", "127.0.0.1:1")
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "does not answer") {
			t.Errorf("%v %s", err, out)
		}
	}
}

// variables are the settings that the manual has.
func variables(t *testing.T) []string {
	t.Helper()
	return regexp.MustCompile(`AVOW_[A-Z_]+`).FindAllString(page(t, "docs/operating.md"), -1)
}

func TestCompose(t *testing.T) {
	t.Parallel()
	var doc struct {
		Services map[string]struct {
			Image       string
			PullPolicy  string `yaml:"pull_policy"`
			Command     []string
			Environment map[string]string
			Volumes     []string
			Healthcheck struct{ Test []string }
			ReadOnly    bool     `yaml:"read_only"`
			CapDrop     []string `yaml:"cap_drop"`
			CapAdd      []string `yaml:"cap_add"`
			MemLimit    string   `yaml:"mem_limit"`
			PidsLimit   int      `yaml:"pids_limit"`
		}
		Volumes map[string]any
	}
	readYAML(t, filepath.Join(repository(t), "packaging/compose/compose.yaml"), &doc)
	avow := doc.Services["avow"]
	_, config := unpackImage(t)
	if !slices.Equal(avow.Healthcheck.Test, config.Config.Healthcheck.Test) {
		t.Errorf("the health check is %q, that of the image %q", avow.Healthcheck.Test, config.Config.Healthcheck.Test)
	}
	if !strings.HasPrefix(avow.Image, imageName+"${AVOW_VERSION:?") || avow.PullPolicy != "never" {
		t.Errorf("the image is %q (%s), make dist makes %q", avow.Image, avow.PullPolicy, imageName)
	}
	for name, s := range doc.Services {
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || s.CapAdd != nil {
			t.Errorf("%s could write to its root, or has capabilities", name)
		}
		if s.MemLimit == "" || s.PidsLimit == 0 {
			t.Errorf("%s has no limit of memory or of processes", name)
		}
	}
	for name := range avow.Environment {
		if name != "TMPDIR" && !slices.Contains(variables(t), name) {
			t.Errorf("there is no setting %s", name)
		}
	}
	for _, s := range doc.Services {
		for _, v := range s.Volumes {
			name, _, _ := strings.Cut(v, ":")
			_, ok := doc.Volumes[name]
			if !ok {
				t.Errorf("there is no volume %s", name)
			}
		}
	}
	_, ok := config.Config.Volumes["/var/lib/avow"]
	if !ok || !slices.Contains(avow.Volumes, "avow-state:/var/lib/avow") {
		t.Error("the state of the service is not kept")
	}
}

// TestNoLatest: an image is named by its version, since nobody can tell what "latest" was.
func TestNoLatest(t *testing.T) {
	t.Parallel()
	image := regexp.MustCompile(`(?m)(?:image:|docker://)\s*(\S+)`)
	for _, name := range []string{"packaging/compose/compose.yaml", "packaging/kubernetes/avow.yaml", "docs/install.md", "docs/pipelines.md", "docs/operating.md"} {
		for _, found := range image.FindAllStringSubmatch(page(t, name), -1) {
			_, tag, _ := strings.Cut(path.Base(found[1]), ":")
			if tag == "" || strings.HasPrefix(tag, "latest") {
				t.Errorf("%s: the image %s has no version", name, found[1])
			}
		}
	}
	if strings.HasSuffix(imageName, "latest") {
		t.Errorf("the image is called %s", imageName)
	}
}

// TestUnitMemory: a service that uses more memory than it should does not take the machine along.
func TestUnitMemory(t *testing.T) {
	t.Parallel()
	unit := page(t, "packaging/systemd/avow.service")
	for _, want := range []string{"\nMemoryHigh=", "\nMemoryMax="} {
		if !strings.Contains(unit, want) {
			t.Errorf("the unit has no %s", strings.TrimSpace(want))
		}
	}
}

func TestKubernetes(t *testing.T) {
	t.Parallel()
	decoder := yaml.NewDecoder(strings.NewReader(page(t, "packaging/kubernetes/avow.yaml")))
	kinds := map[string]map[string]any{}
	for {
		doc := map[string]any{}
		err := decoder.Decode(&doc)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		kinds[doc["kind"].(string)] = doc
	}
	at := func(v any, path ...any) any {
		t.Helper()
		for _, step := range path {
			switch step := step.(type) {
			case string:
				v = v.(map[string]any)[step]
			case int:
				v = v.([]any)[step]
			}
		}
		return v
	}
	pod := at(kinds["Deployment"], "spec", "template", "spec")
	avow := at(pod, "containers", 0)
	for _, tt := range []struct{ got, want any }{
		{at(avow, "image"), imageName + "VERSION"},
		{at(avow, "imagePullPolicy"), "Never"},
		{at(pod, "securityContext", "runAsUser"), imageUser},
		{at(pod, "securityContext", "runAsNonRoot"), true},
		{at(avow, "securityContext", "readOnlyRootFilesystem"), true},
		{at(avow, "securityContext", "allowPrivilegeEscalation"), false},
		{at(avow, "livenessProbe", "httpGet", "path"), "/healthz"},
		{at(avow, "readinessProbe", "httpGet", "path"), "/readyz"},
		{at(avow, "ports", 0, "containerPort"), 8080},
		{at(kinds["Service"], "spec", "ports", 0, "targetPort"), at(avow, "ports", 0, "name")},
	} {
		if tt.got != tt.want {
			t.Errorf("%v, want %v", tt.got, tt.want)
		}
	}
	for _, kind := range []string{"Service", "PodDisruptionBudget"} {
		selector := at(kinds[kind], "spec", "selector").(map[string]any)
		inner, ok := selector["matchLabels"].(map[string]any)
		if ok {
			selector = inner
		}
		if selector["app.kubernetes.io/name"] != at(kinds["Deployment"], "spec", "template", "metadata", "labels", "app.kubernetes.io/name") {
			t.Errorf("%s does not select the pods", kind)
		}
	}
	for _, e := range at(avow, "env").([]any) {
		if !slices.Contains(variables(t), at(e, "name").(string)) {
			t.Errorf("there is no setting %v", at(e, "name"))
		}
	}
}
