// Command release writes the packages of the checkout it is run in to a folder:
//
//	go -C packaging run ./release -to ../dist
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/avow-project/avow/packaging"
)

func main() {
	err := run()
	if err != nil {
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	to := flag.String("to", "../dist", "write to this `folder`, which is emptied first")
	source := flag.String("source", "..", "`folder` of the checkout")
	platforms := flag.String("platforms", strings.Join(packaging.Platforms, ","), "`platforms` to build for, with commas")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return packaging.Release(ctx, packaging.Options{
		Source: *source, To: *to, Platforms: strings.Split(*platforms, ","), Log: os.Stdout,
	})
}
