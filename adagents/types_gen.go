// Code generated from internal/model by internal/gen/types. DO NOT EDIT.

package adagents

// File is a publisher's declaration: what inventory exists and which agents may sell it.
type File struct {
	entry
	// Schema is the member $schema: URL of the JSON Schema, so that editors can check the file while it is typed.
	Schema string
	// Version is the member version: Version of the declaration, used in files that declare properties and signals together.
	Version string
	// Contact is the member contact: Who manages this file: the publisher or a third party.
	Contact *Contact
	// CatalogETag is the member catalog_etag: Opaque version token of the catalog; change it whenever properties, collections, placements, formats, signals or their tags change.
	CatalogETag string
	// CatalogRole is the member catalog_role: Marks a community format registry; needed when a format names a reference renderer.
	CatalogRole string
	// Properties is the member properties: The publisher's properties: sites, apps, stations, screens.
	Properties []Property
	// Collections is the member collections: Content programs such as series, podcasts and streams.
	Collections []Collection
	// Placements is the member placements: The public placement catalog.
	Placements []Placement
	// Formats is the member formats: Reusable format declarations that placements refer to by format_option_id.
	Formats []FormatDeclaration
	// Signals is the member signals: Signals: full definitions, or references to a signal catalog.
	Signals []Signal
	// Tags is the member tags: Explains the tags used on properties.
	Tags []Tag
	// PlacementTags is the member placement_tags: Explains the tags used on placements and in agents' placement_tags.
	PlacementTags []Tag
	// SignalTags is the member signal_tags: Explains the tags used on signals.
	SignalTags []Tag
	// Agents is the member authorized_agents: The agents allowed to sell; may be empty in a catalog-only file, which then asserts no sales authorization.
	Agents []Agent
	// Revocations is the member revoked_publisher_domains: Publishers removed from this network file; a listed domain is no longer authorized wherever else it appears.
	Revocations []Revocation
	// Features is the member property_features: Governance agents that hold data about the properties.
	Features []Feature
	// SupersededBy is the member superseded_by: Set on a community mirror once the platform publishes its own file: the URL of that file.
	SupersededBy string
	// LastUpdated is the member last_updated: When the file last changed, with offset, for example 2026-01-02T00:00:00Z.
	LastUpdated Timestamp
	pos         [18]uint32
}

const (
	atFileSchema = iota
	atFileVersion
	atFileContact
	atFileCatalogETag
	atFileCatalogRole
	atFileProperties
	atFileCollections
	atFilePlacements
	atFileFormats
	atFileSignals
	atFileTags
	atFilePlacementTags
	atFileSignalTags
	atFileAgents
	atFileRevocations
	atFileFeatures
	atFileSupersededBy
	atFileLastUpdated
)

func (x *File) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Contact is the entity that manages the file.
type Contact struct {
	entry
	// Name is the member name: Name of the managing entity.
	Name string
	// Email is the member email: Address for questions about the file.
	Email string
	// Domain is the member domain: Primary domain of the managing entity.
	Domain string
	// SellerID is the member seller_id: Identifier in the industry's seller list.
	SellerID string
	// TagID is the member tag_id: Identifier in the fraud-certification program.
	TagID string
	// PrivacyPolicyURL is the member privacy_policy_url: Privacy policy, for consumer consent flows.
	PrivacyPolicyURL string
	pos              [6]uint32
}

const (
	atContactName = iota
	atContactEmail
	atContactDomain
	atContactSellerID
	atContactTagID
	atContactPrivacyPolicyURL
)

func (x *Contact) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Property is a site, app, station, podcast or screen that carries inventory.
type Property struct {
	entry
	// ID is the member property_id: Stable id, referred to by property_ids; unique within the publisher.
	ID string
	// Type is the member property_type: What the property is.
	Type string
	// Name is the member name: Name a person recognises.
	Name string
	// Identifiers is the member identifiers: How the property is recognised in the market; at least one.
	Identifiers []Identifier
	// Tags is the member tags: Groups the property belongs to, matched by property_tags.
	Tags []string
	// Channels is the member supported_channels: Advertising channels the property supports.
	Channels []string
	// PublisherDomain is the member publisher_domain: The publisher the property belongs to; needed in a file shared by several publishers.
	PublisherDomain string
	pos             [7]uint32
}

const (
	atPropertyID = iota
	atPropertyType
	atPropertyName
	atPropertyIdentifiers
	atPropertyTags
	atPropertyChannels
	atPropertyPublisherDomain
)

func (x *Property) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Identifier is one way a property is recognised.
type Identifier struct {
	entry
	// Type is the member type: Which name space the value belongs to.
	Type string
	// Value is the member value: The identifier itself; for type domain a base domain, one host, or *.domain.
	Value string
	pos   [2]uint32
}

const (
	atIdentifierType = iota
	atIdentifierValue
)

func (x *Identifier) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Collection is a content program: a series, publication, event series, rotation or channel.
type Collection struct {
	entry
	// ID is the member collection_id: Stable id, unique in the file; placements and agents refer to it.
	ID string
	// Name is the member name: Name a person recognises.
	Name string
	// Kind is the member kind: What sort of program this is.
	Kind string
	// Description is the member description: What the program is about, in a sentence or two.
	Description string
	// Genres is the member genre: Genres; ids of genre_taxonomy when that is given, free words otherwise.
	Genres []string
	// GenreTaxonomy is the member genre_taxonomy: The taxonomy the genre values come from, for example iab_content_3.0.
	GenreTaxonomy string
	// Language is the member language: Main language as a BCP 47 tag, for example en or pt-BR.
	Language string
	// ContentRating is the member content_rating: Age or content rating of the program.
	ContentRating *ContentRating
	// Cadence is the member cadence: How often a new installment comes out.
	Cadence string
	// Season is the member season: The current or most recent season.
	Season string
	// Status is the member status: Whether the program is running, paused, over or still to come.
	Status string
	// ProductionQuality is the member production_quality: Production level; ugc stands for content made by users.
	ProductionQuality string
	// Talent is the member talent: People who appear in or make the program.
	Talent []Talent
	// Special is the member special: The event the program is built around, when it is a special.
	Special *Special
	// LimitedSeries is the member limited_series: Length and dates, when the program has a fixed number of installments.
	LimitedSeries *LimitedSeries
	// Distribution is the member distribution: Where the program can be found, and under which identifiers.
	Distribution []Distribution
	// DeadlinePolicy is the member deadline_policy: How long before air bookings, cancellations and material are due.
	DeadlinePolicy *DeadlinePolicy
	// RelatedCollections is the member related_collections: Other collections of this file that belong with this one.
	RelatedCollections []RelatedCollection
	// Ext is the member ext: Vendor data.
	Ext Value
	pos [19]uint32
}

