package rollout

import (
	"fmt"
	"time"

	"github.com/avow-project/avow/discover"
)

// requests say to a publisher what is wrong, by the code of its row and else by its state.
var requests = map[string]string{
	"network.other_spelling":   "The pointer that you serve spells the address of our file in another way than we do, and some buyers may not recognise it.",
	"network.other_address":    "The pointer that you serve leads to an address of our file that we do not keep up to date.",
	"network.superseded":       "The pointer that you serve leads to an old address of our file.",
	"network.manager_line":     "Buyers find our file by a line in your ads.txt, which is the fallback for sites without an adagents.json.",
	"network.redirect":         "Your site answers the request for adagents.json with a redirect, which some buyers do not follow.",
	"network.copy":             "You serve a copy of our adagents.json, which does not change when ours does.",
	"network.old_copy":         "You serve an old copy of our adagents.json, and buyers act on it.",
	"network.elsewhere":        "Buyers who ask your site for adagents.json are led to the file of somebody else. If you have left our network, tell us, and we take you out of our file.",
	"network.claimed":          "Buyers who ask your site for adagents.json are led to the file of another network. If you have left ours, tell us, and we take you out of our file.",
	"network.own_file_differs": "The adagents.json on your site does not list all of our sales agents, so that buyers do not buy from you through them.",
	"network.revoked_pointing": "Your site still points to our adagents.json, in which it is revoked: nobody may sell your inventory. Please remove the pointer and serve a file of your own. If this is a mistake, tell us.",
	"network.orphan":           "Your site points to our adagents.json, which does not name it: nobody may sell your inventory. Tell us whether you want to join, or else remove the pointer.",
	string(ServedWrong):        "What your site answers to the request for adagents.json cannot be used by buyers.",
	string(Absent):             "Your site has no adagents.json, so that buyers cannot tell who may sell your inventory.",
	string(Unresolvable):       "The domain has no address in the DNS, so that buyers find no adagents.json. Tell us if you use another domain now.",
	string(Unreachable):        "Your site does not answer the request for adagents.json. A firewall or a bot filter may be in the way.",
}

// withoutPointer are the codes and states in which a pointer is not what to ask for.
var withoutPointer = map[string]bool{"network.revoked_pointing": true, "network.orphan": true, string(Unresolvable): true}

// Message returns what to write to a publisher; nothing when it need not do anything. One that the
// file does not name is asked for something only if it leads to the file.
func (n *Network) Message(r *Row, now time.Time) string {
	if !r.named && r.State != Orphan && r.State != RevokedPointing {
		return ""
	}
	key := r.Code
	if requests[key] == "" {
		key = string(r.State)
	}
	request := requests[key]
	if request == "" {
		return ""
	}
	text := fmt.Sprintf("Subject: adagents.json of %s\n\nHello,\n\n%s\n", r.Publisher, request)
	if r.Detail != "" && r.State != Absent {
		text += "What we found: " + r.Detail + ".\n"
	}
	if n.URL == "" || withoutPointer[key] {
		return text
	}
	return text + fmt.Sprintf("\nPlease serve this at %s, as application/json, with status 200 and without a redirect:\n\n%s", discover.WellKnownURL(string(r.Publisher)), n.Pointer(now))
}

// Pointer returns the pointer file that leads to the file of the network. The URL is one that
// was asked for, so it is in canonical form and needs no escaping in JSON.
func (n *Network) Pointer(now time.Time) string {
	return fmt.Sprintf("{\n  \"authoritative_location\": \"%s\",\n  \"last_updated\": \"%s\"\n}\n", n.URL, now.UTC().Format(time.RFC3339))
}
