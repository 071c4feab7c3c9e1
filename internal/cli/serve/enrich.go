package serve

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/request"
	"github.com/avow-project/avow/internal/cli/settings"
	"github.com/avow-project/avow/internal/fetch"
	"github.com/avow-project/avow/internal/service/brand"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/hostname"
)

const enrichHelp = `Enrich shows what is known about the brand of a domain: its names, logos, colours, fonts
and the company behind it.

The domain's own brand.json is used first, at the well-known path or where that file says the
data is. If there is none, a brand data provider is asked, provided that there is a key for it
in the environment variable AVOW_ENRICH_KEY. AVOW_ENRICH_URL is the
address of a provider that speaks the API of Brandfetch; without it, it is Brandfetch.

Nothing is stored, and none of the addresses in the data is fetched.

Exit codes: 0 data was found, 1 no brand data found, 2 wrong usage, 3 it could
not be determined.`

// enrichTimeout is the time for the domain and the provider together.
const enrichTimeout = 30 * time.Second

// EnrichCommand returns the command enrich.
func EnrichCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "enrich [flags] DOMAIN",
		Short:             "show the logos, colours and company of a brand",
		Long:              enrichHelp,
		Example:           "  avow enrich example.com\n  avow enrich example.com --format json | jq .manifest.logos",
		Args:              oneBrand,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	w := new(request.Flags)
	flags := cmd.Flags()
	flags.BoolVarP(&w.Verbose, "verbose", "v", false, "list every request to a domain on standard error")
	flags.DurationVar(&w.Timeout, "timeout", enrichTimeout, "give up after this `TIME`, for example 10s")
	flags.StringVar(&w.Contact, "contact", "",
		"contact `ADDRESS` sent in the User-Agent: a URL or an email address; AVOW_CONTACT sets it as well")
	format := console.AddChoice(cmd, "format", "output format", "text", "json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return enrich(cmd.Context(), a, w, format.Value, args[0])
	}
	return cmd
}

func oneBrand(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return console.UsageError("name one domain: "+cmd.CommandPath()+" example.com", "%s needs one domain, got %d",
			cmd.CommandPath(), len(args))
	}
	return nil
}

func enrich(ctx context.Context, a *console.App, w *request.Flags, format, target string) error {
	domain, err := hostname.ParseDomain(target)
	if err != nil || hostname.IsSpecialUse(string(domain)) {
		return console.UsageError("give the domain of the brand, such as example.com", "%s is not a domain name",
			quotedTarget(target))
	}
	if w.Timeout <= 0 {
		return console.UsageError("write it as 30s or 2m", "--timeout must be longer than nothing")
	}
	client, err := brandClient(a, w)
	if err != nil {
		return err
	}
	provider, err := brandProvider(a, &settings.Service{
		EnrichKey: a.Env.Getenv("AVOW_ENRICH_KEY"), EnrichURL: a.Env.Getenv("AVOW_ENRICH_URL"),
	}, client.UserAgent(), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	ctx, stop := console.Interruptible(ctx)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, w.Timeout)
	defer cancel()
	answer, err := askBrand(ctx, brand.NewReader(client), provider, registry.BrandDomain(domain))
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
		return console.Interrupted(ctx.Err())
	}
	if err != nil {
		return showNoBrand(a, format, target, err)
	}
	answer.target = target
	if format == "json" {
		return console.WriteJSONLine(a.Out, answer.document())
	}
	var m registry.Manifest
	err = json.Unmarshal(answer.manifest, &m)
	if err != nil {
		return err
	}
	(&brandText{w: a.Out, paint: a.Style(console.Stdout), width: a.TextWidth()}).write(answer, &m)
	return nil
}

// quotedTarget shows an argument. One with an at sign may carry a password.
func quotedTarget(target string) string {
	if strings.Contains(target, "@") {
		return "the argument"
	}
	return strconv.Quote(target)
}

// brandClient returns the client for requests to domains.
func brandClient(a *console.App, w *request.Flags) (*fetch.Client, error) {
	contact := w.Contact
	if contact == "" {
		contact = a.Env.Getenv("AVOW_CONTACT")
	}
	if !console.PlainContact(contact) {
		return nil, console.UsageError("give a URL or an e-mail address, for example adops@example.com",
			"the contact cannot be sent: %q", contact)
	}
	config := fetch.Config{Contact: contact, Budget: min(w.Timeout, enrichTimeout), Network: a.Env.Network}
	if w.Verbose {
		config.Observe = request.RequestLog(a)
	}
	request.NoteProxies(a)
	return fetch.New(config), nil
}

// askBrand asks the domain, and then the provider, if there is one.
func askBrand(ctx context.Context, r *brand.Reader, p registry.Provider, domain hostname.Domain) (*brandAnswer, error) {
	file, own := r.Read(ctx, domain)
	if own == nil {
		manifest, err := file.Manifest.JSON()
		return &brandAnswer{domain: string(domain), source: registry.FromBrandJSON, from: string(registry.FromBrandJSON),
			url: file.URL, manifest: manifest}, err
	}
	if p == nil {
		return nil, console.Failure("set AVOW_ENRICH_KEY to ask a brand data provider as well", "%v", own)
	}
	answer, err := p.Brand(ctx, domain)
	if err != nil {
		return nil, decidingError(own, err)
	}
	source := registry.FromProvider
	if !answer.Good {
		source = registry.FromCommunity
	}
	return &brandAnswer{domain: string(domain), source: source, from: p.Name(), manifest: answer.Manifest}, nil
}

// weightier returns the error that decides: that the provider knows nothing proves
// nothing while the domain could not be asked.
func decidingError(own, provider error) error {
	var x, y *registry.Error
	if errors.As(own, &x) && errors.As(provider, &y) && y.Kind == registry.NotFound && x.Kind != registry.NotFound {
		return own
	}
	return provider
}

// showNoBrand says that there is no data, or why that could not be determined.
func showNoBrand(a *console.App, format, target string, err error) error {
	var known *registry.Error
	if errors.As(err, &known) {
		cause := known
		err = console.Failure(cause.Hint, "%s", cause.Message)
		if cause.Kind == registry.NotFound {
			err = &console.Error{Code: console.ExitNo, Message: "no brand data found for " + target, Hint: cause.Hint}
		}
	}
	code := a.SayError(err)
	if format == "json" {
		fault := console.WriteJSONLine(a.Out, brandDocument{Target: target, Error: console.JSONErrorOf(err)})
		if fault != nil {
			return fault
		}
	}
	return console.ExitStatus(code)
}
