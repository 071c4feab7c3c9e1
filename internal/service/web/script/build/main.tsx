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
  const next = nextStep();
  return (
    <div class="bar">
      <p class="standing">{standing()}</p>
      <p class="tools">
        <button type="button" class="small" disabled={depths.undo === 0} onClick={() => app.undo()}>Undo</button>
        <button type="button" class="small" disabled={depths.redo === 0} onClick={() => app.redo()}>Redo</button>
        <button type="button" class="small" data-reformat disabled={app.empty || app.broken.value} onClick={() => void app.reformat()}>Format</button>
      </p>
      <p class="on">{next ? <button type="button" data-next={next.to} onClick={() => proceed(next.to)}>Next: {next.title}</button> : null}</p>
      <p class="views" role="group" aria-label="View">
        {(['form', 'text'] as const).map((v) => <button type="button" class="small" aria-pressed={app.phoneView.value === v} onClick={() => { app.phoneView.value = v; }}>{v === 'form' ? 'Form' : 'Text'}</button>)}
      </p>
    </div>
  );
}

/** What the text means for buyers, in a few words. */
function standing(): JSX.Element {
  const app = theApp();
  const kept = app.saved.value === 'saved' ? 'Draft kept on this device.' : app.saved.value === 'full' ? 'This browser has no room left: the draft is not kept.' : '';
  const rest = <span class="kept">{kept}</span>;
  const c = app.consequence.value;
  if (app.depths.value.undo === 0 && app.empty) return <span class="kept">No file yet.</span>;
  if (app.standing.value === 'away') return <><span class="chip warn">Not checked</span> <span class="kept">Findings could not be fetched. {kept}</span></>;
  // An entry that is being filled in is not wrong so far.
  const tone = c.tone === 'bad' && app.fresh.value.size > 0 ? '' : c.tone;
  return <><span class={'chip ' + tone}>{c.words === '' ? 'Checking' : c.words}</span> {rest}</>;
}

/** What has just happened. It is above the page, so that it moves nothing. */
function Said(): JSX.Element {
  const app = theApp();
  const text = app.said.value;
  return (
    <div class={text === '' ? 'said none' : 'said'}>
      <p role="status">{text}</p>
      <button type="button" class="small" hidden={text === ''} onClick={() => app.say('')}>Close<span class="unseen"> the message</span></button>
    </div>
  );
}

/** What to decide when another tab has changed the draft; above the page, too. */
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

/** How many entries a section has. */
function countOf(section: Section): number {
  const { tree } = theApp();
  const t = tree.value;
  if (section.name === 'file') return 0;
  let n = 0;
  for (const name of section.members) {
    const v = t.get(t.root, name);
    n += t.elements(v).length + t.members(v).length;
  }
  return n;
}

/** The button of a part of the page, with how many entries it has and whether there are errors in it. */
function PanelButton({ name, title, count = 0, errors = 0 }: { readonly name: string; readonly title: string; readonly count?: number; readonly errors?: number }): JSX.Element {
  const app = theApp();
  return (
    <button type="button" data-panel={name} aria-current={app.panel.value === name} onClick={() => app.show(name)}>
      <span>{title}</span>
      <span class="about">
        <span class="count">{count === 0 ? '' : count.toLocaleString('en')}</span>
        {errors === 0 ? null : <span class="dot"><span class="unseen">{errors === 1 ? '1 error' : String(errors) + ' errors'}</span></span>}
      </span>
    </button>
  );
}

/** The sections that nearly every file needs; the others are listed when they are wanted. */
const steps = ['properties', 'agents'];

