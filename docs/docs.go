// Package docs has the documents that the service shows as its guide, as they are in this
// folder. It is for avow itself: their names and contents change with every release.
package docs

import "embed"

// Guide is the folder guide, and the documents beside it that its table of contents names. The
// rules and the routes are missing: the service has pages of its own for them.
//
//go:embed guide/*.md cli.md compatibility.md custody.md editors.md install.md keypin.md log.md mcp.md operating.md performance.md pipelines.md proofs.md registry.md
var Guide embed.FS
