package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/model"
)

// collectionMember makes the rule that compares one structured member of a
// collection with its published form.
func collectionMember(name string, at int, r Rule) rule[*Collection] {
	r.Severity, r.Strict = Warning, Error
	r.Spec, r.In = "AdCP adagents.json schema, collections", InCollection
	return rule[*Collection]{Rule: r, check: func(r reporter, x *Collection) {
		r.sayFaults(model.Collection, name, x.member(at))
	}}
}

// collectionDetailRules look inside the members that describe the program.
var collectionDetailRules = []rule[*Collection]{
	collectionMember("genre", atCollectionGenres, Rule{
		Code:  "collection.genre_invalid",
		Title: "a collection's genre is not a list of words",
		Why: "Genres are words, or ids of the taxonomy named in genre_taxonomy. Consumers pass over anything that is not " +
			"text.",
		Hint: "write a list of strings",
		Bad:  collected(`"genre": ["news", 379]`),
		Good: collected(`"genre": ["news", "379"]`),
	}),
	collectionMember("content_rating", atCollectionContentRating, Rule{
		Code:  "collection.content_rating_invalid",
		Title: "a collection's content_rating is incomplete or wrong",
		Why: "A rating means something only together with its system. Buyers with suitability rules cannot use any other " +
			"form.",
		Hint: "give system and rating, for example tv_parental and TV-14",
		Bad:  collected(`"content_rating": {"system": "tv", "rating": "TV-14"}`),
		Good: collected(`"content_rating": {"system": "tv_parental", "rating": "TV-14"}`),
	}),
	collectionMember("talent", atCollectionTalent, Rule{
		Code:  "collection.talent_invalid",
		Title: "a collection's talent is incomplete or wrong",
		Why:   "Each person is listed with a name and one of the published roles. Other entries are not understood.",
		Hint:  "give role and name for each person",
		Bad:   collected(`"talent": [{"name": "Ada Example"}]`),
		Good:  collected(`"talent": [{"role": "host", "name": "Ada Example"}]`),
	}),
	collectionMember("special", atCollectionSpecial, Rule{
		Code:  "collection.special_invalid",
		Title: "a collection's special is incomplete or wrong",
		Why: "A special names the event behind the program and when it takes place. Times need an offset to mean one " +
			"moment.",
		Hint: "give name, and times such as 2026-03-01T20:00:00Z",
		Bad:  collected(`"special": {"name": "Spring Gala", "starts": "2026-03-01"}`),
		Good: collected(`"special": {"name": "Spring Gala", "starts": "2026-03-01T20:00:00Z"}`),
	}),
	collectionMember("limited_series", atCollectionLimitedSeries, Rule{
		Code:  "collection.limited_series_invalid",
		Title: "a collection's limited_series is incomplete or wrong",
		Why:   "A limited series says how many installments there will be. Without a positive whole number it says nothing.",
		Hint:  "give total_installments as a whole number from 1",
		Bad:   collected(`"limited_series": {"total_installments": 0}`),
		Good:  collected(`"limited_series": {"total_installments": 6}`),
	}),
	collectionMember("distribution", atCollectionDistribution, Rule{
		Code:  "collection.distribution_invalid",
		Title: "a collection's distribution is incomplete or wrong",
		Why: "Identifiers and properties at other publishers tie the program to what buyers see there. They need a " +
			"publisher; " +
			"identifiers need a published type and a value, and properties are ids in the file of that publisher.",
		Hint: "give publisher_domain, and property_ids or identifiers with type and value",
		Bad: collected(`"distribution": [{
    "publisher_domain": "podcasts.example", "identifiers": [{"type": "rss", "value": "https://example.com/feed"}]
  }]`),
		Good: collected(`"distribution": [{
    "publisher_domain": "podcasts.example", "identifiers": [{"type": "rss_url", "value": "https://example.com/feed"}]
  }]`),
	}),
	collectionMember("deadline_policy", atCollectionDeadlinePolicy, Rule{
		Code:  "collection.deadline_policy_invalid",
		Title: "a collection's deadline_policy is incomplete or wrong",
		Why:   "Deadlines are whole numbers of days before air. A policy in another form sets no deadline.",
		Hint:  "give at least one of booking_lead_days, cancellation_lead_days and material_stages",
		Bad:   collected(`"deadline_policy": {"booking_lead_days": "14"}`),
		Good:  collected(`"deadline_policy": {"booking_lead_days": 14}`),
	}),
	{Rule: Rule{
		Code: "collection.window_inverted", Severity: Warning,
		Title: "a program ends before it starts",
		Why:   "An event or a series whose end lies before its start never takes place.",
		Hint:  "exchange starts and ends, or correct one of them",
		Spec:  "AdCP adagents.json schema, collections",
		In:    InCollection,
		Bad: collected(`"special": {
    "name": "Spring Gala", "starts": "2026-03-02T00:00:00Z", "ends": "2026-03-01T20:00:00Z"
  }`),
		Good: collected(`"special": {
    "name": "Spring Gala", "starts": "2026-03-01T20:00:00Z", "ends": "2026-03-02T00:00:00Z"
  }`),
	}, check: func(r reporter, x *Collection) {
		if s := x.Special; s != nil {
			sayInverted(r, "special", s.Starts, s.Ends, s.member(atSpecialEnds))
		}
		if s := x.LimitedSeries; s != nil {
			sayInverted(r, "limited_series", s.Starts, s.Ends, s.member(atLimitedSeriesEnds))
		}
	}},
	{Rule: Rule{
		Code: "collection.deadline_order", Severity: Warning,
		Title: "deadlines are in an impossible order",
		Why: "A booking cannot be cancelled earlier than it has to be made, and stages of material are listed with the " +
			"one due first at the top.",
		Hint: "make booking_lead_days at least cancellation_lead_days, and list material_stages with falling lead_days",
		Spec: "AdCP adagents.json schema, collections",
		In:   InCollection,
		Bad:  collected(`"deadline_policy": {"booking_lead_days": 7, "cancellation_lead_days": 14}`),
		Good: collected(`"deadline_policy": {"booking_lead_days": 14, "cancellation_lead_days": 7}`),
	}, check: checkDeadlineOrder},
	{Rule: Rule{
		Code: "collection.no_platform_independent_id", Severity: Info,
		Title: "a collection has identifiers of single platforms only",
		Why:   "An identifier that does not belong to one platform lets buyers recognise the program wherever it runs.",
		Hint:  "add an identifier such as rss_url, podcast_guid, imdb_id, gracenote_id, eidr_id or domain",
		Spec:  "AdCP adagents.json schema, collections",
		In:    InCollection,
		Bad: collected(`"distribution": [{
    "publisher_domain": "podcasts.example", "identifiers": [{"type": "apple_podcast_id", "value": "1234567890"}]
  }]`),
		Good: collected(`"distribution": [{
    "publisher_domain": "podcasts.example", "identifiers": [
      {"type": "apple_podcast_id", "value": "1234567890"},
      {"type": "rss_url", "value": "https://example.com/feed"}
    ]
  }]`),
	}, check: func(r reporter, x *Collection) {
		if onlyPlatformIDs(x.Distribution) {
			r.say(x.member(atCollectionDistribution), "every identifier of the collection belongs to a single platform")
		}
	}},
}

