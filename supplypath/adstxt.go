package supplypath

import (
	"slices"

	"github.com/avow-project/avow/internal/adstxt"
)

// The files in which a host names its partners.
const (
	adsTxt    = "ads.txt"
	appAdsTxt = "app-ads.txt"
)

// AdsTxt says in which of a host's files an owner has to stand.
type AdsTxt struct {
	// Files are the names of the files that apply.
	Files []string
	// All means that the owner has to stand in every one of them. Else it is enough to stand in one
	// that could be read.
	All bool
}

// AdsTxtOf returns which files are needed to answer an Input, whose own AdsTxt is not looked at. Without a
// collection these are the files of all collections, of which each then goes by its own.
func AdsTxtOf(in *Input) AdsTxt {
	e := read(in)
	if in.Collection != "" {
		return e.adsTxtOf(in.Collection)
	}
	var all []string
	for _, id := range e.collectionIDs() {
		all = append(all, e.adsTxtOf(id).Files...)
	}
	slices.Sort(all)
	return AdsTxt{Files: slices.Compact(all)}
}

func (e *evaluation) adsTxtOf(id string) AdsTxt {
	p := &path{evaluation: e, id: id}
	p.legs.Collection = p.judgeCollection()
	p.legs.Carriage = p.judgeCarriage()
	return p.adsTxt()
}

// adsTxt returns the files for the properties that carry the collection.
func (p *path) adsTxt() AdsTxt {
	var files []string
	known := false
	for _, id := range p.claimed {
		for _, property := range p.withID(id) {
			known = true
			switch property.Get("property_type").Str() {
			case "website":
				files = append(files, adsTxt)
			case "mobile_app", "ctv_app":
				files = append(files, appAdsTxt)
			}
		}
	}
	if !known {
		return AdsTxt{Files: []string{appAdsTxt, adsTxt}}
	}
	slices.Sort(files)
	return AdsTxt{Files: slices.Compact(files), All: true}
}

// Partners returns the inventory partners that the files name, and false if what could be read is not
// enough. A file that is not in contents could not be read.
func (a AdsTxt) Partners(contents map[string][]byte) ([]string, bool) {
	read := map[string][]string{}
	for name, text := range contents {
		read[name] = partnersIn(text)
	}
	return a.join(read)
}

func (a AdsTxt) join(read map[string][]string) ([]string, bool) {
	var joined []string
	first := true
	for _, name := range a.Files {
		list, ok := read[name]
		switch {
		case !ok && a.All:
			return nil, false
		case !ok:
			continue
		case first:
			joined = slices.Clone(list)
		case a.All:
			joined = slices.DeleteFunc(joined, func(d string) bool { return !slices.Contains(list, d) })
		default:
			joined = append(joined, slices.DeleteFunc(slices.Clone(list), func(d string) bool {
				return slices.Contains(joined, d)
			})...)
		}
		first = false
	}
	return joined, !first
}

// partnersIn returns the partners that a file names, each once.
func partnersIn(text []byte) []string {
	partners := []string{}
	seen := map[string]bool{}
	for value := range adstxt.Values(text, "inventorypartnerdomain") {
		d, ok := Domain(value)
		if ok && !seen[d] {
			seen[d] = true
			partners = append(partners, d)
		}
	}
	return partners
}

func (p *path) judgePartner() Leg {
	if p.skip {
		return failed(NotEvaluated)
	}
	partners, readable := p.adsTxt().join(p.partners)
	switch {
	case !readable:
		return failed(AdsTxtUnavailable)
	case !slices.Contains(partners, p.owner.domain):
		return failed(NotDeclared)
	}
	return ok("")
}
