package packaging

import (
	"bytes"
	"crypto/sha256"
	"encoding/pem"
	"fmt"

	"github.com/go-json-experiment/json"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// imageUser is the user in an image. It is named by its number: its user can see that it is
// not root.
const imageUser = 65532

// imageName is what the image is called on a machine that loads the archive, before its version.
// No registry has that name, so nothing else can be pulled in its place.
const imageName = "localhost/avow:"

// state is the folder that the service writes to.
const state = "var/lib/avow"

// Names of types in an image.
const (
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// A descriptor names a part of an image by its hash.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platformOf       `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platformOf struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

// An imageConfig says how an image is run.
type imageConfig struct {
	Created      string     `json:"created"`
	Architecture string     `json:"architecture"`
	OS           string     `json:"os"`
	Config       runConfig  `json:"config"`
	RootFS       rootFS     `json:"rootfs"`
	History      []imageLog `json:"history"`
}

type runConfig struct {
	User         string              `json:"User"`
	ExposedPorts map[string]struct{} `json:"ExposedPorts"`
	Env          []string            `json:"Env"`
	Entrypoint   []string            `json:"Entrypoint"`
	Cmd          []string            `json:"Cmd"`
	Volumes      map[string]struct{} `json:"Volumes"`
	WorkingDir   string              `json:"WorkingDir"`
	Labels       map[string]string   `json:"Labels"`
	StopSignal   string              `json:"StopSignal"`
	// Healthcheck is Docker's; others leave it out.
	Healthcheck healthcheck `json:"Healthcheck"`
}

type healthcheck struct {
	Test                                    []string
	Interval, Timeout, StartPeriod, Retries int64
}

type rootFS struct {
	Type    string   `json:"type"`
	DiffIDs []string `json:"diff_ids"`
}

type imageLog struct {
	Created   string `json:"created"`
	CreatedBy string `json:"created_by"`
}

// imageFiles returns what is in an image: the program, the certificates it trusts, and a user.
// There is no shell and no other program.
func (r *release) imageFiles(program []byte) []file {
	return []file{
		{"usr/bin/avow", 0o755, program},
		{"etc/ssl/certs/ca-certificates.crt", 0o644, roots()},
		{"etc/passwd", 0o644,
			[]byte("root:x:0:0:root:/:/sbin/nologin\navow:x:65532:65532:avow:/var/lib/avow:/sbin/nologin\n")},
		{"etc/group", 0o644, []byte("root:x:0:\navow:x:65532:\n")},
		{"etc/nsswitch.conf", 0o644, []byte("hosts: files dns\n")},
		{"usr/share/doc/avow/LICENSE", 0o644, r.common[0].content},
		{"usr/share/doc/avow/NOTICE", 0o644, r.common[1].content},
		{state, directory | 0o700, nil},
		{"tmp", directory | 0o1777, nil},
	}
}

// roots returns the certificates of Mozilla's list, at the version that go.sum pins. Those that
// are trusted with a condition that the file cannot have are left out.
func roots() []byte {
	var b bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			b.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}))
		}
	}
	return b.Bytes()
}

// image returns an archive with an image in the layout of OCI. It also has the list that
// docker load reads.
func (r *release) image(program []byte, arch string) ([]byte, error) {
	plain, err := r.tar(r.imageFiles(program), map[string]int{state: imageUser})
	if err != nil {
		return nil, err
	}
	layer, err := compress(plain, nil)
	if err != nil {
		return nil, err
	}
	config, err := json.Marshal(r.imageConfig(arch, digest(plain)), json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	manifest, err := json.Marshal(map[string]any{
		"schemaVersion": 2, "mediaType": manifestType,
		"config": describe(configType, config), "layers": []descriptor{describe(layerType, layer)},
	}, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	top := describe(manifestType, manifest)
	top.Platform = &platformOf{arch, "linux"}
	top.Annotations = map[string]string{"io.containerd.image.name": imageName + r.version,
		"org.opencontainers.image.ref.name": r.version}
	index, err := json.Marshal(map[string]any{"schemaVersion": 2, "manifests": []descriptor{top}},
		json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	list, err := json.Marshal(
		[]any{map[string]any{"Config": blob(config), "RepoTags": []string{imageName + r.version},
			"Layers": []string{blob(layer)}}}, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	return r.tar([]file{
		{"oci-layout", 0o644, []byte(`{"imageLayoutVersion":"1.0.0"}`)},
		{"index.json", 0o644, index},
		{"manifest.json", 0o644, list},
		{blob(config), 0o644, config},
		{blob(layer), 0o644, layer},
		{blob(manifest), 0o644, manifest},
	}, nil)
}

func (r *release) imageConfig(arch, diff string) *imageConfig {
	const second = 1_000_000_000
	return &imageConfig{
		Created: r.stamp(), Architecture: arch, OS: "linux", RootFS: rootFS{"layers", []string{diff}},
		History: []imageLog{{r.stamp(), "avow release"}},
		Config: runConfig{
			User: fmt.Sprintf("%d:%d", imageUser, imageUser), ExposedPorts: map[string]struct{}{"8080/tcp": {}},
			Volumes:    map[string]struct{}{"/var/lib/avow": {}},
			Env:        []string{"PATH=/usr/bin", "XDG_STATE_HOME=/var/lib", "AVOW_ADDR=0.0.0.0:8080"},
			Entrypoint: []string{"/usr/bin/avow"}, Cmd: []string{"serve"}, WorkingDir: "/var/lib/avow", StopSignal: "SIGTERM",
			Labels: map[string]string{
				"org.opencontainers.image.title": "avow", "org.opencontainers.image.description": summary,
				"org.opencontainers.image.source": r.home, "org.opencontainers.image.licenses": "Apache-2.0",
				"org.opencontainers.image.version": r.version, "org.opencontainers.image.revision": r.commit,
			},
			Healthcheck: healthcheck{[]string{"CMD", "/usr/bin/avow", "serve", "health"}, 30 * second, 10 * second, 15 * second,
				3},
		},
	}
}

func digest(content []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(content)) }

// blob is the name of a part in the archive.
func blob(content []byte) string { return fmt.Sprintf("blobs/sha256/%x", sha256.Sum256(content)) }

func describe(mediaType string, content []byte) descriptor {
	return descriptor{MediaType: mediaType, Digest: digest(content), Size: len(content)}
}
