package supply

import (
	"net/url"

	"github.com/avow-project/avow/internal/answer"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/resolve"
	"github.com/avow-project/avow/supplypath"
)

// A Document is an answer as JSON. Its members are those of the protocol, and a few of ours.
type Document struct {
	SemanticsVersion string      `json:"semantics_version" doc:"Always 1: the rules of the evaluation."`
	State            string      `json:"state" enum:"unverified,owner_attested,host_delegated,verified_owner_sold" doc:"From the weakest to the strongest. Only verified_owner_sold is an authorization."`
	Collection       string      `json:"resolved_collection_id,omitempty" from:"id,kept" doc:"The collection that the legs are about; present if the owner declares it."`
	Legs             PathLegs    `json:"legs" doc:"What was found at each step."`
	OwnerDomain      string      `json:"owner_domain" doc:"The owner of the channel, in canonical form."`
	HostDomain       string      `json:"host_domain" doc:"The host, in canonical form."`
	AgentURL         string      `json:"agent_url" doc:"The agent as asked."`
	CollectionID     string      `json:"collection_id,omitempty" from:"id,kept" doc:"The collection as asked; absent if none was."`
	Sources          PathOrigins `json:"sources" doc:"Where the files came from."`
	CheckedAt        string      `json:"checked_at" format:"date-time" doc:"The time of the decision. It does not say how old the files are."`
	Undetermined     string      `json:"undetermined,omitempty" doc:"Why the path may still be verified: something could not be found out. Absent from certain answers."`
	OwnerTrouble     string      `json:"owner_file_unused,omitempty" doc:"Why the owner's file is not used."`
	HostTrouble      string      `json:"host_file_unused,omitempty" doc:"Why the host's file is not used."`
}

// PathLegs are the five things that are looked at.
type PathLegs struct {
	Collection PathLeg      `json:"owner_collection_declared" doc:"Whether the owner declares the collection."`
	Carriage   PathCarriage `json:"owner_distribution_carriage" doc:"Whether the owner says that the host carries it, on properties that exist."`
	Agent      PathLeg      `json:"owner_agent_declared" doc:"Whether the owner's file names the agent for it. Not needed for verified_owner_sold."`
	Host       PathGrant    `json:"host_authorization" doc:"Whether the host's file grants the agent the collection on every property that carries it."`
	Partner    PathLeg      `json:"inventory_partner_domain" doc:"Whether the host's ads.txt or app-ads.txt names the owner; not evaluated if the host's file is enough."`
}

// PathLeg is one thing that was looked at.
type PathLeg struct {
	OK      bool   `json:"ok" doc:"Whether the leg holds."`
	Failure string `json:"failure,omitempty" doc:"Why it does not, as a code."`
	Detail  string `json:"detail,omitempty" doc:"The same as a sentence, or what was found."`
}

// PathCarriage is the leg about distribution.
type PathCarriage struct {
	PathLeg
	Matched   []string `json:"property_ids_matched" from:"id,kept" doc:"Properties of the host that the owner names."`
	Unmatched []string `json:"property_ids_unmatched" from:"id,kept" doc:"Names of properties that the host does not declare exactly once."`
}

// PathGrant is the leg about the host.
type PathGrant struct {
	PathLeg
	Entry *PathEntry `json:"matched_entry,omitempty" doc:"The entry that grants."`
}

// PathEntry is what matters of an entry in the host's file.
type PathEntry struct {
	URL               string           `json:"url" doc:"The agent as the host writes it."`
	AuthorizationType string           `json:"authorization_type,omitempty" from:"id,kept" doc:"How the entry selects properties."`
	DelegationType    string           `json:"delegation_type,omitempty" from:"id,kept" doc:"direct, delegated or ad_network."`
	Collections       []PathCollection `json:"collections,omitempty" doc:"The collections that the entry is for."`
}

