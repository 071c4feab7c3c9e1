// Runs the client of the npm package that keeps a copy of a registry, twice: from nothing, and
// from the cursor that it has saved. Prints what the first one knows.
//
//   node sync.cjs REGISTRY AGENT PUBLISHER DIRECTORY
'use strict';

const path = require('node:path');
const { RegistryClient, RegistrySync, FileCursorStore } = require('@adcp/sdk');

async function start(url, file) {
  const client = new RegistryClient({ baseUrl: url, apiKey: 'of-another-registry' });
  const sync = new RegistrySync({ client, cursorStore: new FileCursorStore(file), onError: err => { throw err; } });
  await sync.start();
  return sync;
}

async function main() {
  const [url, agent, publisher, folder] = process.argv.slice(2);
  const file = path.join(folder, 'cursor.json');
  const sync = await start(url, file);
  const result = {
    agents: sync.getAgents().map(one => one.url),
    authorized: sync.isAuthorized(agent, publisher),
    stranger: sync.isAuthorized('https://stranger.example/mcp', publisher),
    types: sync.getAuthorizationsForDomain(publisher).map(one => one.authorization_type),
    found: sync.findAgents({ property_types: ['website'] }).length,
    state: sync.state,
    saved: /^[0-9a-f-]{36}$/.test(await new FileCursorStore(file).getCursor()),
  };
  sync.stop();
  const again = await start(url, file);
  result.again = again.state;
  again.stop();
  process.stdout.write(JSON.stringify(result) + '\n');
}

main();
