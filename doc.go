// Package avow answers who may sell a publisher's inventory, from adagents.json files.
//
// A Client finds the file that speaks for a publisher, reads it as the specification
// demands, and answers a Question with a verdict and what it rests on:
//
//	var client avow.Client
//	answer, err := client.Authorize(ctx, avow.Question{
//		Publisher: "publisher.example",
//		Agent:     "https://agent.example/mcp",
//	})
//
// A verdict is not a yes or a no. That a publisher has no file, that its file cannot be
// used, that it authorizes no agent at all, and that the question leaves out what an
// entry depends on are answers of their own.
//
// Documents come from the web or from a Source of the caller's own. Package resolve has
// the verdicts without any network, package discover the way to a file, and package
// adagents the file itself.
package avow
