package serve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/cli/sources"
	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/service/store"
)

const keysHelp = `Keys makes, lists and revokes the keys of the registry service. A caller sends its key
as "Authorization: Bearer KEY".

A key with the scope write may save brand data and propose changes of mirrors, one with
the scope moderate may also decide on them. Validating, creating and looking up need no
key.

The store keeps a hash of each key, so that a key is shown once, when it is made. The
commands work on the store of the service directly, also while it runs; a revoked key is
refused within half a minute.

Without --store and --config, the commands read the settings of the service that a package
installed (/etc/avow), and otherwise use the store of the user. They say which one it is.
Create makes a store only if --store names it.`

// keysOptions are the flags of the commands for keys.
type keysOptions struct {
	store  *sources.StoreFlags
	format *console.Choice
}

// KeysCommand returns the command keys.
func KeysCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys",
		Short: "create, list and revoke keys of the service",
		Long:  keysHelp,
		Example: `  avow keys create --name "Example Network" --scope write
  avow keys list
  avow keys revoke key_0123456789abcdef`,
	}
	return a.Group(cmd, keysCreateCommand(a), keysListCommand(a), keysRevokeCommand(a))
}

func keysCreateCommand(a *console.App) *cobra.Command {
	var name string
	var scope *console.Choice
	cmd := &cobra.Command{
		Use:   "create --name NAME --scope write|moderate",
		Short: "create a key and print it, once",
		Long: `Create makes a key and prints it on standard output. It cannot be printed again: the
store has a hash of it only.`,
		Example: `  avow keys create --name "Example Network" --scope write
  avow keys create --name reviews --scope moderate --store postgres://avow@db.example.com/avow`,
		Args: console.NoArguments, DisableFlagsInUseLine: true,
	}
	cmd.Flags().StringVar(&name, "name", "", "`NAME` of the person or program that will use the key")
	scope = console.AddChoice(cmd, "scope", "what the key permits", "write", "moderate")
	o := newKeysOptions(cmd)
	o.store.Makes = true
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return withKeys(cmd.Context(), a, o, func(ctx context.Context, s *registry.Service) error {
			secret, key, err := s.CreateKey(ctx, name, registry.Scope(scope.Value))
			if err != nil {
				return err
			}
			return showNewKey(a, o.format.Value, secret, key)
		})
	}
	return cmd
}

func keysListCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "list all keys, without their secrets",
		Long: `List prints every key with its id, its scope and its name, when it was made, and when
it was revoked.`,
		Example: "  avow keys list\n  avow keys list --format json | jq 'select(.revoked_at == null)'",
		Args:    console.NoArguments, DisableFlagsInUseLine: true,
	}
	o := newKeysOptions(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return withKeys(cmd.Context(), a, o, func(ctx context.Context, s *registry.Service) error {
			keys, err := s.Keys(ctx)
			if err != nil {
				return err
			}
			return showKeys(a, o.format.Value, keys)
		})
	}
	return cmd
}

func keysRevokeCommand(a *console.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "revoke ID...",
		Short: "revoke keys for good",
		Long: "Revoke ends keys, named by their ids. A service that runs refuses them within half " +
			"a\nminute. What was done with them stays.",
		Example:               "  avow keys revoke key_0123456789abcdef",
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     cobra.NoFileCompletions,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return console.UsageError("avow keys list shows the ids", "%s needs the id of a key", cmd.CommandPath())
			}
			return nil
		},
	}
	o := newKeysOptions(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withKeys(cmd.Context(), a, o, func(ctx context.Context, s *registry.Service) error {
			for _, id := range args {
				err := s.RevokeKey(ctx, id)
				if err != nil {
					return err
				}
				a.Note("revoked %s", id)
			}
			return nil
		})
	}
	return cmd
}

func newKeysOptions(cmd *cobra.Command) *keysOptions {
	cmd.Long += `

Exit codes: 0 it was done, 1 it is refused, as for a key that does not exist, 2 wrong usage,
3 the store could not be read or written.`
	return &keysOptions{sources.AddOperatorFlags(cmd), console.AddChoice(cmd, "format", "output format", "text", "json")}
}

// withKeys opens the store for a command.
func withKeys(ctx context.Context, a *console.App, o *keysOptions,
	do func(context.Context, *registry.Service) error) error {
	return sources.WithStore(ctx, a, o.store, func(ctx context.Context, st *store.Store) error {
		s := registry.New(registry.Config{Store: st, Now: a.Env.Now})
		defer s.Close()
		err := do(ctx, s)
		var known *registry.Error
		switch {
		case errors.As(err, &known) && known.Kind == registry.Invalid:
			return console.UsageError(known.Hint, "%s", known.Message)
		case errors.As(err, &known):
			return &console.Error{Code: console.ExitNo, Message: known.Message, Hint: known.Hint}
		}
		return err
	})
}

// keyDocument is a key in JSON.
type keyDocument struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	Scope     string  `json:"scope"`
	CreatedAt string  `json:"created_at"`
	RevokedAt *string `json:"revoked_at"`
	// Key is the secret, in the answer to its making alone.
	Key string `json:"key,omitempty"`
}

func keyDocumentOf(k *registry.Key) *keyDocument {
	d := &keyDocument{ID: k.ID, Name: k.Name, Scope: string(k.Scope), CreatedAt: k.CreatedAt.UTC().Format(time.RFC3339)}
	if !k.RevokedAt.IsZero() {
		at := k.RevokedAt.UTC().Format(time.RFC3339)
		d.RevokedAt = &at
	}
	return d
}

func showNewKey(a *console.App, format, secret string, key *registry.Key) error {
	if format == "json" {
		d := keyDocumentOf(key)
		d.Key = secret
		return console.WriteJSONLine(a.Out, d)
	}
	a.Note("%s for %s, scope %s; it is shown this once", key.ID, key.Name, key.Scope)
	_, err := fmt.Fprintln(a.Out, secret)
	return err
}

func showKeys(a *console.App, format string, keys []registry.Key) error {
	for i := range keys {
		d := keyDocumentOf(&keys[i])
		if format == "json" {
			err := console.WriteJSONLine(a.Out, d)
			if err != nil {
				return err
			}
			continue
		}
		state := "made " + d.CreatedAt
		if d.RevokedAt != nil {
			state += ", revoked " + *d.RevokedAt
		}
		fmt.Fprintf(a.Out, "%-20s  %-8s  %s  %s\n", d.ID, d.Scope, state, console.Safe(d.Name))
	}
	if len(keys) == 0 && format == "text" {
		a.Note("there are no keys")
	}
	return nil
}
