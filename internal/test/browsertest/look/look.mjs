// Looks at pages with Chromium and reports what a person, a screen reader or an
// attacker's script would have met there.
//
// Standard input is a JSON object with
//   modules  the directory with node_modules
//   chromium the program
//   profile  an empty directory for the browser's files
//   base     the origin of the service
//   shots    a directory for screenshots, or empty
//   pages    what to look at: see visit
// Standard output is a JSON array with one object for each page and each way of looking
// at it. Every array in it is empty when all is well.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const job = JSON.parse(readFileSync(0, 'utf8'));
const require = createRequire(path.join(job.modules, 'package.json'));
const { chromium } = require('playwright-core');
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

// patience is for busy machines, in milliseconds.
const patience = 120000;

const looks = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  narrow: { colorScheme: 'light', viewport: { width: 320, height: 640 } },
};

// watch collects everything that must not happen.
function watch(page, seen) {
  page.on('dialog', (d) => { seen.dialogs.push(d.message()); d.dismiss().catch(() => {}); });
  page.on('popup', (p) => { seen.popups.push(p.url()); });
  page.on('download', (d) => { seen.downloads.push(d.url()); });
  page.on('pageerror', (e) => { seen.errors.push(String(e)); });
  page.on('worker', (w) => { seen.foreign.push('worker ' + w.url()); });
  page.on('request', (r) => {
    if (new URL(r.url()).origin !== job.base) seen.foreign.push(r.url());
  });
  page.on('console', (m) => {
    const text = m.text();
    // The browser also says so about a page that is meant to have such a status.
    if (/^Failed to load resource: the server responded with a status of 4/.test(text) && m.location().url === page.url()) return;
    if (/Content Security Policy/i.test(text)) seen.policy.push(text);
    else if (m.type() === 'error' || m.type() === 'warning') seen.console.push(text);
  });
}

// structure finds elements that no page of this service has: whatever is found came out
// of somebody's text.
function structure(base) {
  const odd = [];
  const known = new Set(('html head meta title link script body a header div nav ul ol li main h1 h2 h3 h4 p span strong form label input button textarea ' +
    'section article pre code mark table thead tbody tr th td details summary footer img time q br select datalist option dl dt dd').split(' '));
  const drawn = new Set('svg g a rect path text tspan title'.split(' ')); // within pictures of ours
  for (const e of document.querySelectorAll('*')) {
    if (!known.has(e.localName) && !(drawn.has(e.localName) && e.closest('svg.picture, svg.way'))) odd.push('element ' + e.localName);
    if (e.localName === 'script' && (!e.hasAttribute('src') || e.textContent)) odd.push('script within the page');
    for (const a of e.attributes) {
      if (/^on|^style$|^srcdoc$|^formaction$|^background$/i.test(a.name)) odd.push('attribute ' + a.name + ' of ' + e.localName);
      if (e.localName === 'script' && (a.name === 'src' ? !a.value.startsWith('/assets/script/') : a.name !== 'type')) odd.push('script ' + a.name + ' ' + a.value);
      if (/^(href|src|action)$/.test(a.name) && new URL(a.value, base).origin !== base) odd.push(a.name + ' ' + a.value);
    }
  }
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 1) odd.push('the page is ' + wide + ' pixels too wide');
  return odd;
}

// step does what a person does with a page.
async function step(page, s) {
  if (s.fill) await page.fill(s.fill, s.text);
  if (s.upload) await page.setInputFiles(s.upload, { name: 'adagents.json', mimeType: 'application/json', buffer: Buffer.from(s.text) });
  if (s.check) await page.check(s.check);
  if (s.open) await page.click(s.open);
  if (s.press) await page.keyboard.press(s.press);
  if (s.submit) await Promise.all([page.waitForLoadState('load'), page.waitForNavigation(), page.click(s.submit)]);
  if (s.enter) await Promise.all([page.waitForNavigation(), page.press(s.enter, 'Enter')]);
}

// visit looks at one page: { name, url, steps, status, lands, axe, shot, looks }.
async function visit(context, p, look) {
  const seen = {
    name: p.name, look, dialogs: [], popups: [], downloads: [], errors: [], foreign: [], policy: [], console: [], odd: [], axe: [], wrong: [], text: '',
  };
  const page = await context.newPage();
  watch(page, seen);
  try {
    const answer = await page.goto(job.base + p.url, { waitUntil: 'load', timeout: patience });
    if (p.status && answer.status() !== p.status) seen.wrong.push('status ' + answer.status());
    for (const s of p.steps ?? []) await step(page, s);
    if (p.lands && page.url() !== job.base + p.lands) seen.wrong.push('lands on ' + page.url());
    if (p.lands === undefined && !(p.steps ?? []).some((s) => s.submit || s.enter) && page.url() !== new URL(p.url, job.base).href) seen.wrong.push('went to ' + page.url());
    if (!p.plain) seen.odd = await page.evaluate(structure, job.base);
    seen.text = p.text ? await page.evaluate(() => document.body.textContent) : '';
    await page.waitForTimeout(50); // for what a page does after it has loaded
    if (p.shot && job.shots) await page.screenshot({ path: path.join(job.shots, `${p.name}-${look}.png`), fullPage: true });
    if (p.axe) {
      await page.evaluate(axeSource);
      const found = await page.evaluate(() => window.axe.run(document, { preload: false, resultTypes: ['violations'] }));
      for (const v of found.violations) seen.axe.push(`${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)).join(' | ')}`);
    }
  } catch (e) {
    seen.wrong.push(String(e));
  }
  await page.close();
  return seen;
}

const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const results = [];
for (const [look, options] of Object.entries(looks)) {
  const wanted = job.pages.filter((p) => (p.looks ?? ['light']).includes(look));
  if (wanted.length === 0) continue;
  const context = await chromium.launchPersistentContext(path.join(job.profile, look), {
    executablePath: job.chromium, headless: true, args: flags, ...options,
  });
  context.setDefaultTimeout(patience);
  const queue = [...wanted];
  await Promise.all([0, 1].map(async () => {
    for (let p = queue.shift(); p; p = queue.shift()) results.push(await visit(context, p, look));
  }));
  await context.close();
}
process.stdout.write(JSON.stringify(results));
