package sources

import (
	"net/url"
	"slices"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/translog"
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

// LogPolicy reads the policy of a log with these keys, and returns its text as well.
func LogPolicy(a *console.App, path string, keys *notary.Keys) (*translog.Policy, []byte, error) {
	policy, text, err := ReadPolicy(a, path)
	if err != nil {
		return nil, nil, err
	}
	if !slices.ContainsFunc(policy.Logs, func(l translog.PolicyLog) bool { return l.Key.String() == keys.Log.String() }) {
		return nil, nil, console.UsageError("begin with what avow log init printed, and add witnesses",
			"%s has no log line with the key of the log, %s", path, keys.Log.String())
	}
	for _, w := range policy.Witnesses {
		u, err := url.Parse(w.URL)
		if w.URL != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.RawQuery != "") {
			return nil, nil, console.UsageError("write it as https://witness.example.com/w",
				"%s: %q is not the URL of a witness", path, w.URL)
		}
	}
	return policy, text, nil
}

// ReadPolicy reads a file with a policy.
func ReadPolicy(a *console.App, name string) (*translog.Policy, []byte, error) {
	text, err := a.Read(name)
	if err != nil {
		return nil, nil, err
	}
	p, err := translog.ParsePolicy(text)
	if err != nil {
		return nil, nil, console.UsageError("it has the lines log, witness, group and quorum", "%s: %v", name, err)
	}
	return p, text, nil
}
