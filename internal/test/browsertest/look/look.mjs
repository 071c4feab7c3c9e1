// Looks at pages with Chromium and reports what a person, a screen reader or an
// attacker's script would have met there.
//
// Standard input is a JSON object with
//   chromium the program
//   base     the origin of the service
//   shots    a directory for screenshots
//   pictures whether to take them
//   pages    what to look at: see visit
//   shows    by the names of pages, what must be in their text
// Standard output is a JSON array with one object for each page and each way of looking
// at it. Every array in it is empty when all is well; otherwise picture is the file with a picture.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { axe, hurry, inTurns, job, launch, limit, shifts, shoot } from './common.mjs';

const looks = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  narrow: { colorScheme: 'light', viewport: { width: 320, height: 640 } },
  plain: { colorScheme: 'light', viewport: { width: 1280, height: 900 } }, // without scripts
};

// watch collects everything that must not happen, for whoever looks at the page at the time.
function watch(page, eye) {
  page.on('dialog', (d) => { eye.seen.dialogs.push(d.message()); d.dismiss().catch(() => {}); });
  page.on('popup', (p) => { eye.seen.popups.push(p.url()); });
  page.on('download', (d) => { eye.seen.downloads.push(d.url()); });
  page.on('pageerror', (e) => { eye.seen.errors.push(String(e)); });
  page.on('worker', (w) => { eye.seen.foreign.push('worker ' + w.url()); });
  page.on('request', (r) => {
    if (new URL(r.url()).origin !== job.base) eye.seen.foreign.push(r.url());
  });
  page.on('console', (m) => {
    const text = m.text();
    // The browser also says so about a page that is meant to have such a status.
    if (/^Failed to load resource: the server responded with a status of [45]/.test(text) && m.location().url === page.url()) return;
    if (eye.refused && /^Failed to load resource: the server responded with a status of 4/.test(text)) return;
    if (/Content Security Policy/i.test(text)) eye.seen.policy.push(text);
    else if (m.type() === 'error' || m.type() === 'warning') eye.seen.console.push(text);
  });
}

// structure finds elements that no page of this service has: whatever is found came out
// of somebody's text.
function structure(base) {
  const odd = [];
  const known = new Set(('html head meta title link script body a header div nav ul ol li main h1 h2 h3 h4 p span strong form label input button textarea ' +
    'section article pre code mark table thead tbody tr th td details summary footer img time q br select datalist option dl dt dd wbr progress').split(' '));
  const drawn = new Set('svg g a rect path text tspan title'.split(' ')); // within pictures of ours
  const written = new Set('b em blockquote'.split(' ')); // within the guide, which nobody else writes
  for (const e of document.querySelectorAll('*')) {
    const ours = e.closest('.guide .words');
    if (!known.has(e.localName) && !e.matches('head > noscript, #builder > noscript, body > dialog.checking') && !(ours && written.has(e.localName)) && !(drawn.has(e.localName) && e.closest('svg.picture, svg.way, svg.coverage'))) odd.push('element ' + e.localName);
    if (e.localName === 'script' && (!e.hasAttribute('src') || e.textContent)) odd.push('script within the page');
    for (const a of e.attributes) {
      if (/^on|^style$|^srcdoc$|^formaction$|^background$/i.test(a.name)) odd.push('attribute ' + a.name + ' of ' + e.localName);
      if (e.localName === 'script' && (a.name === 'src' ? !a.value.startsWith('/assets/script/') : a.name !== 'type')) odd.push('script ' + a.name + ' ' + a.value);
      if (/^(href|src|action)$/.test(a.name) && new URL(a.value, base).origin !== base && !(ours && e.localName === 'a')) odd.push(a.name + ' ' + a.value);
    }
  }
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 1) odd.push('the page is ' + wide + ' pixels too wide: ' + [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((e) => e.outerHTML.slice(0, 80)).slice(0, 3).join(' | '));
  for (const t of document.querySelectorAll('table.slim, table.stacked')) {
    if (t.scrollWidth > t.parentElement.clientWidth) odd.push('a table that ought to fit is ' + t.scrollWidth + ' pixels wide in ' + t.parentElement.clientWidth);
  }
  return odd;
}

// longest is the time in milliseconds of the longest task since a page began; 0 when none took 50.
function longest() {
  return new Promise((done) => {
    let most = 0;
    const observer = new PerformanceObserver((list) => { for (const e of list.getEntries()) most = Math.max(most, e.duration); });
    observer.observe({ type: 'longtask', buffered: true });
    setTimeout(() => done(Math.round(most)), 1000);
  });
}

