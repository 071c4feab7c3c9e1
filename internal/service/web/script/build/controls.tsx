// Controls for values without values inside: texts, numbers, choices, and JSON as it is.
import { useState } from 'preact/hooks';
import type { ComponentChildren, JSX, TargetedEvent } from 'preact';
import { theApp } from './context';
import { hintOf, labelOf, type Field, type FieldType } from './format';
import { isJSON, pointerOf, type Path, type Value } from './json';
import { placed } from './place';
import type { Finding } from './service';

export interface ControlProps {
  readonly path: Path;
  readonly field: Field;
  readonly type: FieldType;
  /** The members of the object around, in their order. */
  readonly order: readonly string[];
  /** What a screen reader calls it where no label is beside it. */
  readonly name?: string;
}

/** The id of an element that belongs to a path. */
export function idOf(path: Path, what = 'f'): string {
  return what + encodeURIComponent(pointerOf(path)).replaceAll('%', '.');
}

/** The findings about a value, beside its control. Their fixes are not offered while the text
    changes: who types and presses Tab must not land on one that has just come up. Those that came since the
    user last did something lie above the page, and those that went leave their place empty. */
export function FindingsAt({ path, within = false }: { readonly path: Path; readonly within?: boolean }): JSX.Element | null {
  const app = theApp();
  const pointer = pointerOf(path);
  const here = (list: readonly Finding[]): Finding[] => list.filter((f) => f.pointer === pointer || (within && f.pointer.startsWith(pointer + '/')));
  const { places, late } = placed(here(app.laidShown.value), here(app.shown.value));
  if (places.length === 0 && late.length === 0) return null;
  return (
    <div class="beside" id={idOf(path, 'e')}>
      {late.length === 0 ? null : <ul class="at late">{late.slice(0, 3).map((f) => <FindingAt f={{ ...f, hint: '', fixes: [] }} />)}</ul>}
      {places.length === 0 ? null : <ul class="at">{places.slice(0, 3).map(({ f, past }) => <FindingAt f={f} past={past} />)}</ul>}
    </div>
  );
}

function FindingAt({ f, past = false }: { readonly f: Finding; readonly past?: boolean }): JSX.Element {
  const app = theApp();
  const fixes = (f.fixes ?? []).slice(0, 3);
  return (
    <li class={past ? 'past' : f.severity}>
      <strong>{f.severity === 'error' ? 'Error: ' : f.severity === 'warning' ? 'Warning: ' : 'Note: '}</strong>
      {f.message}
      {f.hint ? '; ' + f.hint : ''}
      {fixes.length === 0 ? null : (
        <span class="tools">
          {fixes.map((fix) => <button type="button" class="fix" disabled={app.outdated.value} onClick={() => app.fix(fix)}>{fix.title}</button>)}
          <span class="wait" hidden={!app.outdated.value}>{app.standing.value === 'away' ? 'Your change could not be checked yet.' : 'Your change is being checked …'}</span>
        </span>
      )}
    </li>
  );
}

/** What describes a control: its hint and its findings. */
function about(path: Path): string {
  return idOf(path, 'h') + ' ' + idOf(path, 'e');
}

function isWrong(path: Path): boolean {
  const pointer = pointerOf(path);
  return theApp().shown.value.some((f) => f.pointer === pointer && f.severity === 'error');
}

/** A label with a control, what it is for, and what is wrong with it. */
export function Labelled({ path, field, children }: { readonly path: Path; readonly field: Field; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div class="field">
      <label for={idOf(path)}>{field.title} {field.required ? <span class="needed">required</span> : null}</label>
      {children}
      <p class="hint" id={idOf(path, 'h')}>{hintOf(field)}</p>
      <FindingsAt path={path} />
    </div>
  );
}

/** How many entries of a list are read for values that fit. */
const mostRead = 500;