const (
	atCollectionID = iota
	atCollectionName
	atCollectionKind
	atCollectionDescription
	atCollectionGenres
	atCollectionGenreTaxonomy
	atCollectionLanguage
	atCollectionContentRating
	atCollectionCadence
	atCollectionSeason
	atCollectionStatus
	atCollectionProductionQuality
	atCollectionTalent
	atCollectionSpecial
	atCollectionLimitedSeries
	atCollectionDistribution
	atCollectionDeadlinePolicy
	atCollectionRelatedCollections
	atCollectionExt
)

func (x *Collection) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// ContentRating is a content rating and the system it belongs to.
type ContentRating struct {
	entry
	// System is the member system: The rating system.
	System string
	// Rating is the member rating: The rating as that system writes it, for example TV-14.
	Rating string
	pos    [2]uint32
}

const (
	atContentRatingSystem = iota
	atContentRatingRating
)

func (x *ContentRating) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Talent is a person who appears in or makes a program.
type Talent struct {
	entry
	// Role is the member role: What the person does.
	Role string
	// Name is the member name: The person's name as credited.
	Name string
	// BrandURL is the member brand_url: The person's brand file or home page.
	BrandURL string
	pos      [3]uint32
}

const (
	atTalentRole = iota
	atTalentName
	atTalentBrandURL
)

func (x *Talent) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Special is the event a program is built around.
type Special struct {
	entry
	// Name is the member name: Name of the event.
	Name string
	// Category is the member category: What sort of event it is.
	Category string
	// Starts is the member starts: When the event begins.
	Starts Timestamp
	// Ends is the member ends: When the event is over; not before starts.
	Ends Timestamp
	pos  [4]uint32
}

const (
	atSpecialName = iota
	atSpecialCategory
	atSpecialStarts
	atSpecialEnds
)

func (x *Special) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// LimitedSeries is the length of a program with a fixed number of installments.
type LimitedSeries struct {
	entry
	// TotalInstallments is the member total_installments: How many installments there will be.
	TotalInstallments Number
	// Starts is the member starts: When the first installment comes out.
	Starts Timestamp
	// Ends is the member ends: When the last installment comes out; not before starts.
	Ends Timestamp
	pos  [3]uint32
}

const (
	atLimitedSeriesTotalInstallments = iota
	atLimitedSeriesStarts
	atLimitedSeriesEnds
)

func (x *LimitedSeries) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Distribution is a publisher that carries the program, and its identifiers there.
type Distribution struct {
	entry
	// PublisherDomain is the member publisher_domain: Domain of the publisher or platform that carries the program.
	PublisherDomain string
	// PropertyIDs is the member property_ids: Properties that carry the program, by their ids in that publisher's file.
	PropertyIDs []string
	// Identifiers is the member identifiers: The program's identifiers at that publisher; at least one.
	Identifiers []DistributionIdentifier
	pos         [3]uint32
}

const (
	atDistributionPublisherDomain = iota
	atDistributionPropertyIDs
	atDistributionIdentifiers
)

func (x *Distribution) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// DistributionIdentifier is one identifier of a program on a platform or in a registry.
type DistributionIdentifier struct {
	entry
	// Type is the member type: Which platform or registry the value belongs to.
	Type string
	// Value is the member value: The identifier itself.
	Value string
	pos   [2]uint32
}

const (
	atDistributionIdentifierType = iota
	atDistributionIdentifierValue
)

func (x *DistributionIdentifier) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// DeadlinePolicy is how far ahead of an installment bookings and material are due.
type DeadlinePolicy struct {
	entry
	// BookingLeadDays is the member booking_lead_days: Days before air by which a booking must be made.
	BookingLeadDays Number
	// CancellationLeadDays is the member cancellation_lead_days: Days before air until which a booking can be cancelled; not more than booking_lead_days.
	CancellationLeadDays Number
	// MaterialStages is the member material_stages: Delivery stages for material, the one due earliest first.
	MaterialStages []MaterialStage
	// BusinessDaysOnly is the member business_days_only: Whether the day counts skip weekends and holidays.
	BusinessDaysOnly bool
	pos              [4]uint32
}

const (
	atDeadlinePolicyBookingLeadDays = iota
	atDeadlinePolicyCancellationLeadDays
	atDeadlinePolicyMaterialStages
	atDeadlinePolicyBusinessDaysOnly
)

func (x *DeadlinePolicy) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// MaterialStage is one stage of material delivery.
type MaterialStage struct {
	entry
	// Stage is the member stage: Id of the stage, for example draft or final.
	Stage string
	// LeadDays is the member lead_days: Days before air by which the material is due.
	LeadDays Number
	// Label is the member label: What is due at this stage, for people.
	Label string
	pos   [3]uint32
}

const (
	atMaterialStageStage = iota
	atMaterialStageLeadDays
	atMaterialStageLabel
)

func (x *MaterialStage) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// RelatedCollection is another collection of the same file and how it relates.
type RelatedCollection struct {
	entry
	// CollectionID is the member collection_id: Id of the other collection, declared in this file.
	CollectionID string
	// Relationship is the member relationship: What the other collection is to this one.
	Relationship string
	pos          [2]uint32
}

const (
	atRelatedCollectionCollectionID = iota
	atRelatedCollectionRelationship
)

