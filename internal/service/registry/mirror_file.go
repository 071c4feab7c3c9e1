package registry

import (
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/std/hostname"
)

const (
	// maxProposal and maxProposalItems limit what a moderator has to review.
	maxProposal      = 1 << 20
	maxProposalItems = 2000
	// longestETag is the longest catalog_etag.
	longestETag = 255
)

// catalogArrays are the members of a file that make up a catalog.
var catalogArrays = []string{"properties", "collections", "placements", "formats", "signals"}

// A mirrorFile is the document of a mirror that is to be published.
type mirrorFile struct {
	body                      []byte
	catalogETag, supersededBy string
	publisherDomains          []hostname.Domain
	items                     int
	// warnings are what the check found besides, one line each.
	warnings []string
}

// makeMirrorFile makes the document of a mirror from a request: an object with the
// catalog members of the file. What only the service can say is made anew.
func (s *Service) makeMirrorFile(request []byte) (*mirrorFile, error) {
	var members map[string]jsontext.Value
	err := json.Unmarshal(request, &members)
	if err != nil {
		return nil, &Error{Kind: Invalid, Code: "mirror_unreadable",
			Message: "The mirror must be a JSON object without repeated members"}
	}
	agents, given := members["authorized_agents"]
	if given && !emptyArray(agents) {
		return nil, &Error{
			Kind: Invalid, Code: "mirror_agents", Message: "A mirror authorizes no agent",
			Hint: "leave out authorized_agents, or give an empty array: only the platform itself can authorize agents",
		}
	}
	for _, name := range []string{"$schema", "last_updated", "include_schema", "include_timestamp"} {
		delete(members, name)
	}
	for name, v := range members {
		if v.Kind() == 'n' {
			delete(members, name) // null stands for an absent member
		}
	}
	members["authorized_agents"] = jsontext.Value("[]")
	m := &mirrorFile{}
	err = m.readMembers(members)
	if err != nil {
		return nil, err
	}
	draft, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	return m, s.checkMirrorFile(m, draft)
}

// emptyArray reports whether a value is an array without elements, or null.
func emptyArray(v jsontext.Value) bool {
	var list []jsontext.Value
	err := json.Unmarshal(v, &list)
	return err == nil && len(list) == 0
}

// readMembers reads what the service itself needs of a mirror.
func (m *mirrorFile) readMembers(members map[string]jsontext.Value) error {
	for _, name := range catalogArrays {
		var list []jsontext.Value
		err := json.Unmarshal(members[name], &list)
		if err == nil {
			m.items += len(list)
		}
	}
	if m.items == 0 {
		return &Error{
			Kind: Invalid, Code: "mirror_empty", Message: "A mirror needs catalog content",
			Hint: "give at least one of formats, properties, placements, collections and signals",
		}
	}
	etag, given := members["catalog_etag"]
	if !given {
		return nil
	}
	var text string
	err := json.Unmarshal(etag, &text)
	if err != nil || text == "" || utf8.RuneCountInString(text) > longestETag {
		return &Error{Kind: Invalid, Code: "mirror_etag", Message: "catalog_etag must be a string of 1 to " +
			strconv.Itoa(longestETag) + " characters"}
	}
	return nil
}

// checkMirrorFile finishes the document of a mirror. One with an error is refused.
func (s *Service) checkMirrorFile(m *mirrorFile, draft []byte) error {
	built, err := adagents.Build(draft, adagents.BuildOptions{
		Now: s.config.Now(), Check: adagents.Options{Role: adagents.Mirror, MaxFindings: maxFindings},
	})
	var invalid *adagents.InvalidError
	if errors.As(err, &invalid) {
		refused := &Error{
			Kind: Invalid, Code: "mirror_invalid", Message: "The mirror is not a valid file",
			Hint: "fix what details lists; POST /api/adagents/create says more about each",
		}
		for i := range invalid.Findings {
			refused.Details = append(refused.Details, invalid.Findings[i].Pointer+": "+invalid.Findings[i].Message)
		}
		return refused
	}
	if err != nil {
		return err
	}
	file := built.Report.File
	if file == nil {
		return &Error{Kind: Invalid, Code: "mirror_pointer", Message: "A mirror has the catalog itself",
			Hint: "leave out authoritative_location"}
	}
	m.body, m.catalogETag, m.supersededBy = built.File, file.CatalogETag, file.SupersededBy
	m.publisherDomains = domainsOf(file)
	for i := range built.Report.Findings {
		f := &built.Report.Findings[i]
		if f.Severity == adagents.Warning {
			m.warnings = append(m.warnings, f.Pointer+": "+f.Message)
		}
	}
	return nil
}

// domainsOf returns the publishers that a catalog has properties of, or else the domain
// of its contact.
func domainsOf(f *adagents.File) []hostname.Domain {
	var all []string
	for i := range f.Properties {
		all = append(all, f.Properties[i].PublisherDomain)
	}
	if len(all) == 0 && f.Contact != nil {
		all = append(all, f.Contact.Domain)
	}
	var canonical []hostname.Domain
	for _, domain := range all {
		name, err := hostname.ParseDomain(domain)
		if err == nil {
			canonical = append(canonical, name)
		}
	}
	slices.Sort(canonical)
	return slices.Compact(canonical)
}
