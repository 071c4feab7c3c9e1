package deploy

import (
	"strings"

	"github.com/avow-project/avow/internal/format/layout"
	"github.com/avow-project/avow/internal/std/hostname"
)

// cloudflare serves the file from a worker: one for all domains of an account, whatever the
// server behind them is.
func cloudflare(s Site) []Step {
	var routes []string
	for _, domain := range s.Domains {
		zone, ok := hostname.Registrable(domain)
		if !ok {
			zone = domain
		}
		routes = append(routes, `    { "pattern": "`+domain+Path+`", "zone_name": "`+zone+`" }`)
	}
	return []Step{
		{Whole, "keep the file, to compare with what is served", FileName, string(s.Content)},
		{Whole, "store the worker that answers with it", "worker.js",
			`const file = ` + string(layout.AppendString(nil, string(s.Content))) + `;

export default {
  fetch() {
    return new Response(file, {
      headers: { "Content-Type": "` + mediaType + `", "Cache-Control": "` + caching + `" },
    });
  },
};
`},
		{Whole, "store its configuration, with a route for each domain", "wrangler.jsonc", `{
  "name": "adagents",
  "main": "worker.js",
  "compatibility_date": "2026-01-01",
  "routes": [
` + strings.Join(routes, ",\n") + `
  ]
}
`},
		{Kind: Shell, Do: "deploy it, logged in to the account that has the domains", Text: "npx wrangler deploy\n"},
		{Part, "if bots are blocked or challenged, add a custom rule with the action Skip for this expression",
			"Security, custom rules", `(http.request.uri.path eq "` + Path + `")` + "\n"},
	}
}

func s3(s Site) []Step {
	upload := s.each(func(domain string) string {
		return `aws s3 cp ` + FileName + ` "s3://` + domain + Path + `" --content-type ` + mediaType + ` --cache-control "` +
			caching + `"`
	})
	return []Step{
		s.file("store the file on your machine", FileName),
		{Kind: Shell,
			Do: "upload it into the bucket of each domain; buckets that are not called like their domain need their own name " +
				"after s3://", Text: upload},
		{Kind: Advice, Do: "serve the bucket through CloudFront: its own website address has no https, which buyers need"},
		{Kind: Shell, Do: "replace the copies in CloudFront, for each distribution",
			Text: `aws cloudfront create-invalidation --distribution-id DISTRIBUTION --paths "` + Path + `"` + "\n"},
	}
}

// onEachProject is said of services that serve a folder for a project.
const onEachProject = "a project serves all of its domains; repeat this in each project, and deploy it"

func netlify(s Site) []Step {
	return []Step{
		s.file("put the file into the folder that is published, here public", "public/.well-known/"+FileName),
		{Whole, "put the headers beside it; if the file is there, add to it", "public/_headers",
			Path + "\n  Content-Type: " + mediaType + "\n  Cache-Control: " + caching + "\n"},
		{Kind: Advice, Do: onEachProject},
	}
}

func vercel(s Site) []Step {
	return []Step{
		s.file("put the file into the folder of static files", "public/.well-known/"+FileName),
		{Whole, "put the headers into the root of the project; if the file is there, add to its headers", "vercel.json", `{
  "headers": [
    {
      "source": "` + Path + `",
      "headers": [
        { "key": "Content-Type", "value": "` + mediaType + `" },
        { "key": "Cache-Control", "value": "` + caching + `" }
      ]
    }
  ]
}
`},
		{Kind: Advice, Do: onEachProject},
	}
}
