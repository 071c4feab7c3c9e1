package servicetest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/avow-project/avow/internal/cli"
	"github.com/avow-project/avow/internal/netguard"
	"github.com/avow-project/avow/internal/test/fakeweb"
	"github.com/avow-project/avow/internal/test/pgtest"
)

// webVariable names the file with the internet of a process. It makes this program avow.
const webVariable = "SERVICETEST_WEB"

// update makes the test of the client library write its table.
var update = flag.Bool("update", false, "write the table of the client's methods into the documentation")

func TestMain(m *testing.M) {
	name := os.Getenv(webVariable)
	if name != "" {
		limitSize()
		os.Exit(avow(name))
	}
	setting := os.Getenv(crowdVariable)
	if setting != "" {
		network, err := crowdNetwork(setting)
		if err != nil {
			fmt.Fprintln(os.Stderr, "servicetest:", err)
			os.Exit(100)
		}
		os.Exit(run(network))
	}
	os.Exit(pgtest.Main(m))
}

// run is the program in an internet.
func run(network netguard.Network) int {
	return cli.Run(context.Background(), cli.Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Network: network, Now: clockOf(),
	})
}

// avow is the program, in the internet that a file describes.
func avow(name string) int {
	archive, err := os.ReadFile(name)
	if err != nil {
		fmt.Fprintln(os.Stderr, "servicetest:", err)
		return 100
	}
	web, err := fakeweb.Start(archive)
	if err != nil {
		fmt.Fprintln(os.Stderr, "servicetest:", err)
		return 100
	}
	defer web.Close()
	return run(web.Network())
}
