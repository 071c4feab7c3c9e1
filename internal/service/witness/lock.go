package witness

import (
	"fmt"
	"io"
)

// Lock takes a state for this process alone: two that do not know of each other would sign two
// histories. It is free again when it is closed, or the process ends in whatever way.
func Lock(state string) (io.Closer, error) {
	f, err := lock(state + ".lock")
	if err != nil {
		return nil, fmt.Errorf("another process uses %s, or it cannot be locked: %w", state, err)
	}
	return f, nil
}
