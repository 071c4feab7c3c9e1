package history

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/internal/std/words"
	"github.com/avow-project/avow/internal/wire"
)

const releaseHelp = `A publisher that a file has revoked stays revoked for a week after it was first listed, also
when the entry is gone. An attacker who forges a file for an hour can shut publishers out in
that way. Release ends the hold for the publishers named, or with --all for all that the file at
the URL does not list any more. What the file still lists cannot be released.

Make sure by another way than the web site that the revocation was never meant. Without
--confirm it is only shown what would be released. The reason is kept in the event
revocation.lifted.

Exit codes: 0 the holds are over, 1 nothing was released, 2 wrong usage, 3 the
store could not be read or written.`

// releaseFlags are those of hold release.
type releaseFlags struct {
	all, confirm bool
	reason       string
}

func holdReleaseCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "release URL DOMAIN...",
		Short: "end the hold of a revocation that is not listed any more",
		Long:  releaseHelp,
		Example: `  avow hold release https://cdn.example.net/adagents.json example.com
  avow hold release https://cdn.example.net/adagents.json example.com --confirm --reason "forged, says their operator by phone"`,
		Args:              releaseArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f, r := sources.AddOperatorFlags(cmd), &releaseFlags{}
	cmd.Flags().BoolVar(&r.all, "all", false, "all publishers that the file holds")
	cmd.Flags().BoolVar(&r.confirm, "confirm", false, "release them; without it they are only shown")
	cmd.Flags().StringVar(&r.reason, "reason", "", "`TEXT` that says why, for the record; needed with --confirm")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case r.all == (len(args) > 1):
			return console.UsageError("name publishers, or give --all", "%s needs the publishers to release", cmd.CommandPath())
		case r.confirm && strings.TrimSpace(r.reason) == "":
			return console.UsageError(`say why, as with --reason "forged, says their operator by phone"`,
				"a release needs a reason")
		}
		return withKeeper(cmd.Context(), a, f, func(ctx context.Context, k *kept) error {
			return release(ctx, a, k, r, args)
		})
	}
	return cmd
}

func releaseArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 || !strings.Contains(args[0], "://") {
		return console.UsageError("avow history DOMAIN shows it", "%s needs the URL of the file that has revoked",
			cmd.CommandPath())
	}
	return nil
}

// release shows what is held, or ends it.
func release(ctx context.Context, a *console.App, k *kept, r *releaseFlags, args []string) error {
	url, _, err := hostname.CanonicalURL(args[0])
	if err != nil {
		return console.UsageError("avow history DOMAIN shows it", "%s: the URL %v", redact.URL(args[0]), err)
	}
	var domains []string
	for _, written := range args[1:] {
		domain, err := sources.ParseName(written)
		if err != nil {
			return err
		}
		domains = append(domains, string(domain))
	}
	if r.all {
		domains, err = k.keeper.Held(ctx, url)
		if err != nil {
			return err
		}
	}
	if len(domains) == 0 {
		return notHeld(url)
	}
	if !r.confirm {
		return showHeld(ctx, a, k, url, domains)
	}
	err = k.keeper.Release(ctx, url, domains, strings.TrimSpace(r.reason))
	switch {
	case errors.Is(err, custody.ErrNotWaiting):
		return notHeld(url)
	case errors.Is(err, custody.ErrListed):
		return &console.Error{Code: console.ExitNo, Message: "the file lists it, so there is no hold to be released",
			Hint: "ask the file's maintainer to remove the entry; nothing was released"}
	case err != nil:
		return err
	}
	a.Note("released %s from %s", words.Plural(len(domains), "publisher", "publishers"), redact.URL(url))
	return nil
}

// showHeld says until when publishers are held, and how to go on.
func showHeld(ctx context.Context, a *console.App, k *kept, url string, domains []string) error {
	held, err := k.keeper.Held(ctx, url)
	if err != nil {
		return err
	}
	is := make(map[string]bool, len(held))
	for _, domain := range held {
		is[domain] = true
	}
	for _, domain := range domains {
		if !is[domain] {
			return notHeld(url)
		}
		known, err := k.Revocations(ctx, url, hostname.Domain(domain))
		if err != nil {
			return err
		}
		for i := range known {
			first := known[i].First
			fmt.Fprintf(a.Out, "%s: first listed at %s, not listed any more since %s, held until %s\n", console.Safe(domain),
				wire.Time(first), wire.Time(known[i].Delisted), wire.Time(first.Add(custody.RevocationHold)))
		}
	}
	return &console.Error{Code: console.ExitNo, Message: "nothing was released",
		Hint: "make sure that the revocation was never meant, and repeat this with --confirm --reason TEXT"}
}

func notHeld(url string) error {
	return &console.Error{Code: console.ExitNo, Message: "no such publisher is held by " + redact.URL(url),
		Hint: "--all shows those that are; what the file still lists cannot be released"}
}