/** The values of the file that fit a member, each with what it is called. */
export function fitting(field: Field): Map<string, string> {
  const { tree } = theApp();
  const t = tree.value;
  const found = new Map<string, string>();
  const add = (value: string, of: Value | undefined): void => {
    const name = t.str(t.get(of, 'name'));
    if (value !== '' && (found.get(value) ?? '') === '') found.set(value, name);
  };
  for (const source of field.suggest ?? []) {
    const [list = '', member] = source.split('.');
    const there = t.get(t.root, list);
    if (member === undefined) {
      for (const m of t.members(there)) add(m.name, m.value);
      continue;
    }
    for (const entry of t.elements(there).slice(0, mostRead)) {
      const v = t.get(entry, member);
      if (v?.kind === 'string') add(t.str(v), entry);
      for (const e of t.elements(v)) add(t.str(e), undefined);
    }
  }
  return found;
}

/** What may be offered for a text: usual words, and values of the file. */
function offered(field: Field, type: FieldType): string[] {
  return [...new Set([...(type.words ?? field.type.words ?? []), ...fitting(field).keys()])].slice(0, 200);
}

const placeholders: Record<string, string> = {
  https: 'https://', url: 'https://', time: '2026-01-02T00:00:00Z', email: 'adops@example.com', domain: 'example.com', country: 'DE', digest: 'sha256:…', aspect: '16:9', version: '1.0.0', minor: '3.1', locale: 'en',
};

export function TextControl({ path, field, type, order, name }: ControlProps): JSX.Element {
  const app = theApp();
  const tree = app.tree.value;
  const value = tree.str(tree.at(path));
  // Only who is at a field is offered values: a page of fields would have thousands of them.
  const [here, setHere] = useState(false);
  const options = here ? offered(field, type) : [];
  const onInput = (e: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>): void => {
    const text = e.currentTarget.value;
    if (text !== '' || app.tree.value.at(path)) app.put(path, text, order, true);
  };
  const onFocus = (): void => setHere(true);
  const onBlur = (): void => {
    setHere(false);
    const v = app.tree.value.at(path);
    if (v && app.tree.value.raw(v) === '""') app.clear(path);
  };
  const props = {
    id: idOf(path), value, onInput, onFocus, onBlur, 'data-path': pointerOf(path), 'aria-describedby': about(path), 'aria-invalid': isWrong(path), spellcheck: false, autocapitalize: 'none' as const,
    ...(name === undefined ? {} : { 'aria-label': name }),
  };
  if ((type.maxLength ?? 0) >= 500 || field.name.includes('description') || value.includes('\n')) return <textarea rows={3} {...props} />;
  return (
    <div class="with">
      <input type="text" autocomplete="off" placeholder={placeholders[type.format ?? ''] ?? ''} {...props} {...(options.length > 0 ? { list: idOf(path, 'o') } : {})} />
      {type.format === 'time' ? <button type="button" class="small" onClick={() => app.put(path, now(), order)}>Now</button> : null}
      {options.length > 0 ? <datalist id={idOf(path, 'o')}>{options.map((o) => <option value={o} />)}</datalist> : null}
    </div>
  );
}

/** The present time as files have it. */
export function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}

const numbers = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number is written as it is typed: 1.50 stays 1.50. */
export function NumberControl({ path, type, order, name }: ControlProps): JSX.Element {
  const app = theApp();
  const [draft, setDraft] = useState<string | null>(null);
  const tree = app.tree.value;
  const v = tree.at(path);
  const onInput = (e: TargetedEvent<HTMLInputElement>): void => {
    const text = e.currentTarget.value.trim();
    setDraft(text);
    if (numbers.test(text) && (type.kind === 'number' || /^-?\d+$/.test(text))) app.putRaw(path, text, order, true);
  };
  const onBlur = (): void => {
    if (draft === '' && app.tree.value.at(path)) app.clear(path);
    if (draft === '' || (draft !== null && numbers.test(draft))) setDraft(null);
  };
  const shown = draft ?? (v ? tree.raw(v) : '');
  const wrong = shown !== '' && !(numbers.test(shown) && (type.kind === 'number' || /^-?\d+$/.test(shown)));
  return (
    <div>
      <input type="text" inputMode="decimal" autocomplete="off" id={idOf(path)} data-path={pointerOf(path)} value={shown} onInput={onInput} onBlur={onBlur} aria-describedby={about(path)} aria-invalid={wrong || isWrong(path)} {...(name === undefined ? {} : { 'aria-label': name })} />
      {wrong ? <p class="wrong">Not written: {type.kind === 'integer' ? 'a whole number' : 'a number'} is needed.</p> : null}
    </div>
  );
}

