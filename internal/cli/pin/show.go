package pin

import (
	"fmt"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/jsontree"
	"github.com/avow-project/avow/internal/std/words"
)

// publicKey is a key as it is pinned: the public members that readers of pins know.
type publicKey struct {
	Kid     string   `json:"kid"`
	Kty     string   `json:"kty"`
	Alg     string   `json:"alg,omitempty"`
	Use     string   `json:"use,omitempty"`
	KeyOps  []string `json:"key_ops,omitempty"`
	Crv     string   `json:"crv"`
	X       string   `json:"x"`
	Y       string   `json:"y,omitempty"`
	AdcpUse string   `json:"adcp_use,omitempty"`
}

func publicOf(k *discover.AgentKey) publicKey {
	return publicKey{k.Kid, k.Kty, k.Alg, k.Use, k.KeyOps, k.Crv, k.X, k.Y, k.AdcpUse}
}

// document is the output as JSON. Its members are a contract.
type document struct {
	Agent string        `json:"agent"`
	URL   string        `json:"url"`
	Keys  []keyDocument `json:"keys"`
	// SigningKeys is the member to pin.
	SigningKeys []publicKey `json:"signing_keys"`
}

type keyDocument struct {
	Kid        string `json:"kid"`
	Kty        string `json:"kty"`
	Crv        string `json:"crv,omitempty"`
	Thumbprint string `json:"thumbprint"`
	Pinned     bool   `json:"pinned"`
	// Fault says why a key cannot be pinned.
	Fault string `json:"fault,omitempty"`
}

// show prints the keys.
func show(a *console.App, f *flags, agent string, set *discover.KeySet, chosen []discover.AgentKey) error {
	if f.format.Value == "json" {
		return console.WriteJSONPretty(a.Out, documentOf(agent, set, chosen))
	}
	writeKeys(a, agent, set, chosen)
	if len(chosen) == 0 {
		return errNone()
	}
	member, err := formatted(publicKeys(chosen))
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out,
		"\nto pin them, add this to the agent's entry in authorized_agents, or use -w FILE:\n\n\"signing_keys\": %s\n",
		member)
	return nil
}

// writeKeys lists the keys with their fingerprints.
func writeKeys(a *console.App, agent string, set *discover.KeySet, chosen []discover.AgentKey) {
	paint := a.Style(console.Stdout)
	fmt.Fprintf(a.Out, "%s publishes %s at %s\n\n", console.Safe(redact.URL(agent)),
		words.Plural(len(set.Keys), "key", "keys"), console.Safe(redact.URL(set.URL)))
	for i := range set.Keys {
		k := &set.Keys[i]
		fmt.Fprintf(a.Out, "  %s  %s\n", paint.Bold(console.Safe(k.Kid)), console.Safe(strings.TrimSpace(k.Kty+" "+k.Crv)))
		switch {
		case k.Fault != "":
			fmt.Fprintf(a.Out, "    %s\n", paint.Red("cannot be pinned: "+console.Safe(k.Fault)))
		case !isAmong(chosen, k):
			fmt.Fprintf(a.Out, "    fingerprint %s, not chosen\n", k.Thumbprint)
		default:
			fmt.Fprintf(a.Out, "    fingerprint %s\n", paint.Bold(k.Thumbprint))
		}
	}
	if len(chosen) > 0 {
		fmt.Fprintf(a.Out, "\ncompare the fingerprints with what the operator tells you by another channel\n")
	}
}

func documentOf(agent string, set *discover.KeySet, chosen []discover.AgentKey) document {
	doc := document{Agent: redact.URL(agent), URL: redact.URL(set.URL), Keys: []keyDocument{},
		SigningKeys: publicKeys(chosen)}
	for i := range set.Keys {
		k := &set.Keys[i]
		doc.Keys = append(doc.Keys, keyDocument{k.Kid, k.Kty, k.Crv, k.Thumbprint, isAmong(chosen, k), k.Fault})
	}
	return doc
}

func isAmong(chosen []discover.AgentKey, k *discover.AgentKey) bool {
	for i := range chosen {
		if chosen[i].Kid == k.Kid && chosen[i].Thumbprint == k.Thumbprint {
			return true
		}
	}
	return false
}

// publicKeys are keys as they are pinned.
func publicKeys(chosen []discover.AgentKey) []publicKey {
	keys := make([]publicKey, len(chosen))
	for i := range chosen {
		keys[i] = publicOf(&chosen[i])
	}
	return keys
}

// formatted is a value in canonical form.
func formatted(v any) (string, error) {
	text, err := console.EncodeJSON(v)
	if err != nil {
		return "", err
	}
	tree, err := jsontree.Parse(text, jsontree.Options{})
	if err != nil {
		return "", err
	}
	return string(adagents.FormatValue(tree.Root())), nil
}
