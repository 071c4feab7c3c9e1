// The parts of the page beside the forms: beginning, findings, publishing.
import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { theApp } from './context';
import { now } from './controls';
import { drafts, forget } from './drafts';
import { fixableOf } from './app';
import { isJSON, Tree } from './json';
import { placed } from './place';
import { make } from '../island/dom';
import { compare, fetchFile, importText, publishing, Refusal, words, type Changes, type Finding, type Host, type Imported } from './service';

const schema = 'https://adcontextprotocol.org/schemas/v3/adagents.json';

/** A file to begin with. It authorizes no agent. */
function template(kind: string, domain: string): string {
  const site = { property_id: 'site', property_type: 'website', name: domain, identifiers: [{ type: 'domain', value: domain }], publisher_domain: domain };
  const files: Record<string, object> = {
    file: { $schema: schema, ...(domain === '' ? {} : { properties: [site] }), authorized_agents: [], last_updated: now() },
    pointer: { $schema: schema, authoritative_location: '', last_updated: now() },
    mirror: { $schema: schema, catalog_etag: 'v1', ...(domain === '' ? {} : { properties: [{ ...site, property_id: 'platform' }] }), authorized_agents: [], last_updated: now() },
  };
  return JSON.stringify(files[kind], null, 2) + '\n';
}

const templates = [
  { kind: 'file', title: 'A file with agents', text: 'What inventory you have and who may sell it.' },
  { kind: 'pointer', title: 'A pointer', text: 'Only says where the real file is, on another domain.' },
  { kind: 'mirror', title: 'A community mirror', text: 'A catalog for a platform without a file; it authorizes no agent.' },
];

/** Whether a text is a file of the format, which is taken as it is. */
function isFile(text: string): boolean {
  if (!isJSON(text)) return false;
  const tree = new Tree(text);
  return ['authorized_agents', 'authoritative_location', 'properties', 'signals', 'formats', 'placements'].some((name) => tree.get(tree.root, name) !== undefined);
}

/** Lets the browser do what else there is to do: reading, looking at and opening a large file are
 * work of their own each. */
function breathe(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

export function Start(): JSX.Element {
  const app = theApp();
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const fresh = (kind: string, note: string): void => {
    app.open(template(kind, app.domain.value));
    app.say(note);
  };
  const take = async (get: () => Promise<Imported>): Promise<void> => {
    setBusy(true);
    setTrouble('');
    try {
      const got = await get();
      await breathe();
      await app.take(got.text, [got.note ?? '', ...(got.done ?? []).slice(0, 10)].join(' ').trim());
    } catch (e) {
      if (e instanceof Refusal && e.code === 'discovery.no_file') fresh('file', app.domain.value + ' publishes no file and no ads.txt, so this is a new file.');
      else setTrouble(words(e));
    }
    setBusy(false);
  };
  const begin = (): void => {
    if (app.domain.value === '') {
      setTrouble('write the domain that will publish the file, such as example.com');
      document.getElementById('build-domain')?.focus();
    } else {
      void take(() => fetchFile(app.domain.value));
    }
  };
  useEffect(() => {
    if (app.fetches) begin();
    else if (document.activeElement === document.body && matchMedia('(pointer: fine)').matches) document.getElementById('build-domain')?.focus({ preventScroll: true });
    app.fetches = false;
  }, []);
  const takeText = (text: string): Promise<void> => take(() => (isFile(text) ? Promise.resolve({ text }) : importText(app.domain.value, text)));
  const takeFile = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
      await breathe();
      await takeText(text);
    } catch {
      setTrouble('the file is not a text in UTF-8, so it cannot be edited here without changing it');
    }
  };
  return (
    <div class={over ? 'start over' : 'start'} onDragOver={(e) => { e.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)} onDrop={(e) => { e.preventDefault(); setOver(false); void takeFile(e.dataTransfer?.files[0]); }}>
      <h2 tabIndex={-1}>Whose file is it?</h2>
      <form class="domain" onSubmit={(e) => { e.preventDefault(); begin(); }}>
        <label for="build-domain">Domain that will publish the file</label>
        <div class="with">
          <input id="build-domain" type="text" inputMode="url" autocomplete="off" autocapitalize="none" spellcheck={false} placeholder="example.com" value={app.domain.value} aria-describedby="build-trouble build-begins" aria-invalid={trouble !== ''} onInput={(e) => app.setDomain(e.currentTarget.value.trim().toLowerCase())} />
          <button type="submit" data-begin disabled={busy}>Begin</button>
        </div>
        <div class="begins"><div id="build-trouble" role="alert">{trouble === '' ? null : <p class="wrong"><strong>Not begun:</strong> {trouble}.</p>}</div>
        <p class="hint" id="build-begins" hidden={trouble !== ''}>You go on with the file that the domain publishes, with a draft made from its ads.txt, or with a new file.</p></div>
      </form>
      <h3>Or begin with something else</h3>
      <ul class="tiles">
        {templates.map((t) => (
          <li><button type="button" class="tile" data-template={t.kind} onClick={() => fresh(t.kind, t.title + ': a draft to begin with.')}><strong>{t.title}</strong> <span>{t.text}</span></button></li>
        ))}
      </ul>
      <Given busy={busy} takeFile={takeFile} takeText={takeText} />
      <Drafts />
    </div>
  );
}

