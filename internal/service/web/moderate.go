package web

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/edge"
	"github.com/avow-project/avow/internal/service/registry"
)

const (
	// keyCookie keeps the key of a moderator in the browser, for as long as keyAge. No script
	// can read it, no other site can have it sent, and it goes to the pages of moderators only.
	// The service keeps nothing: a key that is revoked is refused at the next request.
	keyCookie, keyAge = "avow_moderator", 12 * time.Hour
	// mostShown is how many rows each list of moderators has.
	mostShown = 100
)

// foreignPosts refuses forms that other sites have sent.
var foreignPosts = http.NewCrossOriginProtection()

// setKey has the browser keep a key; an empty one has it forget.
func setKey(w http.ResponseWriter, r *http.Request, secret string) {
	c := &http.Cookie{
		Name: keyCookie, Value: secret, Path: moderatePath, MaxAge: int(keyAge / time.Second),
		HttpOnly: true, Secure: registry.CallOf(r.Context()).Secure, SameSite: http.SameSiteStrictMode,
	}
	if secret == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// moderator returns the caller by the key in the request's cookie. When it returns false, the
// request is answered with the form for a key.
func (p *Pages) moderator(w http.ResponseWriter, r *http.Request) (registry.Caller, bool) {
	cookie, err := r.Cookie(keyCookie)
	if err != nil {
		p.renderPrivate(w, r, http.StatusOK, "moderate", &moderatePage{})
		return registry.Caller{}, false
	}
	caller, err := p.callerOf(r, cookie.Value)
	if err == nil {
		return caller, true
	}
	known := edge.Problem(err)
	if known.Kind != registry.Unauthorized && known.Kind != registry.Forbidden {
		p.failed(w, r, err, domainForm{})
		return registry.Caller{}, false
	}
	setKey(w, r, "")
	p.wrongKey(w, r, known)
	return registry.Caller{}, false
}

// callerOf returns the owner of a key, if that is a moderator. Who tries many that are
// none is refused, as with those in a header.
func (p *Pages) callerOf(r *http.Request, secret string) (registry.Caller, error) {
	key, err := p.service.Authenticate(r.Context(), secret)
	if err != nil {
		if edge.Problem(err).Kind == registry.Unauthorized {
			return registry.Caller{}, cmp.Or(edge.Charge(r.Context(), edge.Denied), err)
		}
		return registry.Caller{}, err
	}
	caller := registry.Caller{Key: key, Client: registry.ClientOf(r.Context())}
	return caller, caller.Require(registry.ScopeModerate)
}

// wrongKey writes the form for a key with what is wrong with the last one.
func (p *Pages) wrongKey(w http.ResponseWriter, r *http.Request, known *registry.Error) {
	message := "this is not a key, or it was revoked"
	if known.Kind == registry.Forbidden {
		message = "this key is not one of a moderator"
	}
	p.renderPrivate(w, r, http.StatusForbidden, "moderate", &moderatePage{Error: message})
}

// renderPrivate writes a page that must not be cached. It is not compressed: the size of a
// page that has both a secret and text of strangers could tell about the secret.
func (p *Pages) renderPrivate(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	w.Header().Set("X-Robots-Tag", "noindex")
	r.Header.Del("Accept-Encoding")
	p.render(w, r, status, name, data)
}

// ownPost reports whether a form is one of ours, and reads no more of it than it needs. When it
// returns false, the request is answered.
func (p *Pages) ownPost(w http.ResponseWriter, r *http.Request) bool {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	r.Header.Del("Accept-Encoding") // see renderPrivate
	err := foreignPosts.Check(r)
	if err != nil {
		p.fail(w, r, &problemPage{
			Status: http.StatusForbidden, Title: "This form came from somewhere else",
			Message: "Another site has sent it, so nothing was done.", Hint: "Use the page for moderators.",
		})
	}
	return err == nil
}

// enter takes the key of a moderator.
func (p *Pages) enter(w http.ResponseWriter, r *http.Request) {
	if !p.ownPost(w, r) {
		return
	}
	secret := strings.TrimSpace(r.PostFormValue("key"))
	_, err := p.callerOf(r, secret)
	if err != nil {
		known := edge.Problem(err)
		if known.Kind != registry.Unauthorized && known.Kind != registry.Forbidden {
			p.failed(w, r, err, domainForm{})
			return
		}
		p.wrongKey(w, r, known)
		return
	}
	setKey(w, r, secret)
	http.Redirect(w, r, moderatePath, http.StatusSeeOther)
}

// leave has the browser forget the key.
func (p *Pages) leave(w http.ResponseWriter, r *http.Request) {
	if p.ownPost(w, r) {
		setKey(w, r, "")
		http.Redirect(w, r, moderatePath, http.StatusSeeOther)
	}
}

// moderatePage is everything that waits for a moderator; without a key it is the form for one.
type moderatePage struct {
	// Key is the name of the moderator's key; empty when there is none.
	Key, Error, Done string
	Holds            []holdView
	Proposals        []proposalRow
	MoreProposals    int
	Mirrors          []mirrorRow
	MoreMirrors      int
	Keys             []keyRow
	Alerts           []alertRow
	MoreHolds        int
	// Undo are decisions that can be taken back.
	Undo []undoView
}

// A holdView is something that is held, with what is in effect beside it.
type holdView struct {
	Name, What   string // as a decision names them
	Title, Why   string
	Now, Next    [][2]string
	Signs        []string
	Decided      string // what was decided before
	Confirm, Not string // words of the buttons
	Publisher    string
	History      string // of the publisher
	Compare      string // where it is decided
}

type proposalRow struct {
	ID, Platform, By string
	At               time.Time
}

type mirrorRow struct {
	Platform, State string
	Publishers      int
	Updated         time.Time
}

type keyRow struct {
	ID, Name, Scope string
	Created         time.Time
	Revoked         bool
}

type alertRow struct {
	Code, About, Message string
	History              string // of the publisher; empty for a file
	At                   time.Time
}

// doneWords are what the page says after a decision, by the word in its address.
var doneWords = map[string]string{
	"confirmed": "The change was confirmed.", "rejected": "The change was rejected.",
	"undone": "The decision was taken back.", "approved": "The proposal was approved: the mirror is served.",
	"declined": "The proposal was rejected.",
}

// moderate answers with the page of moderators.
func (p *Pages) moderate(w http.ResponseWriter, r *http.Request) {
	caller, ok := p.moderator(w, r)
	if !ok {
		return
	}
	page := &moderatePage{Key: safe(caller.Key.Name), Done: doneWords[r.URL.Query().Get("done")]}
	err := p.fillModerate(r.Context(), caller, page)
	if err != nil {
		p.failed(w, r, err, domainForm{})
		return
	}
	p.renderPrivate(w, r, http.StatusOK, "moderate", page)
}

func (p *Pages) fillModerate(ctx context.Context, c registry.Caller, page *moderatePage) error {
	holds, err := p.service.Holds(ctx)
	if err != nil {
		return err
	}
	for i := range holds {
		if len(page.Holds) == mostShown {
			page.MoreHolds = len(holds) - i
			break
		}
		page.Holds = append(page.Holds, holdsOf(&holds[i])...)
	}
	proposals, total, err := p.service.Proposals(ctx, c, registry.Pending, mostShown, 0)
	if err != nil {
		return err
	}
	for i := range proposals {
		x := &proposals[i]
		page.Proposals = append(page.Proposals,
			proposalRow{ID: x.ID, Platform: safe(x.Platform), By: safe(x.SubmittedBy), At: x.SubmittedAt})
	}
	page.MoreProposals = total - len(proposals)
	mirrors, total, err := p.service.Mirrors(ctx, mostShown, 0)
	if err != nil {
		return err
	}
	for i := range mirrors {
		m := &mirrors[i]
		page.Mirrors = append(page.Mirrors,
			mirrorRow{Platform: safe(m.Platform), State: safe(string(m.State)), Publishers: len(m.PublisherDomains),
				Updated: m.UpdatedAt})
	}
	page.MoreMirrors = total - len(mirrors)
	err = p.fillLists(ctx, c, page)
	if err != nil {
		return err
	}
	return p.fillUndo(ctx, c, page)
}

// fillLists adds the keys and the alerts.
func (p *Pages) fillLists(ctx context.Context, c registry.Caller, page *moderatePage) error {
	keys, err := p.service.Keys(ctx)
	if err != nil {
		return err
	}
	for i := range keys {
		k := &keys[i]
		page.Keys = append(page.Keys, keyRow{ID: k.ID, Name: safe(k.Name), Scope: safe(string(k.Scope)), Created: k.CreatedAt,
			Revoked: !k.RevokedAt.IsZero()})
	}
	alerts, err := p.service.Alerts(ctx, c, mostShown)
	if err != nil {
		return err
	}
	for i := range alerts {
		e := &alerts[i]
		row := alertRow{Code: e.Code, About: safe(redact.URL(e.URL)), Message: sentence(safe(e.Message)), At: e.At}
		if e.Publisher != "" {
			row.About, row.History = safe(e.Publisher), tabURL(e.Publisher, historyTab)
		}
		page.Alerts = append(page.Alerts, row)
	}
	return nil
}

// heldURL is the address of the page to decide about what is held.
func heldURL(name, what string) string {
	return moderatePath + "/hold?" + url.Values{"name": {name}, "what": {what}}.Encode()
}

// undoView is a decision that can be taken back: about a proposal, or about what Name and What name.
type undoView struct {
	Proposal, Name, What, Title, By, Reason string
	At, Until                               time.Time
}

// fillUndo adds what can be taken back.
func (p *Pages) fillUndo(ctx context.Context, c registry.Caller, page *moderatePage) error {
	list, err := p.service.DecidedHolds(ctx)
	if err != nil {
		return err
	}
	proposals, err := p.service.DecidedProposals(ctx, c)
	if err != nil {
		return err
	}
	names := map[string]string{}
	for i := range page.Keys {
		names[page.Keys[i].ID] = page.Keys[i].Name
	}
	for i := range list[:min(len(list), mostShown)] {
		d := list[i].Decision()
		v := undoView{What: d.To, By: cmp.Or(names[d.By], safe(d.By)), Reason: safe(d.Reason), At: d.At, Until: d.Until()}
		if f := list[i].File; f != nil {
			v.Name, v.Title = f.URL, "Confirmed: a version of "+safe(redact.URL(f.URL))+" is adopted when it is seen after that"
		} else {
			v.Name, v.Title = string(list[i].Publisher.Domain), "Rejected: "
			if d.Confirmed {
				v.Title = "Confirmed: "
			}
			v.Title += v.Name + " leads to " + safe(redact.URL(d.To))
		}
		page.Undo = append(page.Undo, v)
	}
	for i := range proposals {
		x := &proposals[i]
		title := map[bool]string{true: "Approved: ", false: "Rejected: "}[x.State == registry.Approved] +
			"the proposal for the mirror of " + safe(x.Platform)
		page.Undo = append(page.Undo,
			undoView{Proposal: x.ID, Title: title, By: cmp.Or(names[x.DecidedBy], safe(x.DecidedBy)), Reason: safe(x.Reason),
				At: x.DecidedAt, Until: x.DecidedAt.Add(custody.UndoTime)})
	}
	return nil
}

// signWords are the signs against a move.
var signWords = map[custody.Sign]string{
	custody.SignRegression:   "The file there is older than the one in effect.",
	custody.SignNewAgent:     "The file there has an agent that was never seen.",
	custody.SignDowngrade:    "An agent is delegated less directly than before.",
	custody.SignIncomparable: "The file in effect is not kept, so the two cannot be compared.",
	custody.SignBrand:        "The publisher’s brand.json contradicts it.",
	custody.SignUnusable:     "There is no file at the new location that can be used.",
}

// holdsOf shows what is held of a record.
func holdsOf(h *custody.Hold) []holdView {
	var list []holdView
	if h.Publisher != nil && h.Publisher.Move != nil {
		list = append(list, moveView(h.Publisher))
	}
	if h.File != nil && h.File.Refused != nil {
		list = append(list, refusalView(h.File))
	}
	return list
}

func moveView(p *custody.Publisher) holdView {
	m := p.Move
	v := holdView{
		Name: string(p.Domain), What: m.To.URL, Publisher: safe(string(p.Domain)),
		Title: safe(string(p.Domain)) + " leads to another location",
		Why: "The location of a publisher’s file decides who speaks for it. A new one is held until it has stayed for a " +
			"while; with a warning sign, until an operator confirms it.",
		Now:     append(locationFacts(p.Location), momentFact("adopted", p.AdoptedAt)...),
		Next:    append(locationFacts(m.To), momentFact("seen since", m.Since)...),
		Confirm: "Confirm the new location", Not: "Reject: keep the old one",
	}
	v.Next = append(v.Next, momentFact("last seen", m.LastSeen)...)
	for _, s := range m.Signs {
		v.Signs = append(v.Signs, signWords[s])
	}
	v.Compare, v.History = heldURL(v.Name, v.What), tabURL(v.Name, historyTab)
	if m.Rejected {
		v.Not, v.Decided = "", "It was rejected before, and never takes effect by itself."
	} else if len(m.Signs) == 0 {
		v.Next = append(v.Next, momentFact("takes effect by itself", m.Until())...)
	}
	return v
}

func refusalView(f *custody.File) holdView {
	x := f.Refused
	v := holdView{
		Name: f.URL, What: x.Hash, Title: "A version of " + safe(redact.URL(f.URL)) + " was refused",
		Why: "It was seen and not adopted; the reason is in the code. Once it is confirmed, it is adopted when it is seen " +
			"after ten minutes.",
		Now:     append([][2]string{{"SHA-256", safe(f.Hash)}}, momentFact("last_updated", f.LastUpdated)...),
		Next:    append([][2]string{{"SHA-256", safe(x.Hash)}}, momentFact("last_updated", x.LastUpdated)...),
		Confirm: "Confirm: adopt it when it is seen again", Compare: heldURL(f.URL, x.Hash),
	}
	v.Now = append(v.Now, momentFact("adopted", f.AdoptedAt)...)
	v.Next = append(append(v.Next, momentFact("refused since", x.Since)...), [2]string{"code", x.Code})
	if x.Confirmed {
		v.Confirm, v.Decided = "",
			"It was confirmed, and is adopted when it is seen again, ten minutes after that at the earliest."
	}
	return v
}

// locationFacts say where a publisher's authority comes from.
func locationFacts(l custody.Location) [][2]string {
	facts := [][2]string{{"file", safe(redact.URL(l.URL))}, {"found by", safe(string(l.Method))}}
	if l.Manager != "" {
		facts = append(facts, [2]string{"manager", safe(l.Manager)})
	}
	return facts
}

// momentFact is a time with its name; nothing when there is none.
func momentFact(name string, t time.Time) [][2]string {
	if t.IsZero() {
		return nil
	}
	return [][2]string{{name, t.UTC().Format("2 January 2006, 15:04 UTC")}}
}

// deciding returns the moderator who sends a form of these pages; otherwise the request is answered.
func (p *Pages) deciding(w http.ResponseWriter, r *http.Request) (registry.Caller, bool) {
	if !p.ownPost(w, r) {
		return registry.Caller{}, false
	}
	return p.moderator(w, r)
}

// decidedAt is when the decision was made that a form takes back.
func decidedAt(r *http.Request) time.Time {
	at, _ := strconv.ParseInt(r.PostFormValue("at"), 10, 64) // without a number it is the time of no decision
	return time.UnixMicro(at)
}

// decided leads back to the page of moderators after a decision, or says why there was none.
func (p *Pages) decided(w http.ResponseWriter, r *http.Request, err error, done string) {
	if err == nil {
		http.Redirect(w, r, moderatePath+"?"+url.Values{"done": {done}}.Encode(), http.StatusSeeOther)
		return
	}
	known := edge.Problem(err)
	if known.Kind != registry.Conflict {
		p.failed(w, r, err, domainForm{})
		return
	}
	status, body := edge.Answer(w.Header(), known)
	p.fail(w, r, &problemPage{
		Status: status, Title: "Nothing was changed", Message: safe(body.Error), Hint: safe(body.Hint), Moderator: true,
	})
}
