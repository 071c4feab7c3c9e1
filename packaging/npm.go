package packaging

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// sourceVersion is what package.json says in the repository.
const sourceVersion = `"version": "0.0.0"`

// npmPrefix is how the name of the package for JavaScript begins.
const npmPrefix = "avow-project-avow-"

// npm makes the package for JavaScript, in the form that npm pack gives it. Which system it is
// made on does not matter: the module in it runs everywhere.
func (r *release) npm(ctx context.Context) error {
	wasm := filepath.Join(r.work, "avow.wasm")
	env := []string{"GOOS=wasip1", "GOARCH=wasm", "GOWORK=off", "GOFLAGS=", "GOWASM=", "GOEXPERIMENT="}
	err := r.compile(ctx, env, "-buildmode=c-shared", "-ldflags", "-s -w -buildid=", "-o", wasm, "./packages/wasm")
	if err != nil {
		return err
	}
	from := filepath.Join(r.source, "packages", "js")
	var files []file
	for _, path := range []string{
		wasm, filepath.Join(from, "index.js"), filepath.Join(from, "index.d.ts"), filepath.Join(from, "package.json"),
		filepath.Join(from, "README.md"),
		filepath.Join(r.source, "LICENSE"), filepath.Join(r.source, "NOTICE"),
	} {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files = append(files, file{filepath.Base(path), 0o644, content})
	}
	description := &files[3].content
	if strings.Count(string(*description), sourceVersion) != 1 {
		return fmt.Errorf("packages/js/package.json does not have %s", sourceVersion)
	}
	*description = []byte(strings.Replace(string(*description), sourceVersion, fmt.Sprintf(`"version": %q`, r.version), 1))
	content, err := compress(r.tar(inFolder("package", files), nil))
	if err != nil {
		return err
	}
	return r.write(npmPrefix+r.version+".tgz", content)
}