interface GivenProps {
  readonly busy: boolean;
  readonly takeFile: (file: File | undefined) => Promise<void>;
  readonly takeText: (text: string) => Promise<void>;
}

/** Takes a file or a text over. */
function Given({ busy, takeFile, takeText }: GivenProps): JSX.Element {
  const [paste, setPaste] = useState('');
  return (
    <div class="given">
      <p><label for="build-upload">A file, which may also be dropped here</label><input id="build-upload" type="file" accept=".json,.txt,application/json,text/plain" onChange={(e) => void takeFile(e.currentTarget.files?.[0])} /></p>
      <p><label for="build-paste">The text of a file</label><textarea id="build-paste" class="code" rows={5} value={paste} spellcheck={false} onInput={(e) => setPaste(e.currentTarget.value)} /></p>
      <p><button type="button" class="small" disabled={busy || paste.trim() === ''} onClick={() => void takeText(paste)}>Take over the text</button></p>
      <p class="hint">Of ads.txt, an agent card or a file that is not JSON, a draft is made. It authorizes no agent that was not authorized before.</p>
    </div>
  );
}

function Drafts(): JSX.Element | null {
  const app = theApp();
  const [kept, setKept] = useState(drafts());
  if (kept.length === 0) return null;
  return (
    <section aria-labelledby="build-drafts">
      <h3 id="build-drafts">Drafts on this device</h3>
      <ul class="drafts">
        {kept.slice(0, 30).map((d) => (
          <li>
            <span class="what">{d.domain || 'No domain yet'}</span> <span class="count">{new Date(d.saved).toLocaleString('en-GB')}, {d.text.length.toLocaleString('en')} characters</span>
            <button type="button" class="small" data-draft={d.id} onClick={() => app.open(d.text, d)}>Open<span class="unseen"> the draft for {d.domain || 'no domain'}</span></button>
            <button type="button" class="small" onClick={() => { forget(d.id); setKept(drafts()); }}>Delete<span class="unseen"> the draft for {d.domain || 'no domain'}</span></button>
          </li>
        ))}
      </ul>
      <p class="hint">Drafts are kept in this browser only. Clearing its data removes them.</p>
    </section>
  );
}