// outline lists the headings, links and fields that are seen, but what only scripts can do.
function outline() {
  const name = (e) => e.localName + ' ' + (e.getAttribute('name') ?? e.getAttribute('href') ?? e.textContent.trim().replace(/\s+/g, ' ').slice(0, 80));
  const all = 'h1, h2, h3, a[href], input[name]:not([type=hidden]), textarea[name], select[name], button[type=submit]';
  return [...document.querySelectorAll(all)].filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('#builder > .build')).map(name);
}

// nodes counts the elements and texts of a page.
function nodes() {
  const walk = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  let n = 0;
  while (walk.nextNode()) n++;
  return n;
}

// broken finds short words in tables that go on in the next line. Addresses have their own manner.
function broken() {
  const odd = new Set();
  const walk = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let left = 5000; left > 0 && odd.size < 5 && walk.nextNode(); left--) {
    const node = walk.currentNode;
    if (!node.parentElement.closest('tbody')) continue;
    for (const m of node.data.matchAll(/[A-Za-z0-9_]{2,18}/g)) {
      range.setStart(node, m.index);
      range.setEnd(node, m.index + m[0].length);
      const boxes = [...range.getClientRects()].filter((b) => b.width > 0);
      const alone = !/[\w/.:%]/.test(node.data[m.index - 1] ?? ' ') && !/[\w/:]/.test(node.data[m.index + m[0].length] ?? ' ');
      if (alone && boxes.some((b) => b.top >= boxes[0].bottom)) odd.add('the word ' + m[0] + ' is broken in ' + (node.parentElement?.outerHTML ?? '').slice(0, 120));
    }
  }
  return [...odd];
}

// The clipboard belongs to the whole browser: who uses it waits for a turn.
let turn = Promise.resolve();
function withClipboard(work) {
  const done = turn.then(work);
  turn = done.catch(() => {});
  return done;
}

// copied clicks on a button that copies, and returns what it copied.
async function copied(page, selector) {
  await page.evaluate(() => navigator.clipboard.writeText('(nothing)'));
  await page.click(selector);
  return becomes(page, () => page.evaluate(() => navigator.clipboard.readText()), (text) => text !== '(nothing)');
}

// pasted puts a text into a field as people do.
async function pasted(page, selector, text) {
  await page.evaluate((t) => navigator.clipboard.writeText(t), text);
  await page.focus(selector);
  await page.keyboard.press('Control+V');
}

// dropped drops a file on an element, as from the desktop. What the page does about it is for the
// next step to wait for.
async function dropped(page, selector, text) {
  const dataTransfer = await page.evaluateHandle((content) => {
    const files = new DataTransfer();
    files.items.add(new File([content], 'adagents.json'));
    return files;
  }, text);
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent(selector, type, { dataTransfer });
}

// downloaded clicks on what stores a file, and returns its text.
async function downloaded(page, selector) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
  return readFileSync(await file.path(), 'utf8');
}

// becomes asks until an answer is the one that is wanted, or for as long as may be, and returns the
// last answer. A page that is loaded meanwhile has no answer.
async function becomes(page, ask, wanted) {
  for (const end = Date.now() + limit(); ;) {
    const got = await ask().catch((e) => String(e));
    if (wanted(got)) return got;
    if (Date.now() > end) {
      hurry();
      return got;
    }
    await page.waitForTimeout(20);
  }
}

// expects waits until an element is there, with a text if one is given, and reports what is there.
async function expects(page, s, wrong) {
  const found = page.locator(s.expect).first();
  await found.waitFor({ state: 'visible' });
  const fits = (text) => text.includes(s.text ?? '');
  const text = await becomes(page, () => found.evaluate((e) => e.value ?? e.textContent), fits);
  if (!fits(text)) wrong.push(`${s.expect} is ${text}`);
}

// goes waits until no element of a kind is to be seen.
async function goes(page, selector, wrong) {
  const count = await becomes(page, () => page.locator(selector).filter({ visible: true }).count(), (n) => n === 0);
  if (count !== 0) wrong.push(selector + ' is there');
}