func (x *RelatedCollection) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Placement is a public placement: where an ad can run and in which formats.
type Placement struct {
	entry
	// ID is the member placement_id: Stable id, unique in the file; reusing an id means the same placement.
	ID string
	// Name is the member name: Name a person recognises.
	Name string
	// Description is the member description: What the placement is, in a sentence.
	Description string
	// PropertyIDs is the member property_ids: Properties the placement can run on, by id.
	PropertyIDs []string
	// PropertyTags is the member property_tags: Properties the placement can run on, by tag.
	PropertyTags []string
	// CollectionIDs is the member collection_ids: Collections the placement belongs to.
	CollectionIDs []string
	// Tags is the member tags: Groups the placement belongs to, explained in placement_tags.
	Tags []string
	// Channels is the member channels: Advertising channels of the placement.
	Channels []string
	// FormatOptions is the member format_options: Supported formats: references to top-level formats, or inline declarations.
	FormatOptions []FormatOption
	// Identifiers is the member identifiers: Public identifiers of the placement, such as a screen; those of an authority begin with its name, for example geopath:123.
	Identifiers []Identifier
	// DOOH is the member dooh_placement_attributes: Where a screen in a public place stands.
	DOOH *DOOHPlacement
	// PresentationRef is the member presentation_ref: A document that describes how the placement looks.
	PresentationRef *PresentationRef
	// PreviewProvider is the member preview_provider: An agent that renders previews for this placement.
	PreviewProvider *PreviewProvider
	// VideoPlacementTypes is the member video_placement_types: Kinds of video placement.
	VideoPlacementTypes []string
	// AudioDistributionTypes is the member audio_distribution_types: Kinds of audio distribution.
	AudioDistributionTypes []string
	// SponsoredPlacementTypes is the member sponsored_placement_types: Kinds of sponsored placement.
	SponsoredPlacementTypes []string
	// SocialPlacementSurfaces is the member social_placement_surfaces: Social surfaces the placement runs on.
	SocialPlacementSurfaces []string
	// Ext is the member ext: Vendor data; nothing private belongs here.
	Ext Value
	pos [18]uint32
}

const (
	atPlacementID = iota
	atPlacementName
	atPlacementDescription
	atPlacementPropertyIDs
	atPlacementPropertyTags
	atPlacementCollectionIDs
	atPlacementTags
	atPlacementChannels
	atPlacementFormatOptions
	atPlacementIdentifiers
	atPlacementDOOH
	atPlacementPresentationRef
	atPlacementPreviewProvider
	atPlacementVideoPlacementTypes
	atPlacementAudioDistributionTypes
	atPlacementSponsoredPlacementTypes
	atPlacementSocialPlacementSurfaces
	atPlacementExt
)

func (x *Placement) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// FormatOption is a format a placement accepts: a reference to a top-level format, or a declaration in place.
type FormatOption struct {
	entry
	// OptionID is the member format_option_id: Alone: the top-level format meant; with format_kind: the id of this declaration.
	OptionID string
	// Kind is the member format_kind: Makes the entry a declaration of its own; params is then needed too.
	Kind string
	// PublisherDomain is the member publisher_domain: The publisher the declaration belongs to; needs format_option_id.
	PublisherDomain string
	// DisplayName is the member display_name: Name shown to buyers.
	DisplayName string
	// SampleRenderURL is the member sample_render_url: A page that shows the format in use; never fetched automatically.
	SampleRenderURL string
	// AppliesToChannels is the member applies_to_channels: Advertising channels the declaration is meant for.
	AppliesToChannels []string
	// SellerPreference is the member seller_preference: How welcome this format is to the seller.
	SellerPreference string
	// LocalePolicy is the member locale_policy: Languages the creative may be in; needs canonical_formats_only true.
	LocalePolicy *LocalePolicy
	// CanonicalFormatsOnly is the member canonical_formats_only: True when no older named format stands for this one; then v1_format_ref must be absent.
	CanonicalFormatsOnly bool
	// Experimental is the member experimental: True while the declaration may still change.
	Experimental bool
	// Shape is the member format_shape: With format_kind custom only: the sort of custom format, for example roadblock.
	Shape string
	// Schema is the member format_schema: With format_kind custom only: the JSON Schema the params follow.
	Schema *FormatSchemaRef
	// V1FormatRefs is the member v1_format_ref: Older named formats that stand for this one.
	V1FormatRefs []V1FormatRef
	// Params is the member params: Limits of the format; which members exist depends on format_kind.
	Params Value
	pos    [14]uint32
}

const (
	atFormatOptionOptionID = iota
	atFormatOptionKind
	atFormatOptionPublisherDomain
	atFormatOptionDisplayName
	atFormatOptionSampleRenderURL
	atFormatOptionAppliesToChannels
	atFormatOptionSellerPreference
	atFormatOptionLocalePolicy
	atFormatOptionCanonicalFormatsOnly
	atFormatOptionExperimental
	atFormatOptionShape
	atFormatOptionSchema
	atFormatOptionV1FormatRefs
	atFormatOptionParams
)

func (x *FormatOption) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// LocalePolicy is the languages a creative may be in.
type LocalePolicy struct {
	entry
	// AcceptedLanguageRanges is the member accepted_language_ranges: BCP 47 tags in canonical case, for example en or pt-BR; no wildcard.
	AcceptedLanguageRanges []string
	pos                    [1]uint32
}

const (
	atLocalePolicyAcceptedLanguageRanges = iota
)

func (x *LocalePolicy) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// FormatSchemaRef is the JSON Schema of a custom format.
type FormatSchemaRef struct {
	entry
	// URI is the member uri: Where the schema is.
	URI string
	// Digest is the member digest: SHA-256 of the schema, as sha256: and 64 hex digits.
	Digest string
	pos    [2]uint32
}

const (
	atFormatSchemaRefURI = iota
	atFormatSchemaRefDigest
)

func (x *FormatSchemaRef) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// V1FormatRef is a named format of the older model.
type V1FormatRef struct {
	entry
	// AgentURL is the member agent_url: The agent that defines the named format.
	AgentURL string
	// ID is the member id: Id of the named format at that agent.
	ID string
	// Width is the member width: Width in pixels; together with height.
	Width Number
	// Height is the member height: Height in pixels; together with width.
	Height Number
	// DurationMS is the member duration_ms: Duration in milliseconds.
	DurationMS Number
	// PixelRatio is the member pixel_ratio: Device pixels per logical pixel; needs width and height.
	PixelRatio Number
	pos        [6]uint32
}

