// Uses the page that builds files as a person does, and reports what is wrong.
//
// Standard input is a JSON object like that of look.mjs, with journeys in the place of pages:
// { name, look, url, steps, expects }. Standard output is a JSON array
// with one object for each journey: what watch in look.mjs collects, what was wrong, and what
// the steps called "keep" kept.
import { readFileSync } from 'node:fs';
import { axe, hurry, inTurns, job, launch, limit, shifts, shoot } from './common.mjs';

const looks = {
  light: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  narrow: { colorScheme: 'light', viewport: { width: 320, height: 640 } },
};

// watch collects everything that must not happen.
function watch(page, seen) {
  page.on('dialog', (d) => { seen.wrong.push('dialog ' + d.message()); d.dismiss().catch(() => {}); });
  page.on('popup', (p) => { seen.wrong.push('popup ' + p.url()); });
  page.on('pageerror', (e) => { seen.wrong.push('script error ' + String(e.stack ?? e)); });
  page.on('request', (r) => {
    if (new URL(r.url()).origin !== job.base && !r.url().startsWith('blob:' + job.base)) seen.wrong.push('request to ' + r.url());
  });
  page.on('console', (m) => {
    const text = m.text();
    if (/^Failed to load resource/.test(text) && seen.expects.includes('refusal')) return;
    if (seen.axe && /^Applying inline style/.test(text)) return; // axe copies elements with their styles
    if (m.type() === 'error' || m.type() === 'warning') seen.wrong.push('console: ' + text + ' ' + JSON.stringify(m.location()));
  });
}

// text is the document of the page, as it is downloaded.
async function text(page) {
  const panel = await page.getAttribute('[data-panel][aria-current=true]', 'data-panel');
  await turn(page, 'publish');
  const [d] = await Promise.all([page.waitForEvent('download'), page.click('[data-download]')]);
  await turn(page, panel);
  return readFileSync(await d.path(), 'utf8');
}

// turn goes to a part of the page, which may be among those that are folded.
async function turn(page, panel) {
  const button = page.locator(`[data-panel="${panel}"]`);
  if (!await button.isVisible()) await page.click('.others summary');
  await button.click();
}

