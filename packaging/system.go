package packaging

import (
	"bytes"
	"embed"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/google/rpmpack"
)

//go:embed systemd
var systemd embed.FS

// config is the configuration of the service, which an administrator changes.
const config = "etc/avow/avow.toml"

const (
	summary     = "find, check and create adagents.json, and answer who may sell what"
	description = `avow works on adagents.json, the file in which a publisher declares its inventory
and who may sell it. This package has the command line and the registry service,
which does not start until an administrator enables it.`
	packager = "The avow authors <avow@users.noreply.github.com>"
)

// installed returns what a Linux system gets, by path without the first slash. zsh is where
// its completions are, and licence where the licence belongs.
func (r *release) installed(program []byte, zsh, licence string) ([]file, error) {
	places := map[string]string{
		"LICENSE": licence, "NOTICE": "usr/share/doc/avow/NOTICE", "README.md": "usr/share/doc/avow/README.md",
		"CHANGELOG.md":          "usr/share/doc/avow/changelog.gz",
		"completions/avow.bash": "usr/share/bash-completion/completions/avow",
		"completions/avow.fish": "usr/share/fish/vendor_completions.d/avow.fish",
		"completions/avow.zsh":  zsh + "/_avow",
	}
	files := []file{{"usr/bin/avow", 0o755, program}}
	for _, f := range r.common {
		name, ok := places[f.name]
		if strings.HasPrefix(f.name, "man/") {
			name, ok = "usr/share/man/man1/"+path.Base(f.name)+".gz", true
		}
		if !ok {
			continue
		}
		if strings.HasSuffix(name, ".gz") {
			content, err := compress(f.content, nil)
			if err != nil {
				return nil, err
			}
			f.content = content
		}
		files = append(files, file{name, 0o644, f.content})
	}
	for name, place := range map[string]string{
		"avow.service": "usr/lib/systemd/system/avow.service", "avow.sysusers": "usr/lib/sysusers.d/avow.conf",
		"avow.toml": config,
	} {
		content, err := systemd.ReadFile("systemd/" + name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{place, 0o644, content})
	}
	sortFiles(files)
	return files, nil
}

// afterInstall makes the user of the service and lets systemd know of the unit. A system
// without systemd, such as a container, has the command line.
const afterInstall = `if command -v systemd-sysusers >/dev/null 2>&1; then systemd-sysusers ${DPKG_ROOT:+--root="$DPKG_ROOT"} avow.conf || true; fi
if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
`

// systemVersion writes a version so that dpkg and rpm sort a preview before its release.
func (r *release) systemVersion() string { return strings.ReplaceAll(r.version, "-", "~") }

// deb returns the package for Debian and those that follow it: an archive of ar with
// what dpkg has to know and the files.
func (r *release) deb(program []byte, arch string) ([]byte, error) {
	files, err := r.installed(program, "usr/share/zsh/vendor-completions", "usr/share/doc/avow/copyright")
	if err != nil {
		return nil, err
	}
	size := 0
	for i, f := range files {
		size += (len(f.content) + 1023) / 1024
		files[i].name = "./" + f.name
	}
	control := fmt.Sprintf(`Package: avow
Version: %s
Architecture: %s
Maintainer: %s
Installed-Size: %d
Recommends: ca-certificates
Section: web
Priority: optional
Homepage: %s
Description: %s
 %s
`, r.systemVersion(), arch, packager, size, r.home, summary, strings.ReplaceAll(description, "\n", "\n "))
	remove := "if [ \"$1\" = remove ] && [ -z \"$DPKG_ROOT\" ] && [ -d /run/systemd/system ]; then systemctl disable " +
		"--now avow.service || true; fi\n"
	about, err := compress(r.tar([]file{
		{"./control", 0o644, []byte(control)},
		{"./conffiles", 0o644, []byte("/" + config + "\n")},
		{"./postinst", 0o755, []byte("#!/bin/sh\nset -e\n" + afterInstall)},
		{"./prerm", 0o755, []byte("#!/bin/sh\nset -e\n" + remove)},
	}, nil))
	if err != nil {
		return nil, err
	}
	data, err := compress(r.tar(files, nil))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	for _, part := range []file{{name: "debian-binary", content: []byte("2.0\n")},
		{name: "control.tar.gz", content: about}, {name: "data.tar.gz", content: data}} {
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", part.name, r.date.Unix(), 0, 0, "100644", len(part.content))
		b.Write(part.content)
		if len(part.content)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes(), nil
}

// rpmArch are the names that rpm has for architectures.
var rpmArch = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}

// rpm returns the package for Fedora and those that follow it.
func (r *release) rpm(program []byte, arch string) ([]byte, error) {
	p, err := rpmpack.NewRPM(rpmpack.RPMMetaData{
		Name: "avow", Summary: summary, Description: description, Version: r.systemVersion(), Release: "1",
		Arch: rpmArch[arch],
		URL:  r.home, Packager: packager, Licence: "Apache-2.0", BuildHost: "localhost", BuildTime: r.date,
		Compressor: "gzip:6",
	})
	if err != nil {
		return nil, err
	}
	err = p.Recommends.Set("ca-certificates")
	if err != nil {
		return nil, err
	}
	files, err := r.installed(program, "usr/share/zsh/site-functions", "usr/share/licenses/avow/LICENSE")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		kind := rpmpack.GenericFile
		switch {
		case f.name == config:
			kind = rpmpack.ConfigFile | rpmpack.NoReplaceFile
		case strings.HasPrefix(f.name, "usr/share/licenses/"):
			kind = rpmpack.LicenceFile
		case strings.HasPrefix(f.name, "usr/share/doc/"), strings.HasPrefix(f.name, "usr/share/man/"):
			kind = rpmpack.DocFile
		}
		p.AddFile(rpmpack.RPMFile{Name: "/" + f.name, Body: f.content, Mode: uint(f.mode), Owner: "root", Group: "root",
			MTime: uint32(r.date.Unix()), Type: kind})
	}
	p.AddPostin(afterInstall)
	p.AddPreun("if [ \"$1\" = 0 ] && [ -d /run/systemd/system ]; then systemctl disable --now avow.service || true; fi\n")
	var b bytes.Buffer
	err = p.Write(&b)
	return b.Bytes(), err
}

// stamp is the date of the release as documents have it.
func (r *release) stamp() string { return r.date.Format(time.RFC3339) }