const (
	atV1FormatRefAgentURL = iota
	atV1FormatRefID
	atV1FormatRefWidth
	atV1FormatRefHeight
	atV1FormatRefDurationMS
	atV1FormatRefPixelRatio
)

func (x *V1FormatRef) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// DOOHPlacement is a screen in a public place.
type DOOHPlacement struct {
	entry
	// Location is the member location: Where the screen stands.
	Location *DOOHLocation
	pos      [1]uint32
}

const (
	atDOOHPlacementLocation = iota
)

func (x *DOOHPlacement) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// DOOHLocation is a place by its coordinates or its address.
type DOOHLocation struct {
	entry
	// Lat is the member lat: Latitude in degrees; together with lon.
	Lat Number
	// Lon is the member lon: Longitude in degrees; together with lat.
	Lon Number
	// Address is the member address: The address of the place.
	Address *DOOHAddress
	pos     [3]uint32
}

const (
	atDOOHLocationLat = iota
	atDOOHLocationLon
	atDOOHLocationAddress
)

func (x *DOOHLocation) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// DOOHAddress is a postal address.
type DOOHAddress struct {
	entry
	// Line1 is the member line1: Street and number.
	Line1 string
	// Line2 is the member line2: Building, floor or the like.
	Line2 string
	// City is the member city: Town or city.
	City string
	// Region is the member region: State, province or county.
	Region string
	// PostalCode is the member postal_code: Postal code.
	PostalCode string
	// Country is the member country: Country as an ISO 3166-1 alpha-2 code.
	Country string
	pos     [6]uint32
}

const (
	atDOOHAddressLine1 = iota
	atDOOHAddressLine2
	atDOOHAddressCity
	atDOOHAddressRegion
	atDOOHAddressPostalCode
	atDOOHAddressCountry
)

func (x *DOOHAddress) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// PresentationRef is a presentation document and its digest.
type PresentationRef struct {
	entry
	// URI is the member uri: Where the document is.
	URI string
	// Digest is the member digest: SHA-256 of the document, as sha256: and 64 hex digits.
	Digest string
	// MediaType is the member media_type: Media type of the document.
	MediaType string
	// SchemaVersion is the member schema_version: Version of the document's schema.
	SchemaVersion string
	pos           [4]uint32
}

const (
	atPresentationRefURI = iota
	atPresentationRefDigest
	atPresentationRefMediaType
	atPresentationRefSchemaVersion
)

func (x *PresentationRef) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// PreviewProvider is an agent the publisher designates for previews.
type PreviewProvider struct {
	entry
	// AgentURL is the member agent_url: Endpoint of the preview agent.
	AgentURL string
	// Authority is the member authority: publisher_designated.
	Authority string
	// Routes is the member routes: Which capability renders which format option.
	Routes []PreviewRoute
	pos    [3]uint32
}

const (
	atPreviewProviderAgentURL = iota
	atPreviewProviderAuthority
	atPreviewProviderRoutes
)

func (x *PreviewProvider) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// PreviewRoute is the capability that renders one format option.
type PreviewRoute struct {
	entry
	// FormatOptionID is the member format_option_id: A format option listed on the same placement.
	FormatOptionID string
	// CapabilityID is the member capability_id: The preview agent's capability.
	CapabilityID string
	// CoversPlacementPresentation is the member covers_placement_presentation: Whether the preview shows the placement's surroundings too.
	CoversPlacementPresentation bool
	pos                         [3]uint32
}

const (
	atPreviewRouteFormatOptionID = iota
	atPreviewRouteCapabilityID
	atPreviewRouteCoversPlacementPresentation
)

func (x *PreviewRoute) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// FormatDeclaration is a creative format the publisher accepts.
type FormatDeclaration struct {
	entry
	// Kind is the member format_kind: The canonical format this declaration narrows, or custom.
	Kind string
	// OptionID is the member format_option_id: Id that placements refer to; unique in the file.
	OptionID string
	// PublisherDomain is the member publisher_domain: The publisher the declaration belongs to; needs format_option_id.
	PublisherDomain string
	// DisplayName is the member display_name: Name shown to buyers.
	DisplayName string
	// SampleRenderURL is the member sample_render_url: A page that shows the format in use; never fetched automatically.
	SampleRenderURL string
	// AppliesToChannels is the member applies_to_channels: Advertising channels the declaration is meant for.
	AppliesToChannels []string
	// SellerPreference is the member seller_preference: How welcome this format is to the seller.
	SellerPreference string
	// LocalePolicy is the member locale_policy: Languages the creative may be in; needs canonical_formats_only true.
	LocalePolicy *LocalePolicy
	// CanonicalFormatsOnly is the member canonical_formats_only: True when no older named format stands for this one; then v1_format_ref must be absent.
	CanonicalFormatsOnly bool
	// Experimental is the member experimental: True while the declaration may still change.
	Experimental bool
	// Shape is the member format_shape: With format_kind custom only: the sort of custom format, for example roadblock.
	Shape string
	// Schema is the member format_schema: With format_kind custom only: the JSON Schema the params follow.
	Schema *FormatSchemaRef
	// V1FormatRefs is the member v1_format_ref: Older named formats that stand for this one.
	V1FormatRefs []V1FormatRef
	// AppliesToPropertyIDs is the member applies_to_property_ids: Properties that accept this format, by id.
	AppliesToPropertyIDs []string
	// AppliesToPropertyTags is the member applies_to_property_tags: Properties that accept this format, by tag; added to the ones given by id.
	AppliesToPropertyTags []string
	// Params is the member params: Limits of the format; which members exist depends on format_kind.
	Params Value
	// ReferenceRenderer is the member reference_renderer: Code that renders the format; in a community format registry only.
	ReferenceRenderer *ReferenceRenderer
	// Revision is the member format_revision: Revision of the format; needed with reference_renderer and equal to its format_revision.
	Revision string
	pos      [18]uint32
}

