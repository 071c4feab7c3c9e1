// Puts a file into the property index of the npm package and asks it questions.
//
//   node peer.cjs FILE QUESTIONS ROUNDS
//
// QUESTIONS has one question per line: publisher, agent, type and value of an
// identifier, with tabs between them. The answer is one line of JSON: the shortest
// time of each step over the rounds in milliseconds, and a 1 or a 0 per question.
'use strict';

const fs = require('node:fs');
const { performance } = require('node:perf_hooks');
const { PropertyIndex } = require('@adcp/sdk');

const [file, questionFile, rounds] = process.argv.slice(2);
const text = fs.readFileSync(file, 'utf8');
const questions = fs
  .readFileSync(questionFile, 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => line.split('\t'));

// The package has an index of properties by agent, and nothing that finds out which
// properties an entry covers. That is done here on its behalf and not counted.
function covered(data) {
  const byID = new Map();
  const byTag = new Map();
  const byDomain = new Map();
  const add = (map, key, property) => {
    const list = map.get(key);
    if (list) list.push(property);
    else map.set(key, [property]);
  };
  for (const property of data.properties) {
    add(byID, property.property_id, property);
    add(byDomain, property.publisher_domain, property);
    for (const tag of property.tags ?? []) add(byTag, tag, property);
  }
  const pairs = [];
  for (const entry of data.authorized_agents) {
    const found = new Set();
    for (const id of entry.property_ids ?? []) for (const p of byID.get(id) ?? []) found.add(p);
    for (const tag of entry.property_tags ?? []) for (const p of byTag.get(tag) ?? []) found.add(p);
    for (const selector of entry.publisher_properties ?? []) {
      for (const domain of selector.publisher_domains ?? [selector.publisher_domain]) {
        for (const p of byDomain.get(domain) ?? []) {
          if (selector.property_tags.some(tag => p.tags?.includes(tag))) found.add(p);
        }
      }
    }
    for (const property of found) pairs.push([property, entry.url]);
  }
  return pairs;
}

function clock(step) {
  const start = performance.now();
  const result = step();
  return [performance.now() - start, result];
}

const best = { parse: Infinity, index: Infinity, ask: Infinity };
let answers = '';
for (let round = 0; round < Number(rounds); round++) {
  const [parse, data] = clock(() => JSON.parse(text));
  const pairs = covered(data);
  const index = new PropertyIndex();
  const [build] = clock(() => {
    for (const [property, agent] of pairs) index.addProperty(property, agent, property.publisher_domain);
  });
  const [ask, got] = clock(() =>
    questions.map(([publisher, agent, type, value]) =>
      index
        .findAgentsForProperty(type, value)
        .some(match => match.agent_url === agent && match.publisher_domain === publisher)
    )
  );
  best.parse = Math.min(best.parse, parse);
  best.index = Math.min(best.index, build);
  best.ask = Math.min(best.ask, ask);
  answers = got.map(yes => (yes ? '1' : '0')).join('');
}
process.stdout.write(`${best.parse}\t${best.index}\t${best.ask}\t${answers}\n`);
