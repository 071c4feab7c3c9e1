// Speaks to avow as a host of a language model does. It reads a job from standard input:
// {"url": ...} or {"command": ..., "args": [...], "env": {...}}, and "calls", a list of
// {"name": ..., "arguments": {...}}. It prints the tools and the results. The client holds each
// result to the schema of its tool and fails when it does not fit.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { readFileSync } from "node:fs";

const job = JSON.parse(readFileSync(0, "utf8"));
const transport = job.url
  ? new StreamableHTTPClientTransport(new URL(job.url))
  : new StdioClientTransport({ command: job.command, args: job.args, env: job.env, stderr: "inherit" });
const client = new Client({ name: "avow-test", version: "1.0.0" });
await client.connect(transport);
const { tools } = await client.listTools();
const results = [];
for (const call of job.calls) results.push(await client.callTool(call));
await client.close();
process.stdout.write(JSON.stringify({ server: client.getServerVersion()?.name, tools: tools.map((t) => t.name), results }));