const (
	atFormatDeclarationKind = iota
	atFormatDeclarationOptionID
	atFormatDeclarationPublisherDomain
	atFormatDeclarationDisplayName
	atFormatDeclarationSampleRenderURL
	atFormatDeclarationAppliesToChannels
	atFormatDeclarationSellerPreference
	atFormatDeclarationLocalePolicy
	atFormatDeclarationCanonicalFormatsOnly
	atFormatDeclarationExperimental
	atFormatDeclarationShape
	atFormatDeclarationSchema
	atFormatDeclarationV1FormatRefs
	atFormatDeclarationAppliesToPropertyIDs
	atFormatDeclarationAppliesToPropertyTags
	atFormatDeclarationParams
	atFormatDeclarationReferenceRenderer
	atFormatDeclarationRevision
)

func (x *FormatDeclaration) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// ReferenceRenderer is a pinned package that renders a format.
type ReferenceRenderer struct {
	entry
	// Runtime is the member runtime: browser-esm.
	Runtime string
	// Package is the member package: Name of the package, with or without a scope.
	Package string
	// Version is the member version: One exact version of the package, never a range.
	Version string
	// Export is the member export: The export of the package that renders.
	Export string
	// FormatRevision is the member format_revision: The format revision this version renders.
	FormatRevision string
	// Integrity is the member integrity: Subresource integrity hash of the package.
	Integrity string
	// Provenance is the member provenance: Where and how the package was built.
	Provenance *RendererProvenance
	pos        [7]uint32
}

const (
	atReferenceRendererRuntime = iota
	atReferenceRendererPackage
	atReferenceRendererVersion
	atReferenceRendererExport
	atReferenceRendererFormatRevision
	atReferenceRendererIntegrity
	atReferenceRendererProvenance
)

func (x *ReferenceRenderer) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// RendererProvenance is the repository and workflow that built a renderer.
type RendererProvenance struct {
	entry
	// SourceRepository is the member source_repository: The repository on GitHub.
	SourceRepository string
	// WorkflowPath is the member workflow_path: The workflow file that published the package.
	WorkflowPath string
	pos          [2]uint32
}

const (
	atRendererProvenanceSourceRepository = iota
	atRendererProvenanceWorkflowPath
)

func (x *RendererProvenance) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Signal is a signal: a reference to a signal catalog, or a full definition.
type Signal struct {
	entry
	// CatalogURL is the member catalog_url: Reference form: URL of the signal catalog.
	CatalogURL string
	// Relationship is the member relationship: Reference form: how the publisher stands to the catalog, for example direct.
	Relationship string
	// ID is the member id: Definition form: stable id, referred to by signal_ids; unique in the file.
	ID string
	// Name is the member name: Name a person recognises.
	Name string
	// Description is the member description: What the signal means and how it is made.
	Description string
	// ValueType is the member value_type: Whether the value is yes or no, one of a list, or a number.
	ValueType string
	// Category is the member category: Broad group, for example purchase_intent or location; other words are allowed.
	Category string
	// Tags is the member tags: Groups the signal belongs to, matched by signal_tags.
	Tags []string
	// AllowedValues is the member allowed_values: For a categorical signal: the values it can take.
	AllowedValues []string
	// Range is the member range: For a numeric signal: the lowest and highest value.
	Range *SignalRange
	// RestrictedAttributes is the member restricted_attributes: Protected attributes the signal touches.
	RestrictedAttributes []string
	// DemographicPredicate is the member demographic_predicate: The ages the signal selects; needs age among restricted_attributes.
	DemographicPredicate *DemographicPredicate
	// PolicyCategories is the member policy_categories: Ids of the policy categories the signal is sensitive for.
	PolicyCategories []string
	// Taxonomy is the member taxonomy: Where the signal sits in an outside taxonomy.
	Taxonomy *Taxonomy
	// SegmentationCriteria is the member segmentation_criteria: The rule that puts someone into the segment, in words.
	SegmentationCriteria string
	// CriteriaURL is the member criteria_url: A longer description of the criteria or method.
	CriteriaURL string
	// DataSources is the member data_sources: Where the raw data came from; offline and public-record sources need onboarder.
	DataSources []string
	// Methodology is the member methodology: How membership was established; modeled needs modeling.
	Methodology string
	// AudienceExpansion is the member audience_expansion: Whether similar people were added; true needs modeling.
	AudienceExpansion bool
	// DeviceExpansion is the member device_expansion: Whether other devices of the same person, household or business were added.
	DeviceExpansion bool
	// RefreshCadence is the member refresh_cadence: How often membership is computed anew.
	RefreshCadence string
	// LookbackWindow is the member lookback_window: How far back a qualifying event may lie.
	LookbackWindow string
	// Onboarder is the member onboarder: How offline records were matched to digital identifiers.
	Onboarder *Onboarder
	// SubjectType is the member subject_type: Whom or what the signal describes.
	SubjectType string
	// ResolutionMethod is the member resolution_method: How the subject is recognised when an ad is decided.
	ResolutionMethod string
	// IDTypes is the member id_types: The kinds of identifier the signal was built on.
	IDTypes []string
	// AudienceScope is the member audience_scope: Where the behaviour was seen; single_domain needs originating_domain.
	AudienceScope string
	// OriginatingDomain is the member originating_domain: The site or app the audience comes from.
	OriginatingDomain string
	// Countries is the member countries: Countries the signal may be used in, as ISO 3166-1 alpha-2 codes.
	Countries []string
	// ConsentBasis is the member consent_basis: Legal grounds on which the data is processed.
	ConsentBasis []string
	// Art9Basis is the member art9_basis: Ground under GDPR article 9, for special categories of data.
	Art9Basis string
	// Modeling is the member modeling: How the model behind the signal was built.
	Modeling *Modeling
	// DataSubjectRights is the member data_subject_rights: Where people can use their rights over the data.
	DataSubjectRights *DataSubjectRights
	// LastUpdated is the member last_updated: When this definition last changed.
	LastUpdated Timestamp
	// DTSCompliantVersion is the member dts_compliant_version: Version of the data transparency standard the definition follows.
	DTSCompliantVersion string
	pos                 [35]uint32
}

