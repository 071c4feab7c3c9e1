package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/avow-project/avow/internal/service/registry"
	"github.com/avow-project/avow/internal/std/spell"
)

const keysHelp = `Keys makes, lists and revokes the keys of the registry service. A caller sends its key
as "Authorization: Bearer KEY".

A key with the scope write may save brand data and propose changes of mirrors, one with
the scope moderate may also decide on them. Validating, creating and looking up need no
key.

The store keeps a hash of each key, so that a key is shown once, when it is made. The
commands work on the store directly, also while the service runs; a revoked key is
refused within half a minute.`

// keysOptions are the flags of the commands for keys.
type keysOptions struct {
	settings *settings
	serve    serveOptions
	format   *choice
}

func (a *app) keysCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keys create|list|revoke",
		Short: "make, list and revoke keys of the registry service",
		Long:  keysHelp,
		Example: `  avow keys create --name "Example Network" --scope write
  avow keys list
  avow keys revoke key_0123456789abcdef`,
		DisableFlagsInUseLine: true,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownKeysCommand(cmd, args[0])
		}
		writeHelp(a.errw, cmd, a.env.Width())
		return exitStatus(exitUsage)
	}
	for _, sub := range []*cobra.Command{a.keysCreateCommand(), a.keysListCommand(), a.keysRevokeCommand()} {
		sub.RunE = typed(sub.RunE)
		cmd.AddCommand(sub)
	}
	return cmd
}

// unknownKeysCommand is the error of a command for keys that does not exist.
func unknownKeysCommand(cmd *cobra.Command, name string) error {
	hint := "use create, list or revoke"
	near, ok := spell.Nearest(name, commandNames(cmd), 2)
	if ok {
		hint = "did you mean " + cmd.CommandPath() + " " + near + "?"
	}
	return usageError(hint, "unknown command %q", cmd.CommandPath()+" "+name)
}

func (a *app) keysCreateCommand() *cobra.Command {
	var name string
	var scope *choice
	cmd := &cobra.Command{
		Use:   "create --name NAME --scope write|moderate",
		Short: "make a key and print it, once",
		Long: `Create makes a key and prints it on standard output. It cannot be printed again: the
store has a hash of it only.`,
		Example: `  avow keys create --name "Example Network" --scope write
  avow keys create --name reviews --scope moderate --store postgres://avow@db.example.com/avow`,
		Args: noArguments, DisableFlagsInUseLine: true,
	}
	cmd.Flags().StringVar(&name, "name", "", "`NAME` of whoever will use the key")
	scope = addChoice(cmd, "scope", "what the key permits", "write", "moderate")
	o := newKeysOptions(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return a.withKeys(cmd.Context(), o, func(ctx context.Context, s *registry.Service) error {
			secret, key, err := s.CreateKey(ctx, name, registry.Scope(scope.value))
			if err != nil {
				return err
			}
			return a.showNewKey(o.format.value, secret, key)
		})
	}
	return cmd
}

func (a *app) keysListCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "list all keys, without their secrets",
		Long: `List prints every key with its id, its scope and its name, when it was made, and when
it was revoked.`,
		Example: "  avow keys list\n  avow keys list --format json | jq 'select(.revoked_at == null)'",
		Args:    noArguments, DisableFlagsInUseLine: true,
	}
	o := newKeysOptions(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return a.withKeys(cmd.Context(), o, func(ctx context.Context, s *registry.Service) error {
			keys, err := s.Keys(ctx)
			if err != nil {
				return err
			}
			return a.showKeys(o.format.value, keys)
		})
	}
	return cmd
}

func (a *app) keysRevokeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:                   "revoke ID...",
		Short:                 "end keys for good",
		Long:                  "Revoke ends keys, named by their ids. A service that runs refuses them within half a\nminute. What was done with them stays.",
		Example:               "  avow keys revoke key_0123456789abcdef",
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     cobra.NoFileCompletions,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("avow keys list shows the ids", "%s needs the id of a key", cmd.CommandPath())
			}
			return nil
		},
	}
	o := newKeysOptions(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return a.withKeys(cmd.Context(), o, func(ctx context.Context, s *registry.Service) error {
			for _, id := range args {
				err := s.RevokeKey(ctx, id)
				if err != nil {
					return err
				}
				a.note("revoked %s", id)
			}
			return nil
		})
	}
	return cmd
}

func newKeysOptions(cmd *cobra.Command) *keysOptions {
	o := &keysOptions{settings: newSettings(cmd), format: addChoice(cmd, "format", "output format", "text", "json")}
	o.settings.define(func(flags, _ *pflag.FlagSet) { o.serve.defineStore(flags) })
	return o
}

// withKeys opens the store for a command.
func (a *app) withKeys(ctx context.Context, o *keysOptions, do func(context.Context, *registry.Service) error) error {
	ctx, stop := interruptible(ctx)
	defer stop()
	err := o.settings.load(a.env.Getenv)
	if err != nil {
		return err
	}
	st, err := a.openStore(ctx, &o.serve)
	if err != nil {
		return err
	}
	s := registry.New(registry.Config{Store: st, Now: a.env.Now})
	err = do(ctx, s)
	s.Close()
	closed := st.Close()
	var known *registry.Error
	switch {
	case errors.As(err, &known) && known.Kind == registry.Invalid:
		return usageError(known.Hint, "%s", known.Message)
	case errors.As(err, &known):
		return &cliError{code: exitNo, msg: known.Message, hint: known.Hint}
	case err != nil:
		return interrupted(err)
	}
	return closed
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

func (a *app) showNewKey(format, secret string, key *registry.Key) error {
	if format == "json" {
		d := keyDocumentOf(key)
		d.Key = secret
		return writeJSONLine(a.out, d)
	}
	a.note("%s for %s, scope %s; it is shown this once", key.ID, key.Name, key.Scope)
	_, err := fmt.Fprintln(a.out, secret)
	return err
}

func (a *app) showKeys(format string, keys []registry.Key) error {
	for i := range keys {
		d := keyDocumentOf(&keys[i])
		if format == "json" {
			err := writeJSONLine(a.out, d)
			if err != nil {
				return err
			}
			continue
		}
		state := "made " + d.CreatedAt
		if d.RevokedAt != nil {
			state += ", revoked " + *d.RevokedAt
		}
		fmt.Fprintf(a.out, "%-20s  %-8s  %s  %s\n", d.ID, d.Scope, state, safe(d.Name))
	}
	if len(keys) == 0 && format == "text" {
		a.note("there are no keys")
	}
	return nil
}
