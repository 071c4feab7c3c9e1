package adagents

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// specified are the codes that the format's rule tables name, by table. A line
// has a group, the severity in the default and in the strict profile, the
// effect and the codes of that group. Codes, once published, are relied upon
// by scripts that filter for them, so a change here is a change of contract.
const specified = `
B1   file E E abort : too_large empty not_utf8 encoding_unsupported json_invalid duplicate_key too_deep not_object
B1   file W W none  : bom key_case

B2   file E E abort : agents_missing agents_type
B2   file E E skip  : field_type secret_exposed
B2   file E E none  : no_content schema_type timestamp_invalid catalog_etag_invalid catalog_role_invalid superseded_by_invalid
B2   file W E none  : array_empty version_type
B2   file W W none  : misspelled_field schema_major last_updated_future catalog_etag_missing superseded_self superseded_with_agents
B2   file I I none  : empty_agents unknown_field schema_missing last_updated_missing

B3   pointer E E abort : location_type location_invalid location_not_https location_userinfo location_unroutable self_reference mixed
B3   pointer W W none  : location_fragment extra_field last_updated_missing
B3   pointer I I none  : location_port
B3   authoritative E E abort : nested no_payload

B4   contact E E none : type name_missing name_length seller_id_length tag_id_length
B4   contact W E none : email_invalid domain_invalid privacy_policy_url_invalid
B4   contact W W none : privacy_policy_not_https

B5   property E E skip : not_object identifiers_missing name_missing type_missing id_duplicate publisher_domain_invalid
B5   property E E drop : tag_type
B5   property W E none : type_unknown id_pattern tag_pattern tag_duplicate channel_unknown channel_duplicate
B5   property W W skip : revoked
B5   property W W none : id_missing duplicate_identifier publisher_domain_missing foreign_domain
B5   property I I none : tag_undefined unreferenced type_identifier_mismatch
B5   identifier E E drop : not_object type_missing value_missing wildcard_position wildcard_public_suffix
B5   identifier W E none : type_unknown
B5   identifier W W none : domain_syntax public_suffix subdomain_not_subdomain app_syntax duplicate

B6   collection E E skip : not_object id_missing name_missing
B6   collection E E none : id_duplicate
B6   collection W E none : kind_unknown cadence_unknown status_unknown production_quality_unknown content_rating_invalid
B6   collection W E none : talent_invalid special_invalid limited_series_invalid distribution_invalid deadline_policy_invalid related_extra_field
B6   collection W W none : window_inverted deadline_order related_undefined related_self
B6   collection I I none : language_invalid no_platform_independent_id

B7   placement E E skip : not_object id_missing name_missing id_duplicate no_property_link private_field legacy_format_ids
B7   placement E E drop : format_option_not_object format_option_empty format_option_unresolved format_inline_invalid capability_id
B7   placement W E none : channel_unknown channel_duplicate channel_empty tag_duplicate type_array_invalid
B7   placement W W drop : property_id_undefined property_tag_unmatched collection_undefined
B7   placement W W none : description_missing format_options_missing tag_undefined private_field_suspected publisher_domain_foreign
B7   placement W W none : format_option_duplicate format_option_out_of_scope locale_not_narrower locale_v1_projection
B7   placement I I none : channel_unsupported format_reference_extra
B7   presentation E E drop : invalid
B7   preview E E drop : invalid route_unlisted route_duplicate
B7   mirror E E drop : presentation_ref preview_provider

B8   format E E skip : not_object kind_missing params_missing params_type option_id_duplicate custom_incomplete schema_ref_invalid
B8   format E E skip : param_type param_enum param_range size_mode_conflict
B8   format E E none : publisher_domain_without_id capability_id custom_members_on_canonical v1_conflict locale_requires_canonical_only
B8   format E E none : locale_tag_invalid range_inverted linear_conflict ctv_experience_invalid slot_invalid slot_min_gt_max
B8   format W E skip : kind_unknown
B8   format W E none : v1_ref_invalid channel_unknown
B8   format W W drop : applies_to_property_undefined applies_to_tag_unmatched
B8   format W W none : option_id_missing publisher_domain_foreign shape_promoted v1_lossy_multi_size param_unknown aspect_mismatch
B8   format W W none : duration_both duration_ctv_floor slot_duplicate pixel_ratio_subset host_recorded_inconsistent extension_digest_divergent
B8   format I I none : shape_unknown slot_group_unknown
B8   renderer E E drop : invalid requires_registry revision_mismatch
B8   renderer W W drop : untrusted_origin

B9   signal E E skip : not_object shape_unrecognized catalog_url_invalid id_missing id_pattern id_duplicate name_missing name_length value_type_invalid
B9   signal E E drop : tag_pattern
B9   signal E E none : category_type allowed_values_empty allowed_values_type range_invalid modeling_missing onboarder_missing
B9   signal E E none : originating_domain_missing value_mappings_missing demographic_without_age age_inverted rights_uncovered
B9   signal E E none : disclosure_incomplete country_invalid
B9   signal W E none : description_length closed_object_extra
B9   signal W W none : relationship_unknown category_nonstandard tag_undefined allowed_values_missing allowed_values_duplicate
B9   signal W W none : allowed_values_misplaced range_misplaced value_mapping_undefined
B9   signal I I none : range_missing art9_missing

B10  tag E E none : map_type value_type name_missing
B10  tag W E none : description_missing
B10  tag W W none : key_pattern
B10  tag I I none : unused

B11  agent E E skip  : not_object url_missing url_invalid
B11  agent E E empty : url_not_https url_userinfo url_wildcard type_missing type_unknown selector_missing selector_empty
B11  agent E E empty : inline_properties_field qualifier_type qualifier_empty window_invalid window_inverted
B11  agent E E drop  : selector_item_type country_invalid country_regional
B11  agent E E none  : authorized_for_missing authorized_for_length delegation_type_unknown exclusive_type
B11  agent W E none  : selector_item_pattern country_duplicate country_unassigned exclusive_double
B11  agent W W empty : no_properties_catalog resolves_to_nothing placement_conflict window_expired
B11  agent W W drop  : property_id_undefined property_tag_unmatched signal_id_undefined signal_tag_unmatched
B11  agent W W drop  : placement_id_undefined placement_tag_unmatched placement_outside_scope revoked_scope
B11  agent W W none  : url_fragment url_empty_query url_unroutable selector_item_duplicate inline_properties_ignored selector_ignored
B11  agent W W none  : placement_tag_undocumented qualifier_not_applicable window_zero exclusive_conflict
B11  agent W W none  : duplicate_entry url_near_duplicate signing_keys_missing last_updated_newer
B11  agent I I none  : window_future url_noncanonical signals_catalog_form duplicate_url
B11  brand W W none  : relationship_mismatch
B11  brand I I none  : relationship_incomplete

B12  selector E E skip : not_object selection_type_missing selection_type_unknown domain_missing domain_both by_id_compact
B12  selector E E skip : domains_type domains_empty property_ids_missing property_tags_missing
B12  selector E E drop : domain_invalid domain_single_label domain_ip domain_wildcard domain_public_suffix
B12  selector E E none : item_type
B12  selector W E none : domain_duplicate item_pattern
B12  selector W W drop : revoked
B12  selector W W none : predicate_ignored item_duplicate
B12  selector I I none : domain_repeated inline_unmatched
B12  collection_selector E E empty : not_object domain_missing domain_invalid ids_missing ids_empty
B12  collection_selector W W drop  : id_undefined
B12  collection_selector I I none  : foreign

B13  signing_keys E E none : type empty
B13  signing_key E E drop : not_object kid_missing kty_missing kid_duplicate private_material symmetric member_missing crv_invalid
B13  signing_key E E drop : b64_invalid length_invalid not_on_curve alg_mismatch use_invalid
B13  signing_key W W drop : kty_unknown rsa_weak
B13  signing_key W W none : key_ops_invalid
B13  signing_key I I none : revoked duplicate_material
B13  encryption_key E E drop : invalid

B14  revocation E E abort : type
B14  revocation E E none  : entry_type domain_missing domain_invalid revoked_at_missing revoked_at_invalid
B14  revocation W W none  : revoked_at_future duplicate
B14  revocation I E none  : reason_unknown
B14  revocation I I none  : still_listed stale
B14  feature E E skip : not_object url_missing url_invalid name_missing features_missing features_empty feature_type
B14  feature W W none : url_not_https feature_duplicate url_duplicate
`