const (
	atSignalCatalogURL = iota
	atSignalRelationship
	atSignalID
	atSignalName
	atSignalDescription
	atSignalValueType
	atSignalCategory
	atSignalTags
	atSignalAllowedValues
	atSignalRange
	atSignalRestrictedAttributes
	atSignalDemographicPredicate
	atSignalPolicyCategories
	atSignalTaxonomy
	atSignalSegmentationCriteria
	atSignalCriteriaURL
	atSignalDataSources
	atSignalMethodology
	atSignalAudienceExpansion
	atSignalDeviceExpansion
	atSignalRefreshCadence
	atSignalLookbackWindow
	atSignalOnboarder
	atSignalSubjectType
	atSignalResolutionMethod
	atSignalIDTypes
	atSignalAudienceScope
	atSignalOriginatingDomain
	atSignalCountries
	atSignalConsentBasis
	atSignalArt9Basis
	atSignalModeling
	atSignalDataSubjectRights
	atSignalLastUpdated
	atSignalDTSCompliantVersion
)

func (x *Signal) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// SignalRange is the span of a numeric signal.
type SignalRange struct {
	entry
	// Min is the member min: Lowest value.
	Min Number
	// Max is the member max: Highest value; not below min.
	Max Number
	// Unit is the member unit: What is counted, for example score or years.
	Unit string
	pos  [3]uint32
}

const (
	atSignalRangeMin = iota
	atSignalRangeMax
	atSignalRangeUnit
)

func (x *SignalRange) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// DemographicPredicate is demographic limits of a signal.
type DemographicPredicate struct {
	entry
	// Age is the member age: The ages included.
	Age *AgePredicate
	pos [1]uint32
}

const (
	atDemographicPredicateAge = iota
)

func (x *DemographicPredicate) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// AgePredicate is a span of ages, open at one end if only min or max is given.
type AgePredicate struct {
	entry
	// Min is the member min: Youngest age included.
	Min Number
	// Max is the member max: Oldest age included; not below min.
	Max Number
	// IncludeUnknown is the member include_unknown: Whether people of unknown age are included.
	IncludeUnknown bool
	pos            [3]uint32
}

const (
	atAgePredicateMin = iota
	atAgePredicateMax
	atAgePredicateIncludeUnknown
)

func (x *AgePredicate) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Taxonomy is the place of a signal in an outside taxonomy.
type Taxonomy struct {
	entry
	// Ref is the member ref: URI of the taxonomy or of its documentation.
	Ref string
	// Version is the member version: Version of the taxonomy.
	Version string
	// Segtax is the member segtax: OpenRTB number of the taxonomy, when it has one.
	Segtax Number
	// ETag is the member etag: Version token of a custom taxonomy, to notice changes.
	ETag string
	// Values is the member values: The taxonomy nodes that describe this signal.
	Values []TaxonomyValue
	// ValueMappings is the member value_mappings: For a categorical signal: the node each allowed value stands for.
	ValueMappings []ValueMapping
	// ParentMatchBehavior is the member parent_match_behavior: Whether naming a parent node also covers the nodes below it.
	ParentMatchBehavior string
	pos                 [7]uint32
}

const (
	atTaxonomyRef = iota
	atTaxonomyVersion
	atTaxonomySegtax
	atTaxonomyETag
	atTaxonomyValues
	atTaxonomyValueMappings
	atTaxonomyParentMatchBehavior
)

func (x *Taxonomy) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// TaxonomyValue is one node of a taxonomy.
type TaxonomyValue struct {
	entry
	// ID is the member id: Id of the node.
	ID string
	// Path is the member path: Path of the node, for people.
	Path string
	// Modifiers is the member modifiers: Qualifiers the taxonomy defines for the node.
	Modifiers []string
	pos       [3]uint32
}

const (
	atTaxonomyValueID = iota
	atTaxonomyValuePath
	atTaxonomyValueModifiers
)

func (x *TaxonomyValue) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// ValueMapping is the taxonomy node an allowed value stands for.
type ValueMapping struct {
	entry
	// Value is the member value: One of the signal's allowed_values.
	Value string
	// TaxonomyValueID is the member taxonomy_value_id: Id of the taxonomy node.
	TaxonomyValueID string
	// Path is the member path: Path of the node, for people.
	Path string
	// Modifiers is the member modifiers: Qualifiers the taxonomy defines for the node.
	Modifiers []string
	pos       [4]uint32
}

const (
	atValueMappingValue = iota
	atValueMappingTaxonomyValueID
	atValueMappingPath
	atValueMappingModifiers
)

func (x *ValueMapping) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Onboarder is how offline records were matched to digital identifiers.
type Onboarder struct {
	entry
	// MatchKeys is the member match_keys: The data the records were matched on.
	MatchKeys []string
	// PreOnboardingAudienceExpansion is the member pre_onboarding_audience_expansion: Whether similar people were added before matching.
	PreOnboardingAudienceExpansion bool
	// PreOnboardingDeviceExpansion is the member pre_onboarding_device_expansion: Whether other devices were added before matching.
	PreOnboardingDeviceExpansion bool
	// PreOnboardingPrecisionLevel is the member pre_onboarding_precision_level: What one offline record stood for.
	PreOnboardingPrecisionLevel string
	pos                         [4]uint32
}

const (
	atOnboarderMatchKeys = iota
	atOnboarderPreOnboardingAudienceExpansion
	atOnboarderPreOnboardingDeviceExpansion
	atOnboarderPreOnboardingPrecisionLevel
)

func (x *Onboarder) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Modeling is how the model behind a signal was built.
type Modeling struct {
	entry
	// Method is the member method: The kind of model.
	Method string
	// SeedSource is the member seed_source: The data the model started from.
	SeedSource *SeedSource
	// TrainingDataJurisdictions is the member training_data_jurisdictions: Countries the training data was collected in, as ISO 3166-1 alpha-2 codes.
	TrainingDataJurisdictions []string
	// AIActRiskClass is the member ai_act_risk_class: Risk class under the EU AI Act, as the provider declares it.
	AIActRiskClass string
	// Disclosure is the member disclosure: Where and to whom the use of a model must be disclosed.
	Disclosure *Disclosure
	pos        [5]uint32
}

const (
	atModelingMethod = iota
	atModelingSeedSource
	atModelingTrainingDataJurisdictions
	atModelingAIActRiskClass
	atModelingDisclosure
)