func sayInverted(r reporter, name string, starts, ends Timestamp, at Value) {
	from, ok := starts.Time()
	if !ok {
		return
	}
	until, ok := ends.Time()
	if ok && until.Before(from) {
		r.say(at, "%s ends at %s, before it starts at %s", name, string(ends), string(starts))
	}
}

func checkDeadlineOrder(r reporter, x *Collection) {
	d := x.DeadlinePolicy
	if d == nil {
		return
	}
	booking, known := d.BookingLeadDays.Int()
	cancellation, ok := d.CancellationLeadDays.Int()
	if known && ok && booking < cancellation {
		r.say(d.member(atDeadlinePolicyBookingLeadDays),
			"booking_lead_days is %d, less than cancellation_lead_days, which is %d", booking, cancellation)
	}
	for i := 1; i < len(d.MaterialStages); i++ {
		before, known := d.MaterialStages[i-1].LeadDays.Int()
		s := &d.MaterialStages[i]
		days, ok := s.LeadDays.Int()
		if known && ok && days > before {
			r.say(s.member(atMaterialStageLeadDays),
				"the stage is due %s before air, earlier than the stage listed before it with %s", counted(int(days), "day"),
				counted(int(before), "day"))
		}
	}
}

// independentIDs are the identifier types that no single platform issues.
var independentIDs = []string{"rss_url", "podcast_guid", "imdb_id", "gracenote_id", "eidr_id", "domain",
	"podcast_index_id"}

// onlyPlatformIDs reports whether there are identifiers and all of them belong
// to a platform. A type that is not known could be of either sort.
func onlyPlatformIDs(list []Distribution) bool {
	found := false
	for i := range list {
		for k := range list[i].Identifiers {
			t := list[i].Identifiers[k].Type
			if slices.Contains(independentIDs, t) || !slices.Contains(model.DistributionIdentifierTypes, t) {
				return false
			}
			found = true
		}
	}
	return found
}

// collected is an example collection with some members added.
func collected(members string) string {
	return `{
  "collection_id": "weekend", "name": "The Weekend",
  ` + members + `
}`
}