// focuses waits until an element has the focus.
async function focuses(page, selector, wrong) {
  const there = await becomes(page, () => page.evaluate((q) => document.activeElement?.matches(q) || document.activeElement?.outerHTML.slice(0, 200), selector), (x) => x === true);
  if (there !== true) wrong.push('the focus is on ' + there);
}

// aside opens something in another tab, and gives the page the time to do what it should not.
async function aside(page, selector) {
  const [tab] = await Promise.all([page.context().waitForEvent('page', { timeout: limit() }), page.click(selector, { modifiers: ['Control'] })]);
  await page.waitForTimeout(1000);
  await tab.close();
}

// step does what a person does with a page. What is not as expected goes to seen.wrong.
async function step(page, s, seen) {
  const compare = (text, what) => { if (!text.includes(s.text)) seen.wrong.push(`${what} ${JSON.stringify(text)}`); };
  if (s.fill) await page.fill(s.fill, s.text);
  if (s.upload) await page.setInputFiles(s.upload, { name: s.file || 'adagents.json', mimeType: 'application/json', buffer: Buffer.from(s.text) });
  if (s.drop) await dropped(page, s.drop, s.text);
  if (s.tab) await page.focus(s.tab);
  if (s.check) await page.check(s.check);
  if (s.open) await page.click(s.open);
  if (s.aside) await aside(page, s.aside);
  if (s.press) await page.keyboard.press(s.press);
  if (s.copy) compare(await withClipboard(() => copied(page, s.copy)), 'copied');
  if (s.paste) await withClipboard(() => pasted(page, s.paste, s.text));
  if (s.download) {
    seen.stores = true;
    compare(await downloaded(page, s.download), 'downloaded');
  }
  if (s.expect) await expects(page, s, seen.wrong);
  if (s.gone) await goes(page, s.gone, seen.wrong);
  if (s.focus) await focuses(page, s.focus, seen.wrong);
  if (s.submit) await Promise.all([page.waitForLoadState('load'), page.waitForNavigation(), page.click(s.submit)]);
  if (s.enter) await Promise.all([page.waitForNavigation(), page.press(s.enter, 'Enter')]);
}

// blank is a sight of nothing.
const blank = (name, look) => ({ name, look, dialogs: [], popups: [], downloads: [], errors: [], foreign: [], policy: [], console: [], odd: [], axe: [], wrong: [], text: '', outline: [] });

// examine looks at a page as it is now.
async function examine(page, p, look, seen, first) {
  if (!p.plain) seen.odd.push(...await page.evaluate(structure, job.base));
  if (p.axe && !p.plain) seen.odd.push(...await page.evaluate(broken));
  if (p.still) seen.odd.push(...await page.evaluate(shifts));
  if (p.outline) seen.outline = await page.evaluate(outline);
  seen.text = p.text ? await page.evaluate(() => document.body.textContent) : '';
  if (p.shot && job.pictures) await shoot(page, p.name, look);
  if (p.axe) seen.axe = await axe(page, look, first);
  for (const l of p.limits ?? []) {
    if (l.look !== look) continue;
    const [tall, end] = await page.locator(l.of).first().evaluate((e) => [e.getBoundingClientRect().height, e.getBoundingClientRect().bottom + scrollY].map(Math.ceil));
    if (!l.bottom && tall > l.pixels) seen.wrong.push(`${l.of} is ${tall} pixels tall, and ${l.pixels} are the most`);
    if (l.bottom && end > l.pixels) seen.wrong.push(`${l.of} ends ${end} pixels below the top, and ${l.pixels} are the most`);
  }
}

// wrong reports whether something is the matter with a sight of a page.
function wrong(p, seen) {
  const problems = Object.entries(seen).some(([name, list]) => Array.isArray(list) && list.length > 0 && name !== 'outline' && !(seen.stores && name === 'downloads'));
  return problems || (p.text && (job.shows?.[p.name] ?? []).some((text) => !seen.text.includes(text)));
}

// keep leaves a picture of a page on which something is wrong, as it is in the last look at it, and
// removes the one of an earlier run otherwise.
async function keep(page, p, sights) {
  const file = path.join(job.shots, `failed-${p.name}.png`);
  const failed = sights.filter((s) => wrong(p, s));
  if (failed.length === 0) return rmSync(file, { force: true });
  await page.screenshot({ path: file }).then(() => failed.forEach((s) => { s.picture = file; }), (e) => failed.forEach((s) => s.wrong.push('no picture: ' + e)));
}