func (x *Modeling) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// SeedSource is the data a model started from.
type SeedSource struct {
	entry
	// Type is the member type: The kind of seed data.
	Type string
	// ProviderSigned is the member provider_signed: Whether the provider signed a statement about the seed.
	ProviderSigned bool
	pos            [2]uint32
}

const (
	atSeedSourceType = iota
	atSeedSourceProviderSigned
)

func (x *SeedSource) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Disclosure is duties to disclose the use of a model.
type Disclosure struct {
	entry
	// Required is the member required: Whether a disclosure is owed anywhere; true needs jurisdictions.
	Required bool
	// Jurisdictions is the member jurisdictions: The places where a disclosure is owed.
	Jurisdictions []DisclosureJurisdiction
	// Notes is the member notes: Remarks for people who read the disclosure.
	Notes string
	pos   [3]uint32
}

const (
	atDisclosureRequired = iota
	atDisclosureJurisdictions
	atDisclosureNotes
)

func (x *Disclosure) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// DisclosureJurisdiction is one place where a disclosure is owed.
type DisclosureJurisdiction struct {
	entry
	// Country is the member country: ISO 3166-1 alpha-2 code of the country.
	Country string
	// Region is the member region: Part of the country, when the duty is regional.
	Region string
	// Regulation is the member regulation: The law or rule that asks for the disclosure.
	Regulation string
	// DisclosureText is the member disclosure_text: The text to show.
	DisclosureText string
	// DisclosureURL is the member disclosure_url: A page with the full disclosure.
	DisclosureURL string
	// Audience is the member audience: Whom the disclosure is for.
	Audience string
	pos      [6]uint32
}

const (
	atDisclosureJurisdictionCountry = iota
	atDisclosureJurisdictionRegion
	atDisclosureJurisdictionRegulation
	atDisclosureJurisdictionDisclosureText
	atDisclosureJurisdictionDisclosureURL
	atDisclosureJurisdictionAudience
)

func (x *DisclosureJurisdiction) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// DataSubjectRights is where people can use their rights over the data.
type DataSubjectRights struct {
	entry
	// UpstreamSourceDomain is the member upstream_source_domain: The data source the channels lead to, when it is not this domain.
	UpstreamSourceDomain string
	// Channels is the member channels: Ways to make a request; access, erasure or objection must be among the rights.
	Channels []RightsChannel
	// ResponseSLADays is the member response_sla_days: Days within which requests are answered.
	ResponseSLADays Number
	// CCPAOptOutURL is the member ccpa_opt_out_url: Page where Californians can opt out.
	CCPAOptOutURL string
	pos           [4]uint32
}

const (
	atDataSubjectRightsUpstreamSourceDomain = iota
	atDataSubjectRightsChannels
	atDataSubjectRightsResponseSLADays
	atDataSubjectRightsCCPAOptOutURL
)

func (x *DataSubjectRights) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// RightsChannel is one way to make a request about personal data.
type RightsChannel struct {
	entry
	// Rights is the member rights: The rights this channel handles.
	Rights []string
	// URL is the member url: Page or form for requests; url or email must be given.
	URL string
	// Email is the member email: Address for requests; url or email must be given.
	Email string
	// Languages is the member languages: Languages requests can be made in.
	Languages []string
	// Countries is the member countries: Countries the channel serves, as ISO 3166-1 alpha-2 codes.
	Countries []string
	pos       [5]uint32
}

const (
	atRightsChannelRights = iota
	atRightsChannelURL
	atRightsChannelEmail
	atRightsChannelLanguages
	atRightsChannelCountries
)

func (x *RightsChannel) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Tag is what a tag means.
type Tag struct {
	entry
	// Key is the member name the object stands under.
	Key string
	// Name is the member name: Name a person recognises.
	Name string
	// Description is the member description: What carrying this tag means.
	Description string
	pos         [2]uint32
}

const (
	atTagName = iota
	atTagDescription
)

func (x *Tag) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Agent is an agent and the slice of inventory it may sell.
type Agent struct {
	entry
	// URL is the member url: The agent's API endpoint.
	URL string
	// AuthorizedFor is the member authorized_for: What the agent may sell, in words, for people.
	AuthorizedFor string
	// Type is the member authorization_type: Which selector below says what is covered.
	Type AuthorizationType
	// PropertyIDs is the member property_ids: With authorization_type property_ids: ids of top-level properties.
	PropertyIDs []string
	// PropertyTags is the member property_tags: With authorization_type property_tags: properties carrying any of these tags.
	PropertyTags []string
	// Properties is the member properties: With authorization_type inline_properties: the properties themselves.
	Properties []Property
	// Selectors is the member publisher_properties: With authorization_type publisher_properties: selectors over other publishers' files.
	Selectors []Selector
	// SignalIDs is the member signal_ids: With authorization_type signal_ids: ids of top-level signals.
	SignalIDs []string
	// SignalTags is the member signal_tags: With authorization_type signal_tags: signals carrying any of these tags.
	SignalTags []string
	// DelegationType is the member delegation_type: Whether this is the publisher's direct path, a delegate, or a network.
	DelegationType string
	// Collections is the member collections: Narrows the entry to these content programs.
	Collections []CollectionSelector
	// PlacementIDs is the member placement_ids: Narrows the entry to these placements of this file.
	PlacementIDs []string
	// PlacementTags is the member placement_tags: Narrows the entry to placements carrying any of these tags.
	PlacementTags []string
	// Countries is the member countries: Narrows the entry to these countries, as ISO 3166-1 alpha-2 codes.
	Countries []string
	// EffectiveFrom is the member effective_from: The authorization starts at this instant.
	EffectiveFrom Timestamp
	// EffectiveUntil is the member effective_until: The authorization ends after this instant.
	EffectiveUntil Timestamp
	// Exclusive is the member exclusive: True when this is the only authorized path for the slice.
	Exclusive bool
	// SigningKeys is the member signing_keys: Public keys the publisher vouches for; buyers accept signatures by these keys only.
	SigningKeys []SigningKey
	// EncryptionKeys is the member encryption_keys: Public X25519 keys for messages to the agent.
	EncryptionKeys []EncryptionKey
	// LastUpdated is the member last_updated: When this entry last changed; advisory.
	LastUpdated Timestamp
	pos         [20]uint32
}