// enter makes files with the forms alone, one after the other, and returns their texts as they
// are downloaded. It runs within the page: a person's hand on each control would take minutes for
// a file.
async function enter({ files, parts }) {
  // The browser makes nested timers wait; messages do not.
  const channel = new MessageChannel();
  const pause = () => new Promise((done) => {
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  });
  const quoted = (x) => JSON.stringify(x);
  const find = (selector) => document.querySelector('.build').querySelector(selector);
  const control = (pointer) => find(`[data-path=${quoted(pointer)}]`);
  const adder = (pointer) => find(`[data-add=${quoted(pointer)}]`);
  const escaped = (name) => name.replaceAll('~', '~0').replaceAll('/', '~1');
  const press = async (e) => { e.click(); await pause(); await pause(); };
  // write types into a control and leaves it.
  const write = async (e, text) => {
    e.dispatchEvent(new FocusEvent('focus'));
    const kind = { select: HTMLSelectElement, textarea: HTMLTextAreaElement, input: HTMLInputElement }[e.localName];
    Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(e, text);
    if (e.value !== text) throw new Error(`${e.dataset.path} does not take ${text}`);
    for (const name of ['input', 'change']) e.dispatchEvent(new Event(name, { bubbles: true }));
    await pause();
    e.dispatchEvent(new FocusEvent('blur'));
    await pause();
  };
  // reveal opens what hides something: folded entries, and members that are seldom needed.
  const reveal = async (get, pointer) => {
    for (let tries = 0; tries < 10 && !get(); tries++) {
      const steps = pointer.split('/');
      const paths = steps.map((_, n) => steps.slice(0, n + 1).join('/'));
      const folded = paths.map((x) => find(`details[data-entry=${quoted(x)}]:not([open])`)).find((e) => e) ?? paths.reverse().map((x) => find(`details[data-more=${quoted(x)}]:not([open])`)).find((e) => e);
      if (!folded) break;
      await new Promise((done) => {
        folded.addEventListener('toggle', done, { once: true }); // after which the page fills it
        folded.open = true;
      });
      await pause();
    }
    if (!get()) throw new Error('no control for ' + pointer);
    return get();
  };
  const list = async (pointer, value) => {
    const choices = () => find(`input[type=checkbox][data-path=${quoted(pointer)}]`);
    await reveal(() => choices() ?? control(pointer) ?? control(pointer + '/0') ?? adder(pointer), pointer);
    if (control(pointer)?.dataset.raw !== undefined) return write(control(pointer), JSON.stringify(value));
    for (const [i, v] of value.entries()) {
      const tick = typeof v === 'string' && find(`input[type=checkbox][data-path=${quoted(pointer)}][value=${quoted(v)}]`);
      if (tick) await press(tick);
      else if (adder(pointer)) { await press(adder(pointer)); await put(pointer + '/' + i, v); }
      else if (v !== null) await write(control(pointer + '/' + i), String(v)); // an end of a pair
    }
  };
  const map = async (pointer, value) => {
    for (const [name, v] of Object.entries(value)) {
      await write(find(`[data-new=${quoted(pointer)}]`), name);
      await press(adder(pointer));
      await members(pointer + '/' + escaped(name), v);
    }
  };
  const members = async (pointer, value) => {
    for (const [name, v] of Object.entries(value)) await put(pointer + '/' + escaped(name), v);
  };
  const put = async (pointer, value) => {
    if (Array.isArray(value)) return list(pointer, value);
    if (typeof value === 'object' && value !== null) {
      if (find(`[data-entry=${quoted(pointer)}]`)) return members(pointer, value);
      await reveal(() => control(pointer) ?? adder(pointer), pointer);
      if (control(pointer)) return write(control(pointer), JSON.stringify(value));
      if (find(`[data-new=${quoted(pointer)}]`)) return map(pointer, value);
      await press(adder(pointer));
      return members(pointer, value);
    }
    const e = await reveal(() => control(pointer), pointer);
    return write(e, e.dataset.raw === undefined ? String(value) : JSON.stringify(value));
  };
  const turnTo = async (panel) => {
    const button = find(`[data-panel=${quoted(panel)}]`);
    if (button.getAttribute('aria-current') !== 'true') await press(button);
  };
  // What is downloaded is caught on its way.
  let stored = null;
  URL.createObjectURL = (blob) => { stored = blob; return 'blob:'; };
  HTMLAnchorElement.prototype.click = () => {};
  // wipe takes a member of the file out, with the buttons and fields of the form.
  const wipe = async (member, value) => {
    const pointer = '/' + escaped(member);
    if (typeof value !== 'object') return write(await reveal(() => control(pointer), pointer), '');
    const inner = Array.isArray(value) ? value.map(() => pointer + '/0') : pointer === '/contact' ? [pointer] : Object.keys(value).map((n) => pointer + '/' + escaped(n));
    for (const p of inner) await press(await reveal(() => find(`[data-remove=${quoted(p)}]`), p));
  };
  document.body.style.display = 'none'; // nothing has to be painted a thousand times
  const out = {};
  let last = {};
  for (const { name, kind, file } of files) {
    try {
      // Parts that are the same as in the file before stay, as somebody would leave them.
      const same = (member) => JSON.stringify(last.file?.[member]) === JSON.stringify(file[member]);
      if (last.kind !== kind) {
        await turnTo('start');
        await press(find(`[data-template=${kind}]`));
        last = { file: {} };
      }
      for (const member of new Set([...Object.keys(last.file), ...Object.keys(file)])) {
        if (same(member)) continue;
        await turnTo(kind === 'pointer' ? 'pointer' : parts[member]);
        if (last.file[member] !== undefined) await wipe(member, last.file[member]);
        if (file[member] !== undefined) await put('/' + escaped(member), file[member]);
      }
      last = { kind, file };
      await turnTo('publish');
      await press(find('[data-download]'));
      out[name] = await stored.text();
    } catch (e) {
      out[name] = String(e.stack ?? e);
      last = {};
    }
  }
  return out;
}

