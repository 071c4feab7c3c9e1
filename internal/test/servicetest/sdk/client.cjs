// Calls methods of the registry client of the npm package and prints what they return.
//
// The calls come as a JSON array on standard input: {method, args, key}. For each there
// is {value} or {error} in the array on standard output.
'use strict';

const { RegistryClient } = require('@adcp/sdk');

async function main() {
  let input = '';
  for await (const chunk of process.stdin) input += chunk;
  const results = [];
  for (const call of JSON.parse(input)) {
    const client = new RegistryClient({ baseUrl: process.argv[2], ...(call.key && { apiKey: call.key }) });
    if (typeof client[call.method] !== 'function') {
      results.push({ error: `the client has no method ${call.method}` });
      continue;
    }
    try {
      const value = await client[call.method](...call.args);
      results.push({ value: value === undefined ? null : value });
    } catch (err) {
      results.push({ error: String(err.message) });
    }
  }
  process.stdout.write(JSON.stringify(results));
}

main();