const (
	atAgentURL = iota
	atAgentAuthorizedFor
	atAgentType
	atAgentPropertyIDs
	atAgentPropertyTags
	atAgentProperties
	atAgentSelectors
	atAgentSignalIDs
	atAgentSignalTags
	atAgentDelegationType
	atAgentCollections
	atAgentPlacementIDs
	atAgentPlacementTags
	atAgentCountries
	atAgentEffectiveFrom
	atAgentEffectiveUntil
	atAgentExclusive
	atAgentSigningKeys
	atAgentEncryptionKeys
	atAgentLastUpdated
)

func (x *Agent) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Selector is properties of one or several publishers.
type Selector struct {
	entry
	// PublisherDomain is the member publisher_domain: One publisher; exactly one of publisher_domain and publisher_domains.
	PublisherDomain string
	// PublisherDomains is the member publisher_domains: Several publishers; with selection_type all or by_tag only.
	PublisherDomains []string
	// SelectionType is the member selection_type: How properties are picked from each publisher's file.
	SelectionType string
	// PropertyIDs is the member property_ids: With by_id: the property ids.
	PropertyIDs []string
	// PropertyTags is the member property_tags: With by_tag: properties carrying any of these tags.
	PropertyTags []string
	pos          [5]uint32
}

const (
	atSelectorPublisherDomain = iota
	atSelectorPublisherDomains
	atSelectorSelectionType
	atSelectorPropertyIDs
	atSelectorPropertyTags
)

func (x *Selector) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// CollectionSelector is content programs of one publisher.
type CollectionSelector struct {
	entry
	// PublisherDomain is the member publisher_domain: The publisher that declares the collections.
	PublisherDomain string
	// CollectionIDs is the member collection_ids: Ids of its collections; all of them without this member.
	CollectionIDs []string
	pos           [2]uint32
}

const (
	atCollectionSelectorPublisherDomain = iota
	atCollectionSelectorCollectionIDs
)

func (x *CollectionSelector) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// SigningKey is a public key (JWK) the publisher pins for an agent.
type SigningKey struct {
	entry
	// Kid is the member kid: Key id, as in the signature's keyid.
	Kid string
	// Kty is the member kty: Key type: OKP (Ed25519) or EC (P-256).
	Kty string
	// Alg is the member alg: EdDSA or ES256.
	Alg string
	// Use is the member use: sig.
	Use string
	// KeyOps is the member key_ops: verify.
	KeyOps []string
	// Crv is the member crv: Ed25519 or P-256.
	Crv string
	// X is the member x: Public key coordinate, base64url without padding.
	X string
	// Y is the member y: Second coordinate of an EC key, base64url without padding.
	Y string
	// N is the member n: RSA modulus; RSA keys are read but never verify.
	N string
	// E is the member e: RSA exponent.
	E string
	// AdcpUse is the member adcp_use: Purpose within the protocol, for example request-signing.
	AdcpUse string
	// RevokedAt is the member revoked_at: Signatures made at or after this instant are rejected.
	RevokedAt Timestamp
	pos       [12]uint32
}

const (
	atSigningKeyKid = iota
	atSigningKeyKty
	atSigningKeyAlg
	atSigningKeyUse
	atSigningKeyKeyOps
	atSigningKeyCrv
	atSigningKeyX
	atSigningKeyY
	atSigningKeyN
	atSigningKeyE
	atSigningKeyAdcpUse
	atSigningKeyRevokedAt
)

func (x *SigningKey) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// EncryptionKey is a public X25519 key of an agent.
type EncryptionKey struct {
	entry
	// Kid is the member kid: Key id, at most 8 characters.
	Kid string
	// Kty is the member kty: OKP.
	Kty string
	// Crv is the member crv: X25519.
	Crv string
	// Use is the member use: enc.
	Use string
	// X is the member x: The 32-byte public key, base64url without padding.
	X   string
	pos [5]uint32
}

const (
	atEncryptionKeyKid = iota
	atEncryptionKeyKty
	atEncryptionKeyCrv
	atEncryptionKeyUse
	atEncryptionKeyX
)

func (x *EncryptionKey) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Revocation is a publisher that is no longer part of this network's file.
type Revocation struct {
	entry
	// PublisherDomain is the member publisher_domain: The publisher whose authorization ends.
	PublisherDomain string
	// RevokedAt is the member revoked_at: When it ended; the revocation takes effect when it is read, whatever this says.
	RevokedAt Timestamp
	// Reason is the member reason: Why, for example relationship_ended.
	Reason string
	pos    [3]uint32
}

const (
	atRevocationPublisherDomain = iota
	atRevocationRevokedAt
	atRevocationReason
)

func (x *Revocation) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Feature is a governance agent that holds data about the properties.
type Feature struct {
	entry
	// URL is the member url: Endpoint of the governance agent.
	URL string
	// Name is the member name: Vendor or agent name.
	Name string
	// Features is the member features: Ids of the features the agent can report, such as carbon or fraud scores.
	Features []string
	// PublisherID is the member publisher_id: The publisher's identifier at that agent.
	PublisherID string
	pos         [4]uint32
}

const (
	atFeatureURL = iota
	atFeatureName
	atFeatureFeatures
	atFeaturePublisherID
)

func (x *Feature) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }

// Pointer is a file that only names where the authoritative file is.
type Pointer struct {
	entry
	// Schema is the member $schema: URL of the JSON Schema, so that editors can check the file while it is typed.
	Schema string
	// AuthoritativeLocation is the member authoritative_location: The https URL of the authoritative file; it must answer 200 directly, without any redirect.
	AuthoritativeLocation string
	// LastUpdated is the member last_updated: When this pointer last changed, not the file it points to.
	LastUpdated Timestamp
	pos         [3]uint32
}

const (
	atPointerSchema = iota
	atPointerAuthoritativeLocation
	atPointerLastUpdated
)

func (x *Pointer) member(field int) Value { return memberAt(x.Raw, x.pos[field]) }