// An eye is a tab that looks at one page after the other: a new tab for each takes longer than the
// page. What it meets belongs to the sight of the time.
async function openEye(context) {
  const eye = { page: await context.newPage(), seen: null, bytes: 0 };
  watch(eye.page, eye);
  // What a page weighs is counted as if it were the first one that a visitor sees.
  const network = await context.newCDPSession(eye.page);
  await network.send('Network.enable');
  await network.send('Network.setCacheDisabled', { cacheDisabled: true });
  if (job.tasks) await network.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  network.on('Network.loadingFinished', (e) => { eye.bytes += e.encodedDataLength; });
  return eye;
}

// heaviest is how many bytes a page may send before a visitor does something.
const heaviest = (address) => address.startsWith('/build') ? 200000 : 60000;

// arrive loads a page, and says what is wrong with how it comes: what moves, and what it weighs.
async function arrive(eye, p, look, seen) {
  const page = eye.page;
  eye.bytes = 0;
  const answer = await page.goto(job.base + p.url, { waitUntil: 'load' });
  if (p.status && answer.status() !== p.status) seen.wrong.push('status ' + answer.status());
  if (!p.axe || look === 'plain') return;
  if (await page.$('#builder')) await page.waitForSelector('#builder[data-ready]');
  if (job.tasks) seen.longest = await page.evaluate(longest);
  seen.odd.push(...await page.evaluate(shifts));
  if (!p.heavy && eye.bytes > heaviest(p.url)) seen.odd.push(`the page sends ${eye.bytes} bytes, ${heaviest(p.url)} are permitted`);
}

const eyes = new Map();

// visit looks at one page: { name, url, steps, status, lands, axe, shot, looks }. It is loaded in
// its first look, and looked at in the others as it is then.
async function visit(p, worker) {
  const [first, ...others] = p.looks ?? ['light'];
  const scripts = first !== 'plain';
  const place = (scripts ? 'full' : 'plain') + worker;
  const eye = (p.apart ? null : eyes.get(place)) ?? await openEye(p.apart ? await browser.newContext({ javaScriptEnabled: scripts }) : contexts[scripts ? 'full' : 'plain']);
  const seen = blank(p.name, first);
  eye.seen = seen;
  eye.refused = p.refused;
  const sights = [seen];
  const page = eye.page;
  page.setDefaultTimeout(limit());
  try {
    await turnTo(page, first);
    await arrive(eye, p, first, seen);
    const count = p.most ? await page.evaluate(nodes) : 0;
    if (count > (p.most ?? 0)) seen.odd.push(`the page has ${count} nodes, ${p.most} are permitted`);
    for (const s of p.steps ?? []) await step(page, s, seen);
    const lands = p.lands ? await becomes(page, async () => page.url(), (url) => url === job.base + p.lands) : '';
    if (p.lands && lands !== job.base + p.lands) seen.wrong.push('lands on ' + lands);
    if (p.lands === undefined && !(p.steps ?? []).some((s) => s.submit || s.enter || s.press || s.drop) && page.url() !== new URL(p.url, job.base).href) seen.wrong.push('went to ' + page.url());
    await page.waitForTimeout(50); // for what a page does after it has loaded
    await examine(page, p, first, seen, true);
    for (const look of others) {
      const next = blank(p.name, look);
      sights.push(next);
      await turnTo(page, look);
      // On a phone a page comes differently. What was done on one would have to be done again.
      if (look === 'narrow' && p.axe && !p.steps) await arrive(eye, p, look, next);
      await examine(page, p, look, next, false);
    }
    if (!p.apart) eyes.set(place, eye);
  } catch (e) {
    seen.wrong.push(String(e));
    hurry();
    eyes.delete(place);
  }
  await keep(page, p, sights);
  if (seen.stores) seen.downloads = [];
  if (p.apart) await page.context().close();
  else if (eyes.get(place) !== eye) await page.close();
  return sights;
}

// turnTo has a page look another way.
async function turnTo(page, look) {
  await page.emulateMedia({ colorScheme: looks[look].colorScheme });
  await page.setViewportSize(looks[look].viewport);
}

const browser = await launch();
const contexts = {
  full: await browser.newContext({ acceptDownloads: true }),
  plain: await browser.newContext({ javaScriptEnabled: false, acceptDownloads: true }),
};
await contexts.full.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: job.base });
const results = await inTurns(job.pages, visit);
await browser.close();
process.stdout.write(JSON.stringify(results.flat()));
