package model

// Releases are those of the protocol that the table of changes covers, the newest last. Changes says nothing
// about the first one, so files are checked for the readers of the others.
var Releases = []string{"3.1", "3.2", AdCPRelease}

// BrandBytes is how large a brand.json may be for the readers of each release.
var BrandBytes = map[string]int{"3.1": 256 << 10, "3.2": 256 << 10, "3.3": 2 << 20}

// A Change is something that a release allowed in the file.
type Change struct {
	Release string
	// Path leads from the file to a member: names, with [] after those of lists.
	Path string
	// Value is what the member may have as its value since then; empty if the member itself is new.
	Value string
	// Absent: the member may be left out since then.
	Absent bool
}

// Changes are those since the release 3.1.
var Changes = []Change{
	{Release: "3.2", Path: "formats[].format_kind", Value: "seller_rendered_stateful_display"},
	{Release: "3.2", Path: "formats[].format_kind", Value: "coordinated_placements"},
	{Release: "3.2", Path: "placements[].format_options[].format_kind", Value: "seller_rendered_stateful_display"},
	{Release: "3.2", Path: "placements[].format_options[].format_kind", Value: "coordinated_placements"},
	{Release: "3.3", Path: "authorized_agents[].collections[].collection_ids", Absent: true},
	{Release: "3.3", Path: "collections[].kind", Value: "channel"},
	{Release: "3.3", Path: "collections[].distribution[].property_ids"},
	{Release: "3.3", Path: "collections[].distribution[].identifiers", Absent: true},
	{Release: "3.3", Path: "collections[].distribution[].identifiers[].type", Value: "platform_channel_id"},
	{Release: "3.3", Path: "placements[].identifiers"},
	{Release: "3.3", Path: "placements[].dooh_placement_attributes"},
}
