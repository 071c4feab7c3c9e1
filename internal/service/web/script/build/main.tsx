// The page that builds files.
import { render, type JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { App } from './app';
import { begin, theApp } from './context';
import { drafts, ofThisTab } from './drafts';
import { namesOf, type Format, type Section } from './format';
import { FieldForm, ObjectForm } from './objects';
import { Findings, Publish, Start } from './panels';
import { words } from './service';

function Bar(): JSX.Element {
  const app = theApp();
  const depths = app.depths.value;
  return (
    <div class="bar">
      <p class="for"><label for="build-domain">For the domain</label> <input id="build-domain" type="text" inputMode="url" autocomplete="off" spellcheck={false} placeholder="example.com" value={app.domain.value} onInput={(e) => app.setDomain(e.currentTarget.value.trim().toLowerCase())} /></p>
      <p class="tools">
        <button type="button" class="small" disabled={depths.undo === 0} onClick={() => app.undo()}>Undo</button>
        <button type="button" class="small" disabled={depths.redo === 0} onClick={() => app.redo()}>Redo</button>
      </p>
      <p class="views" role="group" aria-label="View">
        {(['form', 'text'] as const).map((v) => <button type="button" class="small" aria-pressed={app.phoneView.value === v} onClick={() => { app.phoneView.value = v; }}>{v === 'form' ? 'Form' : 'Text'}</button>)}
      </p>
      <p class="standing">{standing()}</p>
    </div>
  );
}

/** What is known about the text, in a few words. */
function standing(): JSX.Element {
  const app = theApp();
  const errors = app.findings.value.filter((f) => f.severity === 'error').length;
  const kept = app.saved.value === 'saved' ? 'Draft kept on this device.' : app.saved.value === 'full' ? 'This browser has no room left: the draft is not kept.' : '';
  if (app.empty) return <></>;
  switch (app.standing.value) {
    case 'away':
      return <><span class="chip warn">Not checked</span> Findings could not be fetched: {app.trouble.value}. {kept}</>;
    case 'done':
      return <><span class={errors > 0 ? 'chip bad' : 'chip good'}>{errors === 0 ? 'No errors' : errors === 1 ? '1 error' : String(errors) + ' errors'}</span> {kept}</>;
  }
  return <><span class="chip">Checking</span> {kept}</>;
}

function Elsewhere(): JSX.Element | null {
  const app = theApp();
  if (app.saved.value !== 'elsewhere') return null;
  return (
    <div class="note" role="alert">
      <p><strong>This draft was changed in another tab.</strong> Your text here is not saved over it.</p>
      <p class="tools"><button type="button" class="small" onClick={() => app.takeOther()}>Go on with that one</button> <button type="button" class="small" onClick={() => app.keepBoth()}>Keep both</button></p>
    </div>
  );
}

interface Item {
  readonly name: string;
  readonly title: string;
  readonly count: number | null;
  readonly errors: number;
}

/** How many entries a section has. */
function countOf(section: Section): number | null {
  const app = theApp();
  const tree = app.tree.value;
  if (section.name === 'file') return null;
  let n = 0;
  for (const name of section.members) {
    const v = tree.get(tree.root, name);
    n += tree.elements(v).length + tree.members(v).length;
  }
  return n;
}

function items(): Item[] {
  const app = theApp();
  const errors = app.findings.value.filter((f) => f.severity === 'error');
  const within = (names: readonly string[]): number => errors.filter((f) => names.includes(f.pointer.split('/')[1] ?? '')).length;
  const list: Item[] = [{ name: 'start', title: 'Begin', count: null, errors: 0 }];
  if (app.isPointer) list.push({ name: 'pointer', title: 'The pointer', count: null, errors: errors.length });
  else for (const s of app.format.sections) list.push({ name: s.name, title: s.title, count: countOf(s), errors: within(s.members) });
  list.push({ name: 'findings', title: 'Findings', count: app.findings.value.length, errors: errors.length }, { name: 'publish', title: 'Publish', count: null, errors: 0 });
  return list;
}

function Sections(): JSX.Element {
  const app = theApp();
  return (
    <nav class="sections" aria-label="Parts of the file">
      <ul>
        {items().map((i) => (
          <li>
            <button type="button" data-panel={i.name} aria-current={app.panel.value === i.name} onClick={() => { app.panel.value = i.name; app.phoneView.value = 'form'; }}>
              <span>{i.title}</span>
              {i.count === null || i.count === 0 ? null : <span class="count">{i.count.toLocaleString('en')}</span>}
              {i.errors === 0 ? null : <span class="dot"><span class="unseen">{i.errors} errors</span></span>}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Panel(): JSX.Element {
  const app = theApp();
  switch (app.panel.value) {
    case 'start':
      return <Start />;
    case 'findings':
      return <Findings />;
    case 'publish':
      return <Publish />;
  }
  if (app.broken.value) {
    return (
      <div>
        <h2>The text is not a JSON object at present</h2>
        <p>Go on in the text; the forms come back when it can be read. <button type="button" class="small" onClick={() => app.undo()}>Undo the last change</button></p>
      </div>
    );
  }
  if (app.isPointer) {
    return <div><h2>The pointer</h2><p class="lead">Buyers go from here to the file that it names.</p><ObjectForm path={[]} object={app.root} /></div>;
  }
  const section = app.format.sections.find((s) => s.name === app.panel.value) ?? app.format.sections[0];
  if (!section) return <></>;
  const order = namesOf(app.root);
  return (
    <div>
      <h2>{section.title}</h2>
      <p class="lead">{section.lead}</p>
      {section.members.length === 1
        ? app.root.fields.filter((f) => section.members.includes(f.name)).map((f) => <FieldForm key={f.name} path={[f.name]} field={f} order={order} />)
        : <ObjectForm key={section.name} path={[]} object={app.root} only={section.members} />}
    </div>
  );
}

function Page(): JSX.Element {
  const app = theApp();
  const panel = app.panel.value;
  const form = useRef<HTMLElement>(null);
  const before = useRef(panel);
  useEffect(() => {
    if (before.current === panel) return;
    before.current = panel;
    if ((form.current?.getBoundingClientRect().top ?? 0) < 0) form.current?.scrollIntoView();
  }, [panel]);
  useEffect(() => {
    const place = document.getElementById('build-text');
    if (place && app.host.parentElement !== place) place.append(app.host);
  }, []);
  return (
    <div class="build" data-view={app.phoneView.value}>
      <Bar />
      <Elsewhere />
      <p class="said" role="status">{app.said.value}</p>
      <div class="columns">
        <Sections />
        <section class="form" aria-label="Form" ref={form}><Panel /></section>
        <section class="text" id="build-text" aria-label="Text of the file" />
      </div>
    </div>
  );
}

/** Undo and redo are the same everywhere but in the editor, which has them itself. */
function keys(e: KeyboardEvent): void {
  const app = theApp();
  if (!(e.ctrlKey || e.metaKey) || e.altKey || app.view.hasFocus) return;
  const key = e.key.toLowerCase();
  if (key !== 'z' && key !== 'y') return;
  e.preventDefault();
  if (key === 'y' || e.shiftKey) app.redo();
  else app.undo();
}

async function main(): Promise<void> {
  const place = document.getElementById('builder');
  if (!place) return;
  try {
    const answer = await fetch(place.dataset['format'] ?? '');
    if (!answer.ok) throw new Error('status ' + String(answer.status));
    const format = (await answer.json()) as Format;
    const host = document.createElement('div');
    host.className = 'editor';
    begin(new App(format, host));
  } catch (e) {
    place.textContent = 'The page could not be loaded: ' + words(e) + '. Please load it again.';
    return;
  }
  const app = theApp();
  const wanted = place.dataset['domain'] ?? '';
  const before = ofThisTab();
  const sent = place.dataset['text'];
  const again = before !== null && performance.getEntriesByType('navigation').some((n) => (n as PerformanceNavigationTiming).type !== 'navigate');
  app.fetches = sent === undefined && !again && place.hasAttribute('data-published');
  if (sent !== undefined && !again) app.open(new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(atob(sent), (c) => c.charCodeAt(0))));
  else if (!app.fetches && before && (wanted === '' || before.domain === wanted)) app.open(before.text, before);
  app.domain.value = wanted || app.domain.value;
  if (app.fetches || (wanted !== '' && sent === undefined && !before && drafts().length === 0)) app.panel.value = 'start';
  document.addEventListener('keydown', keys);
  place.textContent = '';
  render(<Page />, place);
  place.setAttribute('data-ready', '');
}

void main();
