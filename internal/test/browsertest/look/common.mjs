// What both scripts need: the job on standard input, the browser, and axe.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

export const job = JSON.parse(readFileSync(0, 'utf8'));
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export function launch() {
  return chromium.launch({ executablePath: job.chromium, headless: true, args: flags, timeout: limit() });
}

// limit is how long something may take, in milliseconds: long, on a machine that is as slow and as busy
// as can be. Once something was in vain there is no use in waiting so long again.
let patience = 600000;
export const limit = () => patience;
export const hurry = () => { patience = 10000; };

// inTurns does all jobs, two at a time unless tasks are measured, and returns what came of them.
export async function inTurns(jobs, work) {
  const results = [];
  const queue = [...jobs];
  await Promise.all((job.tasks ? [0] : [0, 1]).map(async (worker) => {
    for (let j = queue.shift(); j; j = queue.shift()) results.push(await work(j, worker));
  }));
  return results;
}

// axeRules are what axe looks for: everything at first, and then what a look can change. Colours
// are those of a theme; sizes, and controls that are shown or not, are those of a window. Roles and order
// are the same in all of them.
const axeRules = {
  light: { rules: { 'target-size': { enabled: true } } },
  dark: { runOnly: ['color-contrast', 'link-in-text-block'] },
  narrow: { runOnly: ['target-size', 'scrollable-region-focusable', 'button-name', 'link-name', 'label', 'select-name', 'aria-hidden-focus'] },
};

// axe reports what is wrong with a page for people who cannot see it, or not as others do. Whole
// is set for the first look at a state.
export async function axe(page, look, whole) {
  if (!await page.evaluate(() => window.axe !== undefined)) await page.evaluate(axeSource);
  const found = await page.evaluate((o) => window.axe.run(document, { preload: false, resultTypes: ['violations'], ...o }), axeRules[whole ? 'light' : look]);
  return found.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)).join(' | ')}`);
}

// shifts says what of a page has moved without a user having done anything, since a time if the page has noted it.
export function shifts() {
  return new Promise((done) => {
    const found = [];
    const box = (r) => [r.x, r.y, r.width, r.height].join(' ');
    const say = (s) => `${(s.node?.outerHTML ?? s.node?.textContent ?? '').slice(0, 80)} from ${box(s.previousRect)} to ${box(s.currentRect)}`;
    const add = (list) => { for (const e of list) if (!e.hadRecentInput && e.startTime >= (window.since ?? 0)) found.push(`the layout shifts by ${e.value}: ${e.sources.map(say).join(' | ')}`); };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => { add(observer.takeRecords()); done(found); })));
  });
}

// tallest is the height of a screenshot in pixels: what is below looks like what is above, and a
// picture of fifty screens takes seconds.
const tallest = 3200;

// shoot takes a picture of a whole page, and of a narrow one also in the dark: that has the colours of
// the dark look and the places of the narrow one, which are looked at for themselves.
export async function shoot(page, name, look) {
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  // The window becomes as tall as the page: what is beyond a window is not always painted.
  const before = page.viewportSize();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: before.width, height: Math.max(before.height, Math.min(height, tallest)) });
  await picture(page, name, look);
  if (look === 'narrow') {
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture(page, name, look + '-dark');
    await page.emulateMedia({ colorScheme: 'light' });
  }
  await page.setViewportSize(before);
}

// picture takes a picture of the window, two frames after it has changed: parts of an earlier one are
// those of the window before. Where no scripts run nobody is told of frames.
async function picture(page, name, look) {
  if (look !== 'plain') await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.screenshot({ path: path.join(job.shots, `${name}-${look}.png`), caret: 'initial' });
}
