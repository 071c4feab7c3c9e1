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
      // An argument that begins with a dollar sign is a member of what came before.
      const args = call.args.map(arg => (/^\$\w+$/.test(arg) ? results.at(-1).value[arg.slice(1)] : arg));
      const value = await client[call.method](...args);
      results.push({ value: value === undefined ? null : value });
    } catch (err) {
      results.push({ error: String(err.message) });
    }
  }
  process.stdout.write(JSON.stringify(results));
}

main();
