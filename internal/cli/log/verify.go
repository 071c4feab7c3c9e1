package log

import (
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/monitor"
	"github.com/avow-project/avow/internal/recheck"
	"github.com/avow-project/avow/internal/service/notary"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/translog"
	"github.com/avow-project/avow/internal/wire"
)

const verifyHelp = `Verify checks proofs (.tlog-proof, in the form of C2SP), histories and receipts of a transparency
log, without a network: their form, the signatures that the policy asks for, and that each leaf
is in the log whose head was signed. It says in sentences what is proved and what is not.

The policy says whose word counts: the key of the log and those of witnesses, in the form of
C2SP. avow log init prints it, and a service has it at /log/policy; take it from a source that
you trust, not from the sender of the proof.

A folder that avow log export has written is read as a whole: the head has to be signed as the
policy asks for, and every leaf to be in the tree under it and to lead to the one before about
its subject.

A log that took the place of another one names the last head of that one in its first leaf (avow log
prove 0). With the proof of that leaf, what is proved with the old log has to be below that head.

The question and the verdict of a receipt are signed by the log. With --document FILE the proof has
to be about the bytes of FILE. If they are the version that was in effect for the publisher, the
question of avow authorize is also decided again from them, and another verdict is an error; that of
avow supply-path is not. With --publisher a proof has to be about that publisher or its file. Several files are checked together: the file has to be the one that
speaks for the publisher.

Exit codes: 0 proved, 1 not proved, 2 wrong usage, 3 a file could not be read.`

type verifyFlags struct {
	policies            []string
	publisher, document string
	format              *console.Choice
}

func verifyCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify FILE|DIR...",
		Short: "check proofs and receipts offline",
		Long:  verifyHelp,
		Example: `  avow log verify example.com.tlog-proof --policy registry.policy
  avow log verify receipt.txt --policy registry.policy --publisher example.com
  avow log verify receipt.txt --policy registry.policy --document adagents.json
  avow log verify file.tlog-proof --policy registry.policy --document adagents.json`,
	}
	f := &verifyFlags{format: console.AddChoice(cmd, "format", "output format", "text", "json")}
	cmd.Flags().StringArrayVar(&f.policies, "policy", nil,
		"take the keys that count from `FILE`; may be given several times, for several logs")
	cmd.Flags().StringVar(&f.publisher, "publisher", "", "the proof has to be about `DOMAIN` or its file")
	cmd.Flags().StringVar(&f.document, "document", "",
		"the proof has to be about the bytes of `FILE`; a receipt's verdict is decided again from them")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return console.UsageError("name a file: "+cmd.CommandPath()+" receipt.txt --policy registry.policy",
				"%s needs a proof or a receipt", cmd.CommandPath())
		case len(f.policies) == 0:
			return console.UsageError("name the file with the keys that you trust", "%s needs --policy", cmd.CommandPath())
		}
		var policies []*translog.Policy
		for _, name := range f.policies {
			policy, _, err := sources.ReadPolicy(a, name)
			if err != nil {
				return err
			}
			policies = append(policies, policy)
		}
		r, err := verifyFiles(cmd.Context(), a, policies, args)
		if err != nil {
			return err
		}
		err = f.compare(a, r)
		if err != nil {
			return err
		}
		return r.write(a, f.format.Value)
	}
	return cmd
}

// A result is what files prove together.
type result struct {
	proved   []*translog.Verified
	receipts []verifiedReceipt
	copies   []copyDocument
	earlier  []earlierLeaf
	// compared: a document was given; decided: the answers of all receipts were decided again from it.
	compared, decided bool
	// wrong is why nothing is proved.
	wrong error
}

// A verifiedReceipt is a receipt with its leaves.
type verifiedReceipt struct {
	*translog.Receipt
	leaves []*translog.Verified
}

