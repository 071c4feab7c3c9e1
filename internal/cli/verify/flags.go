package verify

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/std/rfc3339"
	"github.com/avow-project/avow/keypin"
)

// verifyFlags are the values of the command's flags.
type verifyFlags struct {
	sources.Flags
	publisher, agent, request string
	scheme, authority, at     string
	agentKeys                 string
	profile, digest, format   *console.Choice
	answer                    answerFlags
}

// question checks the flags and makes the question.
func (f *verifyFlags) question(cmd *cobra.Command, args []string) (keypin.Question, error) {
	q := keypin.Question{Publisher: f.publisher, Agent: f.agent, Profile: verifyProfile(f)}
	stdin := len(args) == 0 || args[0] == "-"
	example := cmd.CommandPath() + " --publisher example.com --agent https://agent.example/mcp message.http"
	switch {
	case len(args) > 1:
		return q, console.UsageError("check one after the other", "%s takes one message, got %d", cmd.CommandPath(),
			len(args))
	case f.publisher == "":
		return q, console.UsageError("name the publisher's domain: "+example, "%s needs --publisher", cmd.CommandPath())
	case f.agent == "":
		return q, console.UsageError("name the agent's endpoint: "+example, "%s needs --agent", cmd.CommandPath())
	case cmd.Flags().Changed("digest") && f.profile.Value != "request-3.1":
		return q, console.UsageError("use --profile request-3.1", "--digest is for requests of the versions 3.0 and 3.1")
	case f.agentKeys != "" && !f.needsKeySet():
		return q, console.UsageError("use --profile request-3.3 or --profile webhook-3.3",
			"--agent-keys is for the profiles of AdCP 3.3")
	case strings.Contains(f.agentKeys, "://") && !strings.HasPrefix(f.agentKeys, "https://"):
		return q, console.UsageError("give an https URL or a file", "--agent-keys: a key set is served over https")
	case f.agentKeys == "-":
		return q, console.UsageError("put the key set into a file", "--agent-keys takes a file or an https URL")
	case f.request != "" && f.profile.Value != "response" && f.profile.Value != signedResponse:
		return q, console.UsageError("use --profile response or --profile signed-response", "--request is for responses")
	case f.File == "-" && (stdin || f.request == "-"), f.request == "-" && stdin:
		return q, console.UsageError("put one of them into a file", "standard input cannot be two things at once")
	}
	err := f.answer.check(f.profile.Value)
	if err != nil || f.at == "" {
		return q, err
	}
	at, err := rfc3339.Parse(f.at)
	if err != nil {
		return q, console.UsageError("write it as 2026-01-02T00:00:00Z", "--at: %v", err)
	}
	q.At = at
	return q, nil
}

// needsKeySet reports whether the profile looks at the keys that the agent publishes.
func (f *verifyFlags) needsKeySet() bool { return strings.HasSuffix(f.profile.Value, "-3.3") }

func verifyProfile(f *verifyFlags) *keypin.Profile {
	switch {
	case f.profile.Value == "request-3.1":
		policies := map[string]keypin.DigestPolicy{"required": keypin.DigestRequired, "either": keypin.DigestEither,
			"forbidden": keypin.DigestForbidden}
		return keypin.Requests31(policies[f.digest.Value])
	case f.profile.Value == "request-3.3":
		return keypin.Requests33()
	case f.profile.Value == "webhook":
		return keypin.Webhooks()
	case f.profile.Value == "webhook-3.3":
		return keypin.Webhooks33()
	case f.profile.Value == "response" && f.request != "":
		return keypin.Responses()
	case f.profile.Value == "response":
		return keypin.UnsafeUnboundResponses()
	}
	return keypin.Requests()
}

// addPinFlags adds the flags that say where the publisher's file comes from.
func (f *verifyFlags) addPinFlags(cmd *cobra.Command) {
	f.Web = request.AddFlags(cmd)
	f.Web.AddFollowFlag(cmd)
	cmd.Flags().StringVar(&f.File, "file", "", "take the publisher's file from `PATH` instead of the web")
	cmd.Flags().BoolVar(&f.NoState, "no-state", false, "ask the web alone: nothing is kept, and what was kept is ignored")
	f.State = sources.AddStoreFlags(cmd)
}

// signedResponse is the name of the profile of signed answers.
const signedResponse = "signed-response"

// answerFlags are the flags for signed answers, and for lists of revoked keys.
type answerFlags struct {
	task, brand                       string
	callers                           []string
	revocations, issuer, issuerKeySet string
}

func (f *answerFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.task, "task", "", "`TASK` that a signed response answers: "+strings.Join(keypin.SignedTasks(),
		" or "))
	flags.StringVar(&f.brand, "brand", "", "`DOMAIN` of the brand that a signed response should be about")
	flags.StringArrayVar(&f.callers, "caller", nil,
		"`IDENTITY` under which the request was made: signed-agent-url:URL, api-client-id:ID, mtls-san:NAME or none; can "+
			"be repeated")
	flags.StringVar(&f.revocations, "revocations", "", "`FILE` or https URL of the operator's signed list of revoked keys")
	flags.StringVar(&f.issuer, "revocation-issuer", "",
		"`ORIGIN` that the list speaks for, for example https://agent.example")
	flags.StringVar(&f.issuerKeySet, "revocation-keys", "", "`FILE` with the key set that the list may be signed with")
}

// check refuses flags that do not fit together.
func (f *answerFlags) check(profile string) error {
	given := f.task != "" || f.brand != "" || f.callers != nil
	lists := f.revocations != "" || f.issuer != "" || f.issuerKeySet != ""
	switch {
	case given && profile != signedResponse:
		return console.UsageError("use --profile "+signedResponse, "--task, --brand and --caller are for signed responses")
	case profile == signedResponse && (f.task == "" || f.brand == ""):
		return console.UsageError("name both, for example --task verify_brand_claim --brand brand.example",
			"a signed response needs --task and --brand")
	case lists && (f.revocations == "" || f.issuer == "" || f.issuerKeySet == ""):
		return console.UsageError("name the list, the origin that it speaks for, and the keys that it may be signed with",
			"--revocations, --revocation-issuer and --revocation-keys belong together")
	}
	return nil
}
