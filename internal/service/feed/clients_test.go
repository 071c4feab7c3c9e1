package feed_test

import "strings"

// An event as clients read it.
type event struct {
	EventID    string         `json:"event_id"`
	EventType  string         `json:"event_type"`
	EntityType string         `json:"entity_type"`
	EntityID   string         `json:"entity_id"`
	Payload    map[string]any `json:"payload"`
	CreatedAt  string         `json:"created_at"`
}

func (e *event) text(name string) string {
	s, _ := e.Payload[name].(string)
	return s
}

func (e *event) list(name string) string {
	var out []string
	list, _ := e.Payload[name].([]any)
	for _, v := range list {
		s, _ := v.(string)
		out = append(out, s)
	}
	return strings.Join(out, ",")
}

func (e *event) pair() string { return e.text("agent_url") + "|" + e.text("publisher_domain") }

func (e *event) scope() string {
	return strings.Trim(e.list("property_ids")+","+e.list("property_tags"), ",")
}

// A client applies events by the rules of one that is in use, and has what it believes: scopes
// by agent, publisher and type.
type client struct {
	name  string
	apply func(has map[string]string, ids map[string]string, e *event)
	has   map[string]string
	ids   map[string]string
}

func (c *client) read(events []event) {
	for i := range events {
		c.apply(c.has, c.ids, &events[i])
	}
}

func dropPair(has map[string]string, pair, kind string) {
	for key := range has {
		if strings.HasPrefix(key, pair+"|") && (kind == "" || key == pair+"|"+kind) {
			delete(has, key)
		}
	}
}

// clients are new ones of every kind.
func clients() []*client {
	rules := map[string]func(has, ids map[string]string, e *event){
		// The first version of the client library ignores a row that it has.
		"ts-6": func(has, _ map[string]string, e *event) {
			kind := e.text("authorization_type")
			key := e.pair() + "|" + kind
			switch e.EventType {
			case "authorization.granted":
				if _, known := has[key]; !known && kind != "" {
					has[key] = e.scope()
				}
			case "authorization.revoked":
				dropPair(has, e.pair(), kind)
			}
		},
		// A later one goes by the id, and drops what has a null.
		"ts-14": func(has, ids map[string]string, e *event) {
			key := e.pair() + "|" + e.text("authorization_type")
			for _, name := range []string{"id", "authorization_type", "property_ids", "property_tags", "placement_ids", "placement_tags", "countries", "effective_from", "effective_until"} {
				if v, there := e.Payload[name]; there && v == nil {
					return
				}
			}
			switch e.EventType {
			case "authorization.granted", "authorization.modified":
				if e.text("authorization_type") != "" {
					has[key], ids[e.text("id")] = e.scope(), key
				}
			case "authorization.revoked":
				if known, ok := ids[e.text("id")]; ok {
					delete(has, known)
					return
				}
				dropPair(has, e.pair(), e.text("authorization_type"))
			case "agent.removed":
				for key := range has {
					if strings.HasPrefix(key, e.EntityID+"|") {
						delete(has, key)
					}
				}
			}
		},
		// The syncer in Go replaces rows of the same type, and revokes all types at once.
		"go": func(has, _ map[string]string, e *event) {
			switch e.EventType {
			case "authorization.granted":
				if e.text("agent_url") != "" && e.text("publisher_domain") != "" {
					has[e.pair()+"|"+e.text("authorization_type")] = e.scope()
				}
			case "authorization.revoked":
				dropPair(has, e.pair(), "")
			case "agent.removed":
				for key := range has {
					if strings.HasPrefix(key, e.EntityID+"|") {
						delete(has, key)
					}
				}
			}
		},
	}
	var out []*client
	for name, apply := range rules {
		out = append(out, &client{name, apply, map[string]string{}, map[string]string{}})
	}
	return out
}
