package history

import (
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
)

// historyFlags are the values of the command's flags.
type historyFlags struct {
	state  *sources.StoreFlags
	format *console.Choice
	at     string
	print  bool
	limit  int
	output string
}