// verifyFiles verifies files until one is wrong.
func verifyFiles(ctx context.Context, a *console.App, policies []*translog.Policy, names []string) (*result, error) {
	r := &result{}
	for _, name := range names {
		verify := func(p *translog.Policy) error { return r.addCopy(ctx, name, p) }
		if !isFolder(name) {
			text, err := a.Read(name)
			if err != nil {
				return nil, err
			}
			verify = func(p *translog.Policy) error { return r.add(text, p) }
		}
		err := anyOf(policies, verify)
		if err != nil {
			r.wrong = fmt.Errorf("%s: %w", name, err)
			return r, nil
		}
	}
	r.wrong = r.together()
	return r, nil
}

// anyOf returns nil if one of the policies is satisfied, and otherwise what the first one is missing.
func anyOf(policies []*translog.Policy, verify func(*translog.Policy) error) error {
	var first error
	for _, p := range policies {
		err := verify(p)
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

func (r *result) add(text []byte, policy *translog.Policy) error {
	if translog.IsHistory(text) {
		return r.addHistory(text, policy)
	}
	if !translog.IsReceipt(text) {
		v, err := translog.Verify(text, policy)
		if err == nil {
			r.proved = append(r.proved, v)
		}
		return err
	}
	receipt, err := translog.ParseReceipt(text)
	if err != nil {
		return err
	}
	all, err := receipt.Verify(policy)
	if err != nil {
		return err
	}
	r.proved, r.receipts = append(r.proved, all...), append(r.receipts, verifiedReceipt{receipt, all})
	return nil
}

// together says whether the files that are proved are those of the publishers.
func (r *result) together() error {
	err := translog.CheckFiles(r.proved)
	if err != nil {
		return err
	}
	for _, v := range r.proved {
		if v.Leaf.Old == nil {
			continue
		}
		err = r.succeeded(v.Head.Origin, v.Leaf.Old)
		if err != nil {
			return err
		}
	}
	return nil
}

// compare holds what is proved against what was asked for.
func (f *verifyFlags) compare(a *console.App, r *result) error {
	if f.publisher != "" {
		domain, _, err := hostname.Canonical(f.publisher)
		if err != nil {
			return console.UsageError("give a domain such as example.com", "--publisher: %v", err)
		}
		if r.wrong == nil && !slices.ContainsFunc(r.proved, func(v *translog.Verified) bool {
			return v.Leaf.Subject.About(domain)
		}) {
			r.wrong = fmt.Errorf("nothing in it is about %s or the file at its well-known path", domain)
		}
	}
	if f.document != "" {
		body, err := a.Read(f.document)
		if err != nil {
			return err
		}
		hash := translog.HashOf(body)
		if r.wrong == nil && !slices.ContainsFunc(r.proved, func(v *translog.Verified) bool { return v.Shows(hash) }) {
			r.wrong = fmt.Errorf("nothing in it is about %s, whose SHA-256 is %s", f.document, hash)
		}
		r.decide(body)
	}
	return nil
}

// decide decides the questions of receipts again from a document.
func (r *result) decide(document []byte) {
	r.compared, r.decided = true, len(r.receipts) > 0
	for _, one := range r.receipts {
		if r.wrong != nil {
			return
		}
		var decided bool
		decided, r.wrong = recheck.Receipt(one.Receipt, one.leaves, document)
		r.decided = r.decided && decided
	}
}

// verifyDocument is the JSON output.
type verifyDocument struct {
	Proved bool           `json:"proved"`
	Error  string         `json:"error,omitempty"`
	Leaves []leafDocument `json:"leaves"`
	Open   []string       `json:"not_proved"`
	Claims []claim        `json:"claims"`
	// Decided: the answers of receipts were decided again from --document, with the same result.
	Decided bool           `json:"decided_again,omitempty"`
	Copies  []copyDocument `json:"copies,omitempty"`
	// Earlier are the leaves of histories that a proved one leads to.
	Earlier []earlierLeaf `json:"earlier,omitempty"`
}

// An earlierLeaf is a leaf that a later one leads to.
type earlierLeaf struct {
	Index    int64  `json:"index"`
	Kind     string `json:"kind"`
	Subject  string `json:"subject"`
	At       string `json:"at"`
	Sentence string `json:"sentence"`
}

// A claim is the answer of a receipt, which the log has signed.
type claim struct {
	Question map[string][]string `json:"question"`
	Verdict  string              `json:"verdict"`
	At       string              `json:"at"`
}

type leafDocument struct {
	Origin    string   `json:"origin"`
	Index     int64    `json:"index"`
	Size      int64    `json:"size"`
	Kind      string   `json:"kind"`
	Subject   string   `json:"subject"`
	Number    int64    `json:"number"`
	At        string   `json:"at"`
	Document  string   `json:"document,omitempty"`
	Counts    string   `json:"counts,omitempty"`
	Method    string   `json:"method,omitempty"`
	Place     string   `json:"place,omitempty"`
	Signed    []signed `json:"signed"`
	Sentences []string `json:"proves"`
}

type signed struct {
	By string `json:"by"`
	At string `json:"at"`
}

func (r *result) document() *verifyDocument {
	doc := &verifyDocument{Proved: r.wrong == nil, Leaves: []leafDocument{}, Open: []string{}, Claims: []claim{}}
	if r.wrong != nil {
		doc.Error = r.wrong.Error()
		return doc
	}
	for _, v := range r.proved {
		doc.Leaves = append(doc.Leaves, leafDocumentOf(v))
	}
	doc.Decided = r.decided
	doc.Open, doc.Copies, doc.Earlier = wire.NotNil(r.open()), r.copies, r.earlier
	for _, p := range r.receipts {
		doc.Claims = append(doc.Claims, claim{p.Question, p.Verdict, wire.Time(p.At)})
	}
	return doc
}

func leafDocumentOf(v *translog.Verified) leafDocument {
	l := v.Leaf
	d := leafDocument{
		Origin: v.Head.Origin, Index: v.Index, Size: v.Head.Size, Kind: l.Kind, Subject: l.Subject.String(), Number: l.Number,
		At:     wire.Time(l.At),
		Counts: l.Counts, Method: l.Place.Method, Place: l.Place.File, Signed: []signed{}, Sentences: v.Proves(),
	}
	if l.Document != nil {
		d.Document = l.Document.Hash
	}
	for _, w := range v.Witnesses {
		d.Signed = append(d.Signed, signed{w.Name, wire.Time(w.At)})
	}
	return d
}

// open is what all proofs leave open, each once.
func (r *result) open() []string {
	var all []string
	add := func(open []string) {
		for _, s := range open {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	if len(r.receipts) > 0 && !r.decided {
		add([]string{r.undecided()})
	}
	for _, v := range r.proved {
		add(v.LeavesOpen())
	}
	return all
}

// undecided says why the answer of a receipt was not decided again.
func (r *result) undecided() string {
	if r.compared {
		return "that each answer was computed correctly: the document is not the publisher's version in effect, or a " +
			"question is not about an authorization"
	}
	return "that the answer was computed correctly: --document FILE decides it again"
}

func (r *result) write(a *console.App, format string) error {
	if format == "json" {
		err := console.WriteJSONLine(a.Out, r.document())
		if err != nil {
			return err
		}
	} else {
		r.writeText(a)
	}
	if r.wrong != nil {
		return console.ExitStatus(console.ExitNo)
	}
	return nil
}

// questionWords has the question of a receipt as words.
func questionWords(p verifiedReceipt) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(p.Question)) {
		all = append(all, name+" "+strings.Join(p.Question[name], ", "))
	}
	return strings.Join(all, "; ")
}

func (r *result) writeText(a *console.App) {
	style, width := a.Style(console.Stdout), a.TextWidth()
	if r.wrong != nil {
		fmt.Fprintf(a.Out, "%s: %s\n", style.Red("not proved"), console.Safe(r.wrong.Error()))
		return
	}
	for _, c := range r.copies {
		fmt.Fprintf(a.Out, "%s: %s is a whole copy of the log of %s, with %s\n", style.Green("proved"), console.Safe(c.Path),
			console.Safe(c.Origin), words.Plural(int(c.Size), "leaf", "leaves"))
	}
	if len(r.proved) == 0 {
		return
	}
	fmt.Fprintf(a.Out, "%s: %s in the log of %s\n", style.Green("proved"),
		words.Plural(len(r.proved), "leaf is", "leaves are"), console.Safe(r.proved[0].Head.Origin))
	for _, p := range r.receipts {
		fmt.Fprintln(a.Out, "  + "+console.WrapHanging(fmt.Sprintf("the log signed that the answer at %s was %s, to: %s",
			p.At.Format(time.RFC3339), console.Safe(p.Verdict), console.Safe(questionWords(p))), width, 4))
	}
	var all []string
	if r.decided {
		all = append(all, "decided again from the document, the answer is the same")
	}
	for _, v := range r.proved {
		all = append(all, v.Proves()...)
	}
	for i, s := range all {
		if !slices.Contains(all[i+1:], s) { // what holds for all leaves is said at the end
			fmt.Fprintln(a.Out, "  + "+console.WrapHanging(console.Safe(s), width, 4))
		}
	}
	for _, e := range r.earlier {
		fmt.Fprintln(a.Out, "  + "+
			console.WrapHanging(console.Safe(fmt.Sprintf("before that, leaf %d: at %s %s", e.Index, e.At, e.Sentence)),
				width, 4))
	}
	fmt.Fprintln(a.Out, "not proved:")
	for _, s := range r.open() {
		fmt.Fprintln(a.Out, "  - "+console.WrapHanging(console.Safe(s), width, 4))
	}
}

// A copyDocument is a copy of a log that is whole.
type copyDocument struct {
	Path   string `json:"path"`
	Origin string `json:"origin"`
	Size   int64  `json:"size"`
}

// addHistory verifies a proof with all earlier leaves about the same subject.
func (r *result) addHistory(text []byte, policy *translog.Policy) error {
	h, err := translog.ParseHistory(text)
	if err != nil {
		return err
	}
	v, earlier, err := h.Verify(policy)
	if err != nil {
		return err
	}
	r.proved = append(r.proved, v)
	for i, leaf := range earlier {
		r.earlier = append(r.earlier, earlierLeaf{h.Earlier[i].Index, leaf.Kind, leaf.Subject.String(), wire.Time(leaf.At),
			leaf.Sentence()})
	}
	return nil
}

// addCopy verifies a copy of a log, all of it.
func (r *result) addCopy(ctx context.Context, dir string, policy *translog.Policy) error {
	note, err := dirLog(dir).Get(ctx, "checkpoint")
	if err != nil {
		return err
	}
	head, err := policy.Check(note)
	if err != nil {
		return err
	}
	reader, err := monitor.NewReader(ctx, dirLog(dir), head.Head)
	if err != nil {
		return err
	}
	audit := notary.NewAudit()
	err = reader.Leaves(0, func(_ int64, leaves [][]byte) error {
		for _, text := range leaves {
			_, err := audit.Add(text)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		r.copies = append(r.copies, copyDocument{dir, head.Head.Origin, audit.Size})
	}
	return err
}

// succeeded holds the leaves of a log against what its successor takes over.
func (r *result) succeeded(by string, old *translog.Head) error {
	for _, v := range r.proved {
		switch {
		case v.Head.Origin != old.Origin:
		case v.Head.Size > old.Size || v.Head.Size == old.Size && hex.EncodeToString(v.Head.Root[:]) != old.Root:
			return fmt.Errorf(
				"leaf %d is proved with a head of %s, and the log %s takes only %d of the log %s over, with the root %s: "+
					"whatever else was signed does not count",
				v.Index, words.Plural(int(v.Head.Size), "leaf", "leaves"), by, old.Size, old.Origin, old.Root)
		case v.Head.Size < old.Size && !slices.ContainsFunc(v.Witnesses, func(w translog.Witnessed) bool { return !w.Own }):
			return fmt.Errorf(
				"leaf %d is proved with a head of %s that no witness has cosigned, and the log %s has a successor: anyone who "+
					"has its keys could have signed that since. Take a proof with its last head, of %s (avow log prove %d --from a "+
					"copy of it)",
				v.Index, words.Plural(int(v.Head.Size), "leaf", "leaves"), old.Origin,
				words.Plural(int(old.Size), "leaf", "leaves"), v.Index)
		}
	}
	return nil
}
