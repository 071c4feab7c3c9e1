// Command site writes the guide as a site of files that needs no service, from the documents in
// the folder docs:
//
//	go run ./internal/gen/site -docs docs -to bin/docs
//
// It fails when a link leads nowhere.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/avow-project/avow/internal/service/web"
)

func main() {
	docs := flag.String("docs", "docs", "the `folder` of the documents")
	to := flag.String("to", "bin/docs", "write to this `folder`")
	flag.Parse()
	n, err := write(*docs, *to)
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Printf("site: wrote %d files; open %s\n", n, filepath.Join(*to, "index.html"))
}

// write makes the site and returns how many files it has.
func write(docs, to string) (int, error) {
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(docs, "..", filepath.FromSlash(name)))
		return err == nil
	}
	files, err := web.StaticGuide(os.DirFS(docs), exists)
	if err != nil {
		return 0, err
	}
	err = os.MkdirAll(to, 0o755)
	if err != nil {
		return 0, err
	}
	for name, content := range files {
		err := os.WriteFile(filepath.Join(to, name), content, 0o644)
		if err != nil {
			return 0, err
		}
	}
	return len(files), nil
}