// odd finds elements that the page does not have: whatever is found came out of somebody's text.
function odd() {
  return [...document.querySelectorAll('.build *')].flatMap((e) => {
    const found = [];
    if (/^(script|style|iframe|object|embed|img|svg|form|meta|link|base|video|audio|template|slot)$/.test(e.localName) && !e.matches('form.domain')) found.push('element ' + e.localName);
    for (const a of e.attributes) if (/^on|^style$|^srcdoc$/i.test(a.name)) found.push('attribute ' + a.name + ' of ' + e.localName);
    return found;
  });
}

// tasksOf reads the tasks of a page's main thread out of a trace, with the time that the processor
// spent on each, in milliseconds. Those that do nothing but read the file are the measure.
function tasksOf(trace) {
  const events = JSON.parse(trace.toString()).traceEvents;
  const marks = events.filter((e) => e.name === 'read the file');
  const [main] = marks;
  const tasks = events.filter((e) => e.name === 'ThreadControllerImpl::RunTask' && e.pid === main.pid && e.tid === main.tid && e.tdur !== undefined);
  const measures = tasks.filter((t) => marks.some((m) => m.ts >= t.ts && m.ts <= t.ts + t.dur));
  const times = (list) => list.map((t) => t.tdur / 1000).sort((a, b) => a - b);
  return { measure: times(measures)[Math.floor(measures.length / 2)], tasks: tasks.length, longest: times(tasks.filter((t) => !measures.includes(t))).pop() };
}

// recently is how long after an input Chromium takes what moves for its consequence, in milliseconds.
const recently = 500;