/** What the file means for buyers, and what is left to do about it. */
function Outcome(): JSX.Element | null {
  const app = theApp();
  const c = app.consequence.value;
  const errors = app.findings.value.filter((f) => f.severity === 'error').length;
  const findings = app.panel.value === 'findings';
  if (app.standing.value === 'away') return <div class="outcome" role="status"><p>{findings ? 'This version is not checked yet, so the findings below may be out of date: ' : 'This version is not checked yet: '}{app.trouble.value}. This is tried again.</p></div>;
  if (c.words === '' || app.broken.value) return <div class="outcome"><p>{app.broken.value ? 'The text is not JSON at present. Buyers could not use it at all.' : 'Checking …'}</p></div>;
  return (
    <div class={'outcome ' + c.tone}>
      <p><strong>{c.words}.</strong> {c.detail ?? ''}</p>
      {errors === 0 || findings ? null : <p><button type="button" class="small" onClick={() => app.show('findings')}>See {errors === 1 ? '1 error' : String(errors) + ' errors'}</button></p>}
    </div>
  );
}

const severityWords: Record<string, string> = { error: 'Error', warning: 'Warning', info: 'Note' };

function sorted(list: readonly Finding[]): Finding[] {
  return ['error', 'warning', 'info'].flatMap((severity) => list.filter((f) => f.severity === severity));
}

export function Findings(): JSX.Element {
  const app = theApp();
  const fixable = app.fixable.value;
  // What came since the user last did something is at the end, so that nothing moves.
  const { places, late } = placed(sorted(app.laid.value), sorted(app.findings.value));
  const rows = [...places, ...late.map((f) => ({ f, past: false }))];
  return (
    <div>
      <h2 tabIndex={-1}>Findings</h2>
      <Outcome />
      {fixable + fixableOf(app.laid.value) === 0 ? null : <p class={fixable === 0 ? 'tools past' : 'tools'}><button type="button" data-fix-all disabled={app.outdated.value || fixable === 0} onClick={() => void app.fixAll()}>{fixable === 1 ? 'Apply the fix' : 'Apply all ' + fixable.toLocaleString('en') + ' fixes'}</button> <span class="hint">Undo takes them back.</span></p>}
      <ol class="findings">
        {rows.slice(0, 100).map(({ f, past }) => (
          <li class={past ? 'past' : f.severity}>
            <p><span class={'chip ' + (f.severity === 'error' ? 'bad' : f.severity === 'warning' ? 'warn' : '')}>{severityWords[f.severity] ?? f.severity}</span> {f.message}</p>
            {f.hint ? <p class="quiet">{f.hint}</p> : null}
            <p class="tools">
              <button type="button" class="small" onClick={() => app.showFinding(f)}>{f.line === undefined ? 'Show' : 'Line ' + String(f.line)}<span class="unseen"> of the text</span></button>
              {(f.fixes ?? []).map((fix) => <button type="button" class="fix" data-fix={f.code} onClick={() => app.fix(fix)}>{fix.title}{fix.kind === 'choice' ? ' (one of several)' : ''}</button>)}
              <a href={'/rules/' + encodeURIComponent(f.code)}>{f.code}</a>
            </p>
          </li>
        ))}
      </ol>
      {rows.length > 100 ? <p class="hint">{(rows.length - 100).toLocaleString('en')} more come when these are done.</p> : null}
    </div>
  );
}

export function CopyButton({ text, what }: { readonly text: () => string; readonly what: string }): JSX.Element {
  const app = theApp();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      app.say(what + ' was copied.');
    } catch {
      app.say('The browser did not allow to copy. Select the text and copy it by hand.');
    }
  };
  return <button type="button" class="small" onClick={() => void copy()}>Copy<span class="unseen"> {what}</span></button>;
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'adagents.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Has a domain looked at anew: what was known of it a minute ago is not what was asked. */
function checkLive(domain: string): void {
  const form = make('form', { method: 'post', action: '/check', hidden: '' });
  form.append(make('input', { name: 'domain', value: domain }));
  document.body.append(form);
  form.submit();
}