function Sections(): JSX.Element {
  const app = theApp();
  const shown = app.shown.value;
  const errors = shown.filter((f) => f.severity === 'error');
  const button = (s: Section): JSX.Element => <li><PanelButton name={s.name} title={s.title} count={countOf(s)} errors={errors.filter((f) => s.members.includes(f.pointer.split('/')[1] ?? '')).length} /></li>;
  const sections = app.format.sections;
  const others = sections.filter((s) => !steps.includes(s.name));
  return (
    <nav class="sections" aria-label="Parts of the file">
      <ol class="main">
        <li><PanelButton name="start" title="Domain" /></li>
        {app.isPointer ? <li><PanelButton name="pointer" title="The pointer" errors={errors.length} /></li> : sections.filter((s) => steps.includes(s.name)).map(button)}
        <li><PanelButton name="publish" title="Publish" /></li>
      </ol>
      <div class="beyond">
        {app.isPointer ? <span /> : (
          <details class="others" open={app.more.value} onToggle={(e) => { app.more.value = e.currentTarget.open; }}>
            <summary>More sections</summary>
            <ul>{others.map(button)}</ul>
          </details>
        )}
        <PanelButton name="findings" title="Findings" count={shown.length} errors={errors.length} />
      </div>
    </nav>
  );
}

/** The step after the one that is shown; null where there is none. */
function nextStep(): { readonly to: string; readonly title: string } | null {
  const app = theApp();
  if (app.broken.value || ['start', 'findings', 'publish'].includes(app.panel.value)) return null;
  return app.panel.value === 'properties' && !app.isPointer ? { to: 'agents', title: 'Agents' } : { to: 'publish', title: 'Publish' };
}

function proceed(to: string): void {
  theApp().show(to);
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.form h2')?.focus());
}

/** Leads to the next of the steps, at the end of a form. */
function Next(): JSX.Element | null {
  const next = nextStep();
  return next && <p class="next"><button type="button" data-next-panel={next.to} onClick={() => proceed(next.to)}>Next: {next.title}</button></p>;
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
    return <div><h2 tabIndex={-1}>The pointer</h2><p class="lead">Buyers go from here to the file that it names.</p><ObjectForm path={[]} object={app.root} /><Next /></div>;
  }
  const section = app.format.sections.find((s) => s.name === app.panel.value) ?? app.format.sections[0];
  if (!section) return <></>;
  const order = namesOf(app.root);
  return (
    <div>
      <h2 tabIndex={-1}>{section.title}</h2>
      <p class="lead">{section.lead}</p>
      {section.members.length === 1
        ? app.root.fields.filter((f) => section.members.includes(f.name)).map((f) => <FieldForm key={f.name} path={[f.name]} field={f} order={order} />)
        : <ObjectForm key={section.name} path={[]} object={app.root} only={section.members} />}
      <Next />
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
    // The focus of what is gone goes to what has come.
    if (document.activeElement === document.body) form.current?.querySelector('h2')?.focus({ preventScroll: true });
  }, [panel]);
  useEffect(() => {
    const place = document.getElementById('build-text');
    if (place && app.host.parentElement !== place) place.append(app.host);
  }, []);
  return (
    <div class="build" data-view={app.phoneView.value} data-standing={app.outdated.value ? 'waiting' : app.standing.value}>
      <Bar />
      <div class="columns">
        <Sections />
        <section class="form" aria-label="Form" ref={form} onFocusIn={(e) => app.enter(pathOfControl(e.target))} onFocusOut={(e) => app.leave(pathOfControl(e.target), e.relatedTarget instanceof Element ? e.relatedTarget : null)}><Panel /></section>
        <section class="text" id="build-text" aria-label="Text of the file" />
      </div>
      <div class="above"><Elsewhere /><Said /></div>
    </div>
  );
}

/** The pointer of the value that a control is for; empty for other elements. */
function pathOfControl(target: EventTarget | null): string {
  return target instanceof HTMLElement ? (target.dataset['path'] ?? '') : '';
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
  if (sent !== undefined && !again) await app.take(new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(atob(sent), (c) => c.charCodeAt(0))), '');
  else if (!app.fetches && before && (wanted === '' || before.domain === wanted)) app.open(before.text, before);
  app.domain.value = wanted || app.domain.value;
  if (app.fetches || (wanted !== '' && sent === undefined && !before && drafts().length === 0)) app.panel.value = 'start';
  document.addEventListener('keydown', keys);
  place.textContent = '';
  render(<Page />, place);
  place.setAttribute('data-ready', '');
}

void main();