/** One of several values; a value that is none of them stays a choice. */
export function ChoiceControl({ path, field, type, order }: ControlProps): JSX.Element {
  const app = theApp();
  const tree = app.tree.value;
  const v = tree.at(path);
  const bool = type.kind === 'bool';
  const value = v ? (bool ? tree.raw(v) : tree.str(v)) : '';
  const known = bool ? ['true', 'false'] : (type.enum ?? []);
  const list = value === '' || known.includes(value) ? known : [...known, value];
  const onChange = (e: TargetedEvent<HTMLSelectElement>): void => {
    const chosen = e.currentTarget.value;
    if (chosen === '') app.clear(path);
    else if (bool) app.putRaw(path, chosen, order);
    else app.put(path, chosen, order);
  };
  const empty = field.default === undefined ? '– choose –' : '– not said –';
  return (
    <select id={idOf(path)} data-path={pointerOf(path)} value={value} onChange={onChange} aria-describedby={about(path)} aria-invalid={isWrong(path)}>
      <option value="">{bool || !field.required ? '– not said –' : empty}</option>
      {list.map((o) => <option value={o}>{bool ? (o === 'true' ? 'Yes' : 'No') : labelOf(app.format, o)}</option>)}
    </select>
  );
}

/** A value of any kind as JSON, for what has no form or is of another kind than expected. */
export function RawControl({ path, order, note }: { readonly path: Path; readonly order: readonly string[]; readonly note?: string }): JSX.Element {
  const app = theApp();
  const tree = app.tree.value;
  const v = tree.at(path);
  const [draft, setDraft] = useState<string | null>(null);
  const onChange = (e: TargetedEvent<HTMLTextAreaElement>): void => {
    const text = e.currentTarget.value.trim();
    if (text === '') {
      setDraft(null);
      if (app.tree.value.at(path)) app.clear(path);
    } else if (isJSON(text)) {
      app.putRaw(path, text, order);
      setDraft(null);
    } else {
      setDraft(text);
    }
  };
  return (
    <div>
      {note === undefined ? null : <p class="note">{note}</p>}
      <textarea class="code" rows={3} id={idOf(path)} data-path={pointerOf(path)} data-raw value={draft ?? (v ? tree.raw(v) : '')} onChange={onChange} spellcheck={false} aria-describedby={about(path)} aria-invalid={draft !== null || isWrong(path)} />
      {draft === null ? null : <p class="wrong">Not written: this is not JSON yet.</p>}
    </div>
  );
}

/** Two numbers, the lower and the upper end. */
export function PairControl({ path, field, type, order }: ControlProps): JSX.Element {
  const app = theApp();
  const tree = app.tree.value;
  const there = tree.elements(tree.at(path)).map((v) => (tree.raw(v) === 'null' ? '' : tree.raw(v)));
  const [draft, setDraft] = useState<readonly [string, string] | null>(null);
  const [low, high] = draft ?? [there[0] ?? '', there[1] ?? ''];
  const open = type.elem?.null === true;
  const change = (next: readonly [string, string]): void => {
    setDraft(next);
    const ok = next.every((x) => numbers.test(x) || (open && x === ''));
    if (ok && next.some((x) => x !== '')) app.putRaw(path, '[' + next.map((x) => x || 'null').join(', ') + ']', order);
    else if (next.every((x) => x === '') && app.tree.value.at(path)) app.clear(path);
  };
  const settle = (): void => setDraft((d) => (d !== null && !open && d.some((x) => x !== '') && d.some((x) => x === '') ? d : null));
  return (
    <fieldset class="field">
      <legend>{field.title}</legend>
      <div class="with">
        <input type="text" inputMode="decimal" aria-label={field.title + ', lower end'} data-path={pointerOf([...path, 0])} value={low} onInput={(e) => change([e.currentTarget.value.trim(), high])} onBlur={settle} />
        <span>to</span>
        <input type="text" inputMode="decimal" aria-label={field.title + ', upper end'} data-path={pointerOf([...path, 1])} value={high} onInput={(e) => change([low, e.currentTarget.value.trim()])} onBlur={settle} />
      </div>
      <p class="hint" id={idOf(path, 'h')}>{hintOf(field)}</p>
      <FindingsAt path={path} within />
    </fieldset>
  );
}
