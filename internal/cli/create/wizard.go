package create

import (
	"fmt"
	"slices"
	"strings"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/draft"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/hostname"
)

// wizard turns answers into a declaration. Whether an answer will do is
// decided by making the file with it and looking at what the check says about
// that place, so the wizard and the check cannot disagree.
type wizard struct {
	*console.Prompter
	opt   adagents.BuildOptions
	flags *contentFlags
	d     declaration
	read  func(string) ([]byte, error)
	// picky refuses answers that earn a warning.
	picky bool
}

func (w *wizard) ask() (*declaration, error) {
	fmt.Fprint(w.Out, "This makes an adagents.json file: what you publish and who may sell it.\n"+
		"Enter accepts the answer in brackets, Ctrl-C stops.\n\n")
	kind, err := w.Ask(console.Question{
		Text: "Keep the whole file on your domain, or only a pointer to one kept elsewhere?", ByDefault: "whole",
		Words: []string{"whole", "pointer"},
	})
	if err != nil {
		return nil, err
	}
	steps := []func() error{w.site, w.tags, w.www, w.more, w.contact, w.agents}
	if kind == "pointer" {
		steps = []func() error{w.location}
	}
	for _, step := range steps {
		err := step()
		if err != nil {
			return nil, err
		}
	}
	return &w.d, nil
}

// object returns what the check says about one place of a file: an error is
// returned, warnings are shown.
func (w *wizard) object(d *declaration, pointer string) error {
	request, err := console.EncodeJSON(d)
	if err != nil {
		return err
	}
	// The file is not complete yet, so that it is refused says nothing.
	built, _ := adagents.Build(request, w.opt)
	for i := range built.Report.Findings {
		f := &built.Report.Findings[i]
		if f.Pointer != pointer && !strings.HasPrefix(f.Pointer, pointer+"/") {
			continue
		}
		switch {
		case f.Severity == adagents.Error, f.Severity == adagents.Warning && w.picky:
			return console.UsageError(f.Hint, "%s", f.Message)
		case f.Severity == adagents.Warning:
			w.Remark("note: %s", f.Message)
		}
	}
	return nil
}

