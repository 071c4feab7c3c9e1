package sources

import (
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/service/notary"
)

// maxKeys is more than a file with the keys of a log has.
const maxKeys = 4096

// ReadLogKeys reads the file with the keys of a transparency log. One that is missing is an
// error and never made: the log would be another one.
func ReadLogKeys(path string) (*notary.Keys, error) {
	text, err := console.ReadFile(path, maxKeys)
	if err != nil {
		return nil, err
	}
	keys, err := notary.ParseKeys(text)
	if err != nil {
		return nil, console.Failure("give the file that avow log init made", "%s: %v", path, err)
	}
	return keys, nil
}