// PathCollection names collections of an owner.
type PathCollection struct {
	Publisher string   `json:"publisher_domain" from:"id,kept" doc:"The owner of the collections."`
	IDs       []string `json:"collection_ids,omitempty" from:"id,kept" doc:"Their ids; absent for all of the owner's."`
}

func legOf(l supplypath.Leg) PathLeg { return PathLeg{l.OK, string(l.Failure), l.Detail} }

func legsOf(l *supplypath.Legs) PathLegs {
	out := PathLegs{
		Collection: legOf(l.Collection),
		Carriage:   PathCarriage{legOf(l.Carriage.Leg), l.Carriage.Matched, l.Carriage.Unmatched},
		Agent:      legOf(l.Agent), Host: PathGrant{PathLeg: legOf(l.Host.Leg)}, Partner: legOf(l.Partner),
	}
	if e := l.Host.Entry; e != nil {
		out.Host.Entry = &PathEntry{URL: e.URL, AuthorizationType: e.AuthorizationType, DelegationType: e.DelegationType}
		for _, c := range e.Collections {
			out.Host.Entry.Collections = append(out.Host.Entry.Collections, PathCollection{c.Publisher, c.IDs})
		}
	}
	return out
}

// PathOrigins say where the files of the two publishers came from. Members about a file that is not
// used are null.
type PathOrigins struct {
	OwnerURL     string  `json:"owner_adagents_url" doc:"The owner's well-known URL."`
	HostURL      string  `json:"host_adagents_url" doc:"The host's well-known URL."`
	Cached       bool    `json:"cached" doc:"Always true: answers come from the registry's records."`
	OwnerFetched *string `json:"owner_fetched_at" format:"date-time" doc:"When the owner's file was last confirmed."`
	HostFetched  *string `json:"host_fetched_at" format:"date-time" doc:"When the host's file was last confirmed."`
	OwnerCameFor *string `json:"owner_resolved_url" doc:"Where the owner's file came from in the end."`
	HostCameFor  *string `json:"host_resolved_url" doc:"Where the host's file came from in the end."`
}

// Document returns the answer as JSON. public leaves out what is for the operator alone.
func (a *Answer) Document(public bool) *Document {
	d := &Document{
		SemanticsVersion: a.SemanticsVersion, State: string(a.State), Collection: a.Result.Collection, Legs: legsOf(&a.Legs),
		OwnerDomain: a.Owner, HostDomain: a.Host,
		AgentURL: a.Agent, CollectionID: a.Question.Collection, CheckedAt: answer.Time(a.At), Undetermined: a.Open,
		OwnerTrouble: a.OwnerFile.Why(public), HostTrouble: a.HostFile.Why(public),
	}
	d.Sources = PathOrigins{OwnerURL: wellKnown(a.Owner), HostURL: wellKnown(a.Host), Cached: true}
	d.Sources.OwnerFetched, d.Sources.OwnerCameFor = a.OwnerFile.origin()
	d.Sources.HostFetched, d.Sources.HostCameFor = a.HostFile.origin()
	return d
}

func wellKnown(domain string) string { return "https://" + domain + "/.well-known/adagents.json" }

func (f *File) origin() (*string, *string) {
	if !f.Counts {
		return nil, nil
	}
	at, url := answer.Time(f.FetchedAt), f.URL
	return &at, &url
}

// Why says why a file is not used; empty for one that is. How a host could not be reached is for the operator alone.
func (f *File) Why(public bool) string {
	switch {
	case f.Counts:
		return ""
	case f.Trouble == "", public && f.State == resolve.Unreachable:
		return f.State.String()
	}
	return redact.Credentials(f.Trouble)
}

// Values returns the question by the names of the command's flags, for a receipt.
func (q *Question) Values() url.Values {
	v := url.Values{"owner": {q.Owner}, "host": {q.Host}, "agent": {q.Agent}}
	if q.Collection != "" {
		v.Set("collection", q.Collection)
	}
	return v
}
