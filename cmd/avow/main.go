// Command avow reads, checks, formats and creates adagents.json, the file in
// which a publisher declares its inventory and who may sell it.
package main

import (
	"os"

	"github.com/avow-project/avow/internal/cli"
)

func main() {
	os.Exit(cli.Main())
}
