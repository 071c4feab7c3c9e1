// Keeps a copy of a registry with the client of the npm package, while the registry comes and goes.
// When standard input ends, it reads until there is nothing new, and prints which agents of each
// publisher it takes for authorized, how many events it was told of, and how often it was told nothing.
//
//   node follow.cjs REGISTRY AGENTS PUBLISHERS
//
// Agents and publishers are lists with commas.
'use strict';

const { RegistryClient, RegistrySync } = require('@adcp/sdk');

async function main() {
  const [url, agents, publishers] = process.argv.slice(2);
  const client = new RegistryClient({ baseUrl: url, apiKey: 'of-another-registry' });
  const result = { events: 0, failures: 0, authorized: {} };
  const sync = new RegistrySync({ client, pollIntervalMs: 50, onError: () => result.failures++ });
  sync.on('error', () => {}); // onError counts it
  sync.on('event', () => result.events++);
  await sync.start();
  process.stdout.write('started\n');
  for await (const chunk of process.stdin) void chunk;
  for (;;) {
    const page = await client.getFeed({ cursor: sync.getCursor() ?? undefined, limit: 1 });
    if (page.events.length === 0 && !page.has_more) break;
    await new Promise(done => setTimeout(done, 20));
  }
  sync.stop();
  for (const publisher of publishers.split(',')) {
    result.authorized[publisher] = agents.split(',').filter(agent => sync.isAuthorized(agent, publisher));
  }
  process.stdout.write(JSON.stringify(result) + '\n');
}

main();