// added are the codes the tables leave open: the constraints behind the two
// families they only name by a star, and a few they have no code for.
const added = `
own  file E E abort : too_complex other_format
own  file I I none : unknown_in_entry
own  file E E none : private_field
own  file W W none : private_field_suspected other_name
own  file W E none : authorizes_nobody
own  selector W W none : publisher_without_property
own  window I I none : ends_soon
own  signing_key I I none : ends_soon
own  file I I none : last_updated_old
own  agent W E none : restriction_ignored
own  agent W W none : url_origin
own  file W W none : newer_release
own  file I I none : ext_reserved
own  feature W W none : not_third_party
own  collection W E none : genre_invalid related_invalid
own  placement W E none : list_invalid identifiers_invalid location_invalid
own  placement E E drop : locale_policy_invalid
own  format W E none : member_invalid
own  signal W E none : member_invalid
own  agent I I none : exclusive_unchecked scope_inferred property_ids_many
own  mirror E E none : agents
own  format E E skip : state_graph_invalid state_graph_state_duplicate state_graph_initial_unknown state_graph_breakpoint_duplicate
own  format E E skip : state_graph_breakpoint_invalid state_graph_supply_fluid state_graph_animation state_graph_overlay_not_dismissible
own  format E E skip : state_graph_slot_unknown state_graph_slot_type state_graph_single_state_transitions state_graph_transitions_missing
own  format E E skip : state_graph_transition_duplicate state_graph_transition_unknown state_graph_transition_self
own  format E E skip : state_graph_trigger_members state_graph_scroll_order state_graph_exit_ambiguous state_graph_unreachable
own  format E E skip : state_graph_timer_cycle state_graph_canvas_invalid
own  format E E skip : component_canvas_invalid component_invalid component_duplicate component_placement_duplicate
own  format E E skip : component_none_required component_sequence_gap component_format_choice component_kind_invalid component_shared_slot_unknown
`