func (w *wizard) location() error {
	_, err := w.Ask(console.Question{
		Text: "URL of the authoritative file",
		Accept: func(answer string) error {
			d := w.d
			d.Location = answer
			err := w.object(&d, "/authoritative_location")
			if err == nil {
				w.d = d
			}
			return err
		},
	})
	return err
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func (w *wizard) site() error {
	domain := ""
	_, err := w.Ask(console.Question{
		Text: "Your domain", ByDefault: firstOf(w.flags.domains),
		Accept: func(answer string) error {
			canonical, _, err := hostname.Canonical(answer)
			if err != nil {
				return console.UsageError("write the bare domain, for example example.com", "the domain %v", err)
			}
			d := declaration{Properties: []declaredProperty{website(canonical, "")}}
			err = w.object(&d, "/properties/0")
			if err == nil && canonical != answer {
				w.Remark("taken as %s", canonical)
			}
			domain = canonical
			return err
		},
	})
	if err != nil {
		return err
	}
	name := w.flags.name
	if name == "" {
		name = domain
	}
	name, err = w.Ask(console.Question{Text: "Name of the site", ByDefault: name})
	w.d.Properties = []declaredProperty{website(domain, name)}
	return err
}

func splitList(answer string) []string {
	return strings.FieldsFunc(answer, func(r rune) bool { return r == ',' || r == ' ' || r == ';' })
}

func (w *wizard) tags() error {
	_, err := w.Ask(console.Question{
		Text: "Tags to group it under, separated by commas (empty for none)", Optional: true,
		Accept: func(answer string) error {
			p := w.d.Properties[0]
			p.Tags = splitList(strings.ToLower(answer))
			d := declaration{Properties: []declaredProperty{p}}
			err := w.object(&d, "/properties/0/tags")
			if err == nil {
				w.d.Properties[0] = p
			}
			return err
		},
	})
	if err != nil {
		return err
	}
	return w.meanings()
}

// www asks whether the other form of the domain is to be covered: to buyers it is another
// publisher.
func (w *wizard) www() error {
	first := w.d.Properties[0]
	other, ok := otherForm(first.Publisher)
	if !ok {
		return nil
	}
	both, err := w.Yes("Buyers take "+other+" for another publisher, with a file of its own. Cover both?", w.flags.www)
	if err == nil && both {
		twin := website(other, first.Name)
		twin.Tags = first.Tags
		w.d.Properties = append(w.d.Properties, twin)
	}
	return err
}

// meanings asks what the tags mean.
func (w *wizard) meanings() error {
	for _, tag := range w.d.Properties[0].Tags {
		text, err := w.Ask(console.Question{Text: "What the tag " + tag + " means", ByDefault: usualDescription(tag)})
		if err != nil {
			return err
		}
		w.d.describe(tag, text)
	}
	return nil
}

// identifierTypes are those that are usual for a type of property.
var identifierTypes = map[string][]string{
	"website":    {"domain", "subdomain"},
	"mobile_app": {"ios_bundle", "android_package", "apple_app_store_id", "google_play_id"},
	"ctv_app":    {"roku_store_id", "fire_tv_asin", "samsung_app_id", "apple_tv_bundle"}, "desktop_app": {"bundle_id"},
	"dooh":    {"venue_id", "screen_id", "network_id", "openooh_venue_type"},
	"podcast": {"rss_url", "apple_podcast_id", "spotify_collection_id", "podcast_guid"},
	"radio":   {"station_id", "facility_id"}, "linear_tv": {"station_id", "network_id"},
	"streaming_audio": {"network_id", "ios_bundle", "android_package"}, "ai_assistant": {"domain", "bundle_id"},
}

// more asks for further properties until there are none.
func (w *wizard) more() error {
	for {
		another, err := w.Yes("Another property, such as an app, a podcast or a screen?", false)
		if err != nil || !another {
			return err
		}
		err = w.property()
		if err != nil {
			return err
		}
	}
}

// property asks for one.
func (w *wizard) property() error {
	p := declaredProperty{Publisher: w.d.Properties[0].Publisher}
	var err error
	p.Type, err = w.Ask(console.Question{Text: "What it is", ByDefault: "mobile_app", Words: model.PropertyTypes})
	if err != nil {
		return err
	}
	kinds := identifierTypes[p.Type]
	kind, err := w.Ask(console.Question{Text: "What the market knows it by", ByDefault: kinds[0], Words: kinds})
	if err != nil {
		return err
	}
	_, err = w.Ask(console.Question{
		Text: "Its " + kind,
		Accept: func(answer string) error {
			p.Identifiers = []declaredIdentifier{{kind, answer}}
			p.ID = w.freeID(draft.PropertyID(answer))
			d := w.d
			d.Properties = append(slices.Clone(d.Properties), p)
			picky := *w
			picky.picky = true
			return picky.object(&d, fmt.Sprintf("/properties/%d/identifiers", len(d.Properties)-1))
		},
	})
	if err != nil {
		return err
	}
	p.Name, err = w.Ask(console.Question{Text: "Its name", ByDefault: p.Identifiers[0].Value})
	p.complete()
	w.d.Properties = append(w.d.Properties, p)
	return err
}

// freeID returns an id that no property has yet.
func (w *wizard) freeID(id string) string {
	free := id
	for n := 2; slices.Contains(w.d.propertyIDs(), free); n++ {
		free = fmt.Sprintf("%s_%d", id, n)
	}
	return free
}

// keys asks for the public keys of an agent.
func (w *wizard) keys(a *declaredAgent) error {
	_, err := w.Ask(console.Question{
		Text:      "File with the agent's public keys to pin; avow pin URL shows them (empty for none)",
		ByDefault: w.flags.signingKeys, Optional: true,
		Accept: func(answer string) error {
			a.SigningKeys = nil
			if answer == "" {
				return nil
			}
			keys, err := readKeys(answer, w.read)
			if err != nil {
				return err
			}
			a.SigningKeys = keys
			return w.tryAgent(*a, "signing_keys")
		},
	})
	return err
}

func (w *wizard) contact() error {
	name := w.flags.contactName
	if name == "" {
		name = w.d.Properties[0].Name
	}
	name, err := w.Ask(console.Question{Text: "Who manages the file", ByDefault: name})
	if err != nil {
		return err
	}
	w.d.Contact = &declaredContact{Name: name}
	_, err = w.Ask(console.Question{
		Text: "Email address for questions (empty for none)", ByDefault: w.flags.contactEmail, Optional: true,
		Accept: func(answer string) error {
			strict := *w
			strict.opt.Check.Profile = adagents.Strict
			d := declaration{Contact: &declaredContact{Name: name, Email: answer}}
			err := strict.object(&d, "/contact/email")
			if err == nil {
				w.d.Contact = d.Contact
			}
			return err
		},
	})
	return err
}

// agents asks for agents until there are no more.
func (w *wizard) agents() error {
	w.d.addAgent()
	for {
		url, err := w.agentURL()
		if err != nil {
			return err
		}
		if url == "" {
			w.Remark("no agent: the file lists what exists and asserts no sales authorization")
			return nil
		}
		err = w.agent(url)
		if err != nil {
			return err
		}
		more, err := w.Yes("Another agent?", false)
		if err != nil || !more {
			return err
		}
	}
}

func (w *wizard) agentURL() (string, error) {
	q := console.Question{Text: "URL of the agent that may sell (empty for none)", Optional: true}
	if len(*w.d.Agents) == 0 {
		q.ByDefault = firstOf(w.flags.agents)
	} else {
		q.Text, q.Optional = "URL of the next agent", false
	}
	q.Accept = func(answer string) error { return w.tryAgent(declaredAgent{URL: answer}, "url") }
	return w.Ask(q)
}

// tryAgent checks one member of an agent that is being described.
func (w *wizard) tryAgent(a declaredAgent, member string) error {
	d := w.d
	d.addAgent(a)
	return w.object(&d, fmt.Sprintf("/authorized_agents/%d/%s", len(*d.Agents)-1, member))
}

func (w *wizard) agent(url string) error {
	a := declaredAgent{URL: url, PropertyIDs: w.d.propertyIDs()}
	text := w.flags.authorizedFor
	if text == "" {
		text = "All advertising inventory of " + w.d.Properties[0].Name
	}
	_, err := w.Ask(console.Question{
		Text: "What it may sell, in words", ByDefault: text,
		Accept: func(answer string) error {
			a.AuthorizedFor = answer
			return w.tryAgent(a, "authorized_for")
		},
	})
	if err != nil {
		return err
	}
	a.Delegation, err = w.Ask(console.Question{
		Text: "Is it a direct way to buy from you, does it sell on your behalf, or is it a network", ByDefault: "direct",
		Words: model.DelegationTypes,
	})
	if err != nil {
		return err
	}
	err = w.scope(&a)
	if err == nil {
		err = w.keys(&a)
	}
	if err != nil {
		return err
	}
	w.d.addAgent(a)
	return nil
}

// scope asks what narrows an agent's authorization.
func (w *wizard) scope(a *declaredAgent) error {
	if len(w.d.Properties[0].Tags) > 0 {
		by, err := w.Ask(console.Question{
			Text: "May it sell all that is listed, or what carries the tags", ByDefault: "all", Words: []string{"all", "tags"},
		})
		if err != nil {
			return err
		}
		if by == "tags" {
			a.PropertyIDs, a.PropertyTags = nil, w.d.Properties[0].Tags
		}
	}
	_, err := w.Ask(console.Question{
		Text:      "Countries it may sell in, as codes such as DE,AT (empty for all)",
		ByDefault: strings.Join(w.flags.countries, ","), Optional: true,
		Accept: func(answer string) error {
			a.Countries = splitList(strings.ToUpper(answer))
			return w.tryAgent(*a, "countries")
		},
	})
	return err
}