export function Publish(): JSX.Element {
  const app = theApp();
  const domain = app.domain.value;
  return (
    <div>
      <h2 tabIndex={-1}>Publish</h2>
      <Outcome />
      <p class="tools"><button type="button" data-download onClick={() => { download(app.text); app.say('adagents.json was downloaded.'); }}>Download adagents.json</button> <CopyButton text={() => app.text} what="The file" /> {domain === '' ? null : <button type="button" class="small" data-live onClick={() => checkLive(domain)}>Check that it is live</button>}</p>
      <ChangesForBuyers />
      <Hosts />
    </div>
  );
}

function ChangesForBuyers(): JSX.Element {
  const app = theApp();
  const [got, setGot] = useState<Changes | null>(null);
  const [trouble, setTrouble] = useState('');
  const [busy, setBusy] = useState(false);
  const ask = async (): Promise<void> => {
    setBusy(true);
    try {
      setGot(await compare(app.domain.value, app.text));
      setTrouble('');
    } catch (e) {
      setGot(null);
      setTrouble(words(e));
    }
    setBusy(false);
  };
  return (
    <section aria-labelledby="build-changes">
      <h3 id="build-changes">What changes for buyers</h3>
      <p><button type="button" class="small" data-compare disabled={busy || app.domain.value === ''} onClick={() => void ask()}>Compare with what {app.domain.value || 'the domain'} publishes</button></p>
      <div role="status">
        {trouble === '' ? null : <p class="wrong">Not compared: {trouble}.</p>}
        {got === null ? null : <p>{got.note} {got.changes.length === 0 ? 'Nothing changes.' : ''}</p>}
      </div>
      {got === null || got.changes.length === 0 ? null : (
        <ul class="changes">
          {got.changes.slice(0, 200).map((c) => (
            <li><span class={'chip ' + (c.severity === 'alert' ? 'bad' : c.severity === 'warning' ? 'warn' : '')}>{c.severity === 'alert' ? 'Look now' : c.severity === 'warning' ? 'Look soon' : 'For the record'}</span> {c.subject ? <strong>{c.subject}: </strong> : null}{c.message} <a href={'/rules/' + encodeURIComponent(c.code)}>{c.code}</a></li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Hosts(): JSX.Element {
  const app = theApp();
  const [hosts, setHosts] = useState<readonly Host[]>([]);
  const [name, setName] = useState('any');
  const [trouble, setTrouble] = useState('');
  const domain = app.domain.value;
  const outdated = app.outdated.value;
  // Some steps have the file in them: they are made anew once a change of it was checked.
  useEffect(() => {
    if (outdated) return undefined;
    let gone = false;
    publishing(domain, app.text).then(
      (list) => { if (!gone) { setHosts(list); setTrouble(''); } },
      (e: unknown) => { if (!gone) setTrouble(words(e)); },
    );
    return () => { gone = true; };
  }, [domain, outdated]);
  const host = hosts.find((h) => h.name === name);
  return (
    <section aria-labelledby="build-steps">
      <h3 id="build-steps">The steps</h3>
      <div class="field">
        <label for="build-host">Where is {domain || 'the site'} hosted?</label>
        <select id="build-host" value={name} onChange={(e) => setName(e.currentTarget.value)}>{hosts.map((h) => <option value={h.name}>{h.title}</option>)}</select>
      </div>
      {trouble === '' ? null : <p class="note">The steps could not be fetched: {trouble}.</p>}
      <p class="hint freshness" role="status">{outdated ? 'These steps are for the file before your last change, which ' + (app.standing.value === 'away' ? 'could not be checked yet.' : 'is being checked.') : ''}</p>
      <ol class="steps">
        {(host?.steps ?? []).map((s) => (
          <li>
            <p>{s.do}{s.path ? <> <code>{s.path}</code></> : null}</p>
            {s.text ? <><pre tabIndex={0} role="group" aria-label={s.path ?? 'Commands'}>{s.text.length > 4000 ? s.text.slice(0, 4000) + '\n…' : s.text}</pre><CopyButton text={() => s.text ?? ''} what={s.path ?? 'The commands'} /></> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}
