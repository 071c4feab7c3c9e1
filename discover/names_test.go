package discover

import "testing"

func TestNames(t *testing.T) {
	t.Parallel()
	for want, x := range map[string]interface{ MarshalText() ([]byte, error) }{
		"unchanged": Unchanged, "ads_txt_managerdomain": ManagerDomain, "superseding": Superseding,
		"reachable_with_credentials": AgentNeedsCredentials, "credentials_required": Challenged,
	} {
		got, err := x.MarshalText()
		if err != nil || string(got) != want {
			t.Errorf("%s, %v", got, err)
		}
	}
}