// TestSpecifiedCodes compares the catalogue with the two lists above: every
// code exists with its severities and effect, and no rule is in neither.
func TestSpecifiedCodes(t *testing.T) {
	t.Parallel()
	want := codeTable(t, specified+added)
	got := make(map[string]string)
	for _, r := range Rules() {
		got[r.Code] = fmt.Sprintf("%s %s %s", initial(r.severity(Default)), initial(r.severity(Strict)), effectWord(r.Effect))
	}
	for _, code := range slices.Sorted(maps.Keys(want)) {
		if got[code] != want[code] {
			t.Errorf("%s: the rule is %q, want %q", code, got[code], want[code])
		}
	}
	for _, code := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[code]; !ok {
			t.Errorf("%s (%s) is in neither list", code, got[code])
		}
	}
}

// codeTable reads a list: code to "severity strict effect".
func codeTable(t *testing.T, list string) map[string]string {
	t.Helper()
	table := make(map[string]string)
	for line := range strings.Lines(list) {
		head, codes, ok := strings.Cut(line, ":")
		words := strings.Fields(head)
		if !ok {
			continue
		}
		for code := range strings.FieldsSeq(codes) {
			code = words[1] + "." + code
			if table[code] != "" {
				t.Errorf("%s is listed twice", code)
			}
			table[code] = strings.Join(words[2:], " ")
		}
	}
	return table
}

func initial(s Severity) string { return strings.ToUpper(s.String()[:1]) }

func effectWord(e Effect) string { return [...]string{"none", "drop", "empty", "skip", "abort"}[e] }