// steps are what a person does.
const steps = {
  click: (page, s) => page.click(s.click),
  menu: (page, s) => page.click(s.menu, { button: 'right' }),
  panel: (page, s) => turn(page, s.panel),
  fill: (page, s) => page.fill(s.fill, s.text),
  select: (page, s) => page.selectOption(s.select, s.text),
  press: (page, s) => page.keyboard.press(s.press),
  // tab goes on by the keyboard to the next control, which has to be this one.
  tab: async (page, s) => {
    await page.keyboard.press('Tab');
    const there = await page.evaluate((q) => document.activeElement?.matches(q), s.tab);
    if (!there) throw new Error('the next stop of the keyboard is not ' + s.tab);
  },
  type: (page, s) => page.keyboard.type(s.type),
  focus: (page, s) => page.focus(s.focus),
  upload: (page, s) => page.setInputFiles(s.upload, { name: 'adagents.json', mimeType: 'application/json', buffer: Buffer.from(s.text) }),
  // give uploads a file that is there: its bytes do not go through the page first.
  give: (page, s) => page.setInputFiles(s.give, s.path),
  see: (page, s) => page.waitForSelector(`text=${s.see}`, { state: 'visible' }),
  gone: (page, s) => page.waitForSelector(s.gone, { state: 'detached' }),
  // none makes sure that something is not there, and still that nothing has moved by itself. Only where nothing
  // was done, or release came after it, does that not depend on how fast the machine is.
  none: async (page, s, seen) => {
    const found = await page.locator(s.none).evaluateAll((list) => list.map((e) => e.textContent));
    if (found.length > 0) seen.wrong.push(`there is ${s.none}: ${found.join(' | ')}`);
  },
  // hold keeps the answers to requests for a path back, until release: then the last thing that the person did is
  // so long ago that whatever moves afterwards has moved by itself, and nothing before matters to still.
  hold: async (page, s, seen, tabs) => {
    tabs.held = new Promise((done) => { tabs.release = done; });
    await page.route('**' + s.hold + '*', async (route) => {
      await tabs.held;
      await route.continue().catch(() => {}); // the page has given it up
    });
  },
  release: async (page, s, seen, tabs) => {
    // The page's own timers, which began before, are over by then, and what they did is painted.
    await page.evaluate((ms) => new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), ms)), 2 * recently);
    await page.unroute('**' + s.release + '*');
    await page.evaluate(() => { window.since = performance.now(); });
    tabs.release();
  },
  // insight makes sure that something is in the window, without scrolling to it.
  insight: async (page, s, seen) => {
    const there = await page.evaluate((q) => { const box = document.querySelector(q).getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; }, s.insight);
    if (!there) seen.wrong.push(s.insight + ' is out of sight');
  },
  still: async (page, s, seen) => { seen.wrong.push(...await page.evaluate(shifts)); },
  wait: (page, s) => page.waitForSelector(s.wait),
  reload: async (page) => { await page.reload(); await page.waitForSelector('[data-ready]'); },
  go: async (page, s) => { await page.goto(job.base + s.go); await page.waitForSelector('[data-ready]'); },
  enter: async (page, s, seen) => { Object.assign(seen.kept, await page.evaluate(enter, { files: s.enter, parts: job.parts })); },
  odd: async (page, s, seen) => { seen.wrong.push(...(await page.evaluate(odd)).map((x) => s.odd + ': ' + x)); },
  // openAll opens what is folded: everything, or what its selector says.
  openAll: async (page, s) => {
    for (let n = 0; n < 6; n++) {
      const more = await page.evaluate(async (selector) => {
        const list = [...document.querySelectorAll(`.build ${selector}:not([open])`)];
        await Promise.all(list.map((d) => new Promise((done) => {
          d.addEventListener('toggle', done, { once: true }); // after which the page fills it
          d.open = true;
        })));
        return list.length;
      }, s.openAll || 'details');
      if (more === 0) return;
    }
  },
  // trace begins to measure how long tasks are; traced ends it, and reads a file as a measure.
  trace: async (page, s) => {
    await page.evaluate((text) => { window.measure = text; }, s.trace);
    await page.context().browser().startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  },
  traced: async (page, s, seen) => {
    await page.evaluate(async () => {
      for (let n = 0; n < 5; n++) {
        await new Promise((done) => setTimeout(() => { performance.mark('read the file'); JSON.parse(window.measure); done(); }));
      }
    });
    seen.kept.times = JSON.stringify(tasksOf(await page.context().browser().stopTracing()));
  },
  keep: async (page, s, seen) => { seen.kept[s.keep] = await text(page); },
  offline: (page, s) => page.context().setOffline(s.offline === 'on'),
  service: async (page, s) => { await fetch(job.base + '/test/' + s.service); },
  shot: async (page, s, seen) => { if (job.pictures) await shoot(page, `build-${s.shot}`, seen.look); },
  axe: async (page, s, seen) => {
    seen.axe = true;
    for (const v of await axe(page, seen.look, seen.look === 'light')) seen.wrong.push(`accessibility (${s.axe}): ${v}`);
    seen.axe = false;
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 1) {
      const what = await page.evaluate(() => [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((e) => e.outerHTML.slice(0, 80)).slice(0, 5));
      seen.wrong.push(`${s.axe}: the page is ${wide} pixels too wide: ${what.join(' | ')}`);
    }
  },
  // other does a step in a second tab.
  other: async (page, s, seen, tabs) => {
    if (!tabs.other) {
      tabs.other = await page.context().newPage();
      watch(tabs.other, seen);
    }
    await take(tabs.other, s.other, seen, tabs);
  },
};

async function take(page, s, seen, tabs) {
  const name = Object.keys(s).find((k) => steps[k]);
  if (!name) throw new Error('no such step: ' + JSON.stringify(s));
  try {
    await steps[name](page, s, seen, tabs);
  } catch (e) {
    throw new Error(JSON.stringify(s).slice(0, 200) + ': ' + String(e).slice(0, 600));
  }
}

async function travel(browser, j) {
  const seen = { name: j.name, look: j.look ?? 'light', wrong: [], kept: {}, expects: j.expects ?? [] };
  const context = await browser.newContext({ ...looks[seen.look], acceptDownloads: true });
  context.setDefaultTimeout(limit());
  const page = await context.newPage();
  watch(page, seen);
  try {
    await page.goto(job.base + (j.url ?? '/build'));
    await page.waitForSelector('[data-ready]');
    const tabs = {};
    for (const s of j.steps) await take(page, s, seen, tabs);
    seen.wrong.push(...await page.evaluate(odd));
  } catch (e) {
    seen.wrong.push(String(e));
    hurry();
    await shoot(page, 'build-failed-' + j.name, seen.look).catch(() => {});
  }
  await context.close();
  return seen;
}

const browser = await launch();
const results = await inTurns(job.journeys, (j) => travel(browser, j));
await browser.close();
process.stdout.write(JSON.stringify(results));
