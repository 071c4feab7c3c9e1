// Command script builds the scripts of the pages from TypeScript: the files of
// internal/service/web/assets/script, which are part of the binary, from those of
// internal/service/web/script.
//
// It is run by make generate, which installs the packages of npm first; with -check it
// writes nothing and fails when a file is out of date.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/avow-project/avow/internal/gen/genfile"
	"github.com/avow-project/avow/internal/std/jsontree"
)

//go:generate go run .

// Folders, seen from here: what people write, and what is made of it.
const (
	sources = "../../service/web/script"
	target  = "../../service/web/assets/script"
)

// entries are the scripts that pages name, by the file they begin with. Each is built by
// itself, so that none waits for a part that it shares with another; what it imports only when
// it is needed becomes a file of its own.
var entries = []entry{
	{"island", "island.ts"},
	{"build", "build/main.tsx"},
	{"reference", "reference.ts"},
}

func main() {
	genfile.Main("script", target, files)
}

// files returns what the target has to have, and without content what must go: the names of
// parts that are loaded later change with what is in them.
func files() (map[string][]byte, error) {
	built, err := build(sources, entries)
	if err != nil {
		return nil, err
	}
	there, err := os.ReadDir(target)
	if err != nil {
		return nil, err
	}
	for _, f := range there {
		if built[f.Name()] == nil {
			built[f.Name()] = nil
		}
	}
	return built, nil
}

// An entry is a script that pages name.
type entry struct{ name, source string }

// build returns the built files by name, with the licences of the packages in them.
func build(dir string, entries []entry) (map[string][]byte, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	built, packages := map[string][]byte{}, map[string]bool{}
	for _, e := range entries {
		result := api.Build(options(root, e))
		err := firstOf(&result)
		if err == nil {
			err = notePackages(result.Metafile, packages)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.source, err)
		}
		for _, f := range result.OutputFiles {
			built[filepath.Base(f.Path)] = f.Contents
		}
	}
	if len(packages) > 0 {
		text, err := licences(root, packages)
		if err != nil {
			return nil, err
		}
		built["licences.txt"] = text
	}
	return built, nil
}

// options are how an entry is built.
func options(root string, e entry) api.BuildOptions {
	return api.BuildOptions{
		AbsWorkingDir:       root,
		EntryPointsAdvanced: []api.EntryPoint{{InputPath: e.source, OutputPath: e.name}},
		Outdir:              filepath.Join(root, "out"), // nothing is written there
		ChunkNames:          "[name]-[hash]",
		Bundle:              true,
		Splitting:           true,
		Format:              api.FormatESModule,
		Platform:            api.PlatformBrowser,
		Target:              api.ES2022,
		Charset:             api.CharsetUTF8,
		MinifyWhitespace:    true,
		MinifyIdentifiers:   true,
		MinifySyntax:        true,
		LegalComments:       api.LegalCommentsNone, // licences.txt has them whole
		LogLevel:            api.LogLevelSilent,
		Metafile:            true,
	}
}

// notePackages adds the packages that files were made of, by what esbuild says about them.
func notePackages(metafile string, packages map[string]bool) error {
	tree, err := jsontree.Parse([]byte(metafile), jsontree.Options{})
	if err != nil {
		return err
	}
	for output := range tree.Root().Get("outputs").Members() {
		for input := range output.Value().Get("inputs").Members() {
			name := packageOf(input.Name())
			if name != "" {
				packages[name] = true
			}
		}
	}
	return nil
}

// packageOf is the name of the package that a file is from; empty for one of ours.
func packageOf(path string) string {
	rest, ok := strings.CutPrefix(path, "node_modules/")
	if !ok {
		return ""
	}
	parts := strings.SplitN(rest, "/", 3)
	if strings.HasPrefix(parts[0], "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// firstOf is the first of what esbuild has to say; a warning is an error, too.
func firstOf(result *api.BuildResult) error {
	list := slices.Concat(result.Errors, result.Warnings)
	switch {
	case len(list) == 0:
		return nil
	case list[0].Location == nil:
		return errors.New(list[0].Text)
	}
	return fmt.Errorf("%s:%d: %s", list[0].Location.File, list[0].Location.Line, list[0].Text)
}
