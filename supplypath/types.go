package supplypath

// SemanticsVersion names the rules of the evaluator in answers.
const SemanticsVersion = "1"

// A State is what is proved of a path.
type State string

// The states, from the weakest to the strongest.
const (
	// Unverified means that nothing can be proved.
	Unverified State = "unverified"
	// OwnerAttested means that only the owner says so. It helps to find paths and authorizes nothing.
	OwnerAttested State = "owner_attested"
	// HostDelegated means that the host's ads.txt names the owner, which names the agent. It proves
	// neither a property nor this agent at the host.
	HostDelegated State = "host_delegated"
	// VerifiedOwnerSold means that the host grants this agent this collection of the owner, on
	// every property that carries it.
	VerifiedOwnerSold State = "verified_owner_sold"
)

// States are all states, from the weakest to the strongest.
func States() []State { return []State{Unverified, OwnerAttested, HostDelegated, VerifiedOwnerSold} }

// A Failure says why a leg is not ok.
type Failure string

// The failures. Each leg has some of them.
const (
	ManifestNotFound        Failure = "manifest_not_found"
	PublisherRevoked        Failure = "publisher_revoked"
	NoCollectionsDeclared   Failure = "no_collections_declared"
	CollectionNotDeclared   Failure = "collection_not_declared"
	CollectionLegFailed     Failure = "collection_leg_failed"
	NoDistributionForHost   Failure = "no_distribution_for_host"
	PropertyIDsUnresolved   Failure = "property_ids_unresolved"
	HostManifestNotFound    Failure = "host_manifest_not_found"
	AgentNotDeclared        Failure = "agent_not_declared_by_owner"
	NoAgentEntry            Failure = "no_agent_entry"
	CollectionScopeMismatch Failure = "collection_scope_mismatch"
	PropertyScopeMismatch   Failure = "property_scope_mismatch"
	UnsupportedConstraints  Failure = "unsupported_constraints"
	NotDeclared             Failure = "not_declared"
	AdsTxtUnavailable       Failure = "ads_txt_unavailable"
	NotEvaluated            Failure = "not_evaluated"
	LimitExceeded           Failure = "evaluation_limit_exceeded"
)

// details say in a sentence what a failure means.
var details = map[Failure]string{
	ManifestNotFound:      "there is no adagents.json that counts",
	PublisherRevoked:      "the owner's file revokes the owner itself",
	NoCollectionsDeclared: "the owner declares no collections",
	CollectionNotDeclared: "the owner does not declare exactly one collection of this id",
	CollectionLegFailed:   "without the collection there is no distribution to look at",
	NoDistributionForHost: "the distribution of the collection does not name the host",
	PropertyIDsUnresolved: "the distribution names properties that the host does not declare exactly once, or is " +
		"malformed",
	HostManifestNotFound:    "without the host's adagents.json its properties are not known",
	AgentNotDeclared:        "no usable entry of the owner's file names this agent for the collection",
	NoAgentEntry:            "no entry of the host's file names this agent",
	CollectionScopeMismatch: "no entry for this agent names the owner's collection, or one side revokes the other",
	PropertyScopeMismatch:   "no entry for this agent reaches every property that carries the collection",
	UnsupportedConstraints:  "the grant has limits that are not evaluated, so it cannot be relied on",
	NotDeclared:             "the files that apply do not name the owner as inventory partner",
	AdsTxtUnavailable:       "no file that applies could be read",
	NotEvaluated:            "ads.txt was not needed",
	LimitExceeded:           "the files are too large to evaluate; this says nothing about the publishers",
}

// A Result is the answer to an Input. Its JSON is the part of the protocol's answer that depends on the
// files alone.
type Result struct {
	SemanticsVersion string `json:"semantics_version"`
	State            State  `json:"state"`
	// Collection is the id of the collection that the legs are about, if it is declared.
	Collection string `json:"resolved_collection_id,omitempty"`
	Legs       Legs   `json:"legs"`
}

// Legs are the five things that are looked at.
type Legs struct {
	// Collection is whether the owner declares the collection.
	Collection Leg `json:"owner_collection_declared"`
	// Carriage is whether the owner says that the host carries it, on properties that exist.
	Carriage Carriage `json:"owner_distribution_carriage"`
	// Agent is whether the owner names the agent.
	Agent Leg `json:"owner_agent_declared"`
	// Host is whether the host grants the agent the collection.
	Host Grant `json:"host_authorization"`
	// Partner is whether the host's ads.txt names the owner.
	Partner Leg `json:"inventory_partner_domain"`
}

// A Leg is one thing that was looked at.
type Leg struct {
	OK bool `json:"ok"`
	// Failure is empty exactly when the leg is ok.
	Failure Failure `json:"failure,omitempty"`
	// Detail is a sentence for people.
	Detail string `json:"detail,omitempty"`
}

// A Carriage is the leg about distribution, with the host's properties that the owner names.
type Carriage struct {
	Leg
	Matched   []string `json:"property_ids_matched"`
	Unmatched []string `json:"property_ids_unmatched"`
}

// A Grant is the leg about the host, with the entry that grants.
type Grant struct {
	Leg
	Entry *Entry `json:"matched_entry,omitempty"`
}

// An Entry is what matters of an entry in the host's file. Its texts are outside text.
type Entry struct {
	URL               string     `json:"url"`
	AuthorizationType string     `json:"authorization_type,omitempty"`
	DelegationType    string     `json:"delegation_type,omitempty"`
	Collections       []Selector `json:"collections,omitempty"`
}

// A Selector names collections of an owner: all of them without ids.
type Selector struct {
	Publisher string   `json:"publisher_domain"`
	IDs       []string `json:"collection_ids,omitempty"`
}

func ok(detail string) Leg { return Leg{OK: true, Detail: detail} }

func failed(why Failure) Leg { return Leg{Failure: why, Detail: details[why]} }
