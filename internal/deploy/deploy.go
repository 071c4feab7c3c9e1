// Package deploy says how an adagents.json file, or the pointer to one, is put on a web server
// or a hosting service: what to write where, and how to see that it worked. It knows hosts and
// nothing about what is in the file.
package deploy

import (
	"slices"
	"strings"
)

const (
	// Path is where the file is served on every domain.
	Path = "/.well-known/adagents.json"
	// FileName is the last part of Path.
	FileName = "adagents.json"
	// ListName is the file that lists the domains, when there are many.
	ListName = "publishers.txt"

	mediaType = "application/json"
	// caching keeps caches from serving a withdrawn authorization for long, and buyers from
	// asking for each question.
	caching = "public, max-age=3600"
	// few is the largest number of domains that are written out in commands.
	few = 5
)

// A Site is what is deployed.
type Site struct {
	// Content is the file as it is served.
	Content []byte
	// Domains are those it is served for, in canonical form. There is at least one.
	Domains []string
}

// A Kind says what the text of a step is.
type Kind uint8

// The kinds.
const (
	// Advice has no text.
	Advice Kind = iota
	// Whole is a file from the first byte to the last.
	Whole
	// Part goes into a file that is there already, or shows where something goes.
	Part
	// Shell is something to run.
	Shell
)

// A Step is one thing to do.
type Step struct {
	Kind Kind
	// Do says what to do, in a sentence without a final period.
	Do string
	// Path is the name of the file, of a step that has one.
	Path string
	// Text is the content of the file, the part of it, or the commands.
	Text string
}

// A Host is a kind of web server, or a hosting service.
type Host struct {
	// Name is the word for it in commands, Title its name.
	Name, Title string
	steps       func(Site) []Step
}

// Hosts returns all hosts. The first is for any other one.
func Hosts() []Host {
	return []Host{
		{"any", "Any web server", anyHost},
		{"nginx", "nginx", nginx},
		{"apache", "Apache", apache},
		{"caddy", "Caddy", caddy},
		{"cloudflare", "Cloudflare", cloudflare},
		{"s3", "Amazon S3", s3},
		{"netlify", "Netlify", netlify},
		{"vercel", "Vercel", vercel},
		{"wordpress", "WordPress", wordpress},
	}
}

// Names returns the names of all hosts.
func Names() []string {
	var names []string
	for _, h := range Hosts() {
		names = append(names, h.Name)
	}
	return names
}

// Lookup returns the host of a name.
func Lookup(name string) (Host, bool) {
	list := Hosts()
	i := slices.IndexFunc(list, func(h Host) bool { return h.Name == name })
	if i < 0 {
		return Host{}, false
	}
	return list[i], true
}

// Steps returns what to do on the host so that the file is served on each of the domains, and
// how to see that it is.
func (h Host) Steps(s Site) []Step {
	var steps []Step
	if len(s.Domains) > few {
		steps = append(steps, Step{Whole, "keep the list of the domains for the commands below", ListName,
			strings.Join(s.Domains, "\n") + "\n"})
	}
	steps = append(steps, h.steps(s)...)
	return append(steps,
		Step{Kind: Advice,
			Do: "let programs have it: no login, no bot filter, no consent page and no redirect to another site in front of " +
				Path},
		Step{Shell, "see whether buyers get this file", "", "avow validate --expect " + FileName + " " + s.targets() + "\n"})
}

// targets are the domains as arguments of avow.
func (s Site) targets() string {
	if len(s.Domains) > few {
		return "--from " + ListName
	}
	return strings.Join(s.Domains, " ")
}

// file is the step that stores the file.
func (s Site) file(do, path string) Step { return Step{Whole, do, path, string(s.Content)} }

// named returns the domains in a list, the first ones of many.
func (s Site) named(separator string) string {
	return strings.Join(s.Domains[:min(len(s.Domains), few)], separator)
}

// each returns a line of a shell script for each domain, or a loop over the list of them.
func (s Site) each(line func(domain string) string) string {
	if len(s.Domains) > few {
		return "while read -r domain; do\n  " + line("$domain") + "\ndone < " + ListName + "\n"
	}
	text := ""
	for _, domain := range s.Domains {
		text += line(domain) + "\n"
	}
	return text
}
