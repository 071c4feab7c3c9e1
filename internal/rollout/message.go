package rollout

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/template"
	"time"

	"github.com/avow-project/avow/discover"
)

// requests say to a publisher what is wrong, by the code of its row and else by its state.
var requests = map[string]string{
	"network.other_spelling": "The pointer that you serve spells the address of our file in another way than we do, " +
		"and some buyers may not recognise it.",
	"network.other_address": "The pointer that you serve leads to an address of our file that we do not keep up to " +
		"date.",
	"network.superseded": "The pointer that you serve leads to an old address of our file.",
	"network.manager_line": "Buyers find our file by a line in your ads.txt, which is the fallback for sites " +
		"without an adagents.json.",
	"network.redirect": "Your site answers the request for adagents.json with a redirect, which some buyers do " +
		"not follow.",
	"network.copy":     "You serve a copy of our adagents.json, which does not change when ours does.",
	"network.old_copy": "You serve an old copy of our adagents.json, and buyers act on it.",
	"network.elsewhere": "Buyers who ask your site for adagents.json are led to another publisher's file. If you " +
		"have left our network, tell us, and we take you out of our file.",
	"network.claimed": "Buyers who ask your site for adagents.json are led to the file of another network. If " +
		"you have left ours, tell us, and we take you out of our file.",
	"network.own_file_differs": "The adagents.json on your site does not list all of our sales agents, so buyers do not " +
		"buy from you through them.",
	"network.revoked_pointing": "Your site still points to our adagents.json, which revokes your site, so no agent may " +
		"sell your inventory. Please remove the pointer and serve a file of your own. If this is a mistake, tell us.",
	"network.orphan": "Your site points to our adagents.json, which does not name it, so no agent may sell " +
		"your inventory. Tell us whether you want to join, or else remove the pointer.",
	string(ServedWrong): "Buyers cannot use the adagents.json your site serves.",
	string(Absent):      "Your site has no adagents.json, so buyers cannot tell who may sell your inventory.",
	string(
		Unresolvable): "The domain has no address in the DNS, so buyers find no adagents.json. Tell us if you use another " +
		"domain now.",
	string(
		Unreachable): "Your site does not answer the request for adagents.json. A firewall or a bot filter may be in the way.",
}

// withoutPointer are the codes and states in which a pointer is not what to ask for.
var withoutPointer = map[string]bool{"network.revoked_pointing": true, "network.orphan": true,
	string(Unresolvable): true}

// A Letter is the form of messages to publishers. The zero value has our own words.
type Letter struct {
	form   *template.Template
	sender string
}

// letterText is what publishers are written unless there is another template.
const letterText = `Subject: adagents.json of {{.Publisher}}

Hello,

{{.Problem}}
{{if .Found}}What we found: {{.Found}}.
{{end}}{{if .Pointer}}
Please serve this at {{.PointerURL}}, as application/json, with status 200 and without a redirect:

{{.Pointer}}{{end}}{{if .Sender}}
Kind regards,
{{.Sender}}
{{end}}`

var ourLetter = template.Must(template.New("message").Parse(letterText))

// message is what a template is filled with.
type message struct {
	Publisher, Problem, Found string
	// Pointer is the file to be served at PointerURL; empty where that is not what to ask for.
	Pointer, PointerURL string
	// File is the URL of the network's file.
	File, Sender string
}

// NewLetter reads a template; an empty one stands for our own words. It must do for any message.
func NewLetter(text, sender string) (Letter, error) {
	letter := Letter{ourLetter, sender}
	if text == "" {
		return letter, nil
	}
	var err error
	letter.form, err = template.New("message").Parse(text)
	if err == nil {
		err = letter.form.Execute(io.Discard, &message{})
	}
	return letter, err
}

// Message returns what to write to a publisher; nothing when it need not do anything. One that the
// file does not name is asked for something only if it leads to the file.
func (s *Summary) Message(r *Row) string {
	if !r.named && r.State != Orphan && r.State != RevokedPointing {
		return ""
	}
	key := r.Code
	if requests[key] == "" {
		key = string(r.State)
	}
	if requests[key] == "" {
		return ""
	}
	m := message{Publisher: string(r.Publisher), Problem: requests[key], File: s.Network.URL, Sender: s.Letter.sender}
	if r.State != Absent {
		m.Found = r.Detail
	}
	if s.Network.URL != "" && !withoutPointer[key] {
		m.Pointer, m.PointerURL = s.Network.Pointer(s.Now), discover.WellKnownURL(m.Publisher)
	}
	var b strings.Builder
	err := cmp.Or(s.Letter.form, ourLetter).Execute(&b, &m)
	if err != nil {
		return "" // it has been executed before
	}
	return b.String()
}

// Pointer returns the pointer file that leads to the file of the network. The URL is one that
// was asked for, so it is in canonical form and needs no escaping in JSON.
func (n *Network) Pointer(now time.Time) string {
	return fmt.Sprintf("{\n  \"authoritative_location\": \"%s\",\n  \"last_updated\": \"%s\"\n}\n", n.URL,
		now.UTC().Format(time.RFC3339))
}
