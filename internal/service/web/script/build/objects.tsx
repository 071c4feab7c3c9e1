// Forms for objects, lists and maps, made of the description of the format.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { theApp } from './context';
import { ChoiceControl, FindingsAt, fitting, idOf, Labelled, NumberControl, PairControl, RawControl, TextControl, type ControlProps } from './controls';
import { move, remove, rename } from './edit';
import { hintOf, labelOf, namesOf, objectOf, type Field, type FieldType, type Neighbour, type ObjectType } from './format';
import { pointerOf, type Path, type Value } from './json';
import { KeyPaste } from './keys';
import type { Finding } from './service';

/** The kind of value in the text that a type stands for. */
const kinds: Record<FieldType['kind'], readonly Value['kind'][]> = {
  any: ['object', 'array', 'string', 'number', 'word'], text: ['string'], bool: ['word'], integer: ['number'], number: ['number'], list: ['array'], object: ['object'], map: ['object'],
};

const kindWords: Record<FieldType['kind'], string> = {
  any: 'anything', text: 'a text', bool: 'yes or no', integer: 'a whole number', number: 'a number', list: 'a list', object: 'an object', map: 'an object',
};

/** How many entries of a list are shown at once. */
const most = 50;

function neighbourOf(path: Path): Neighbour {
  return (member) => {
    const tree = theApp().tree.value;
    return tree.str(tree.get(tree.at(path.slice(0, -1)), member));
  };
}

/** A member of an object, with its name. */
export function FieldForm({ path, field, order }: { readonly path: Path; readonly field: Field; readonly order: readonly string[] }): JSX.Element {
  const { tree, format } = theApp();
  const type = field.type;
  const v = tree.value.at(path);
  const props: ControlProps = { path, field, type, order };
  if (v && !kinds[type.kind].includes(v.kind)) {
    return <Labelled path={path} field={field}><RawControl path={path} order={order} note={'Here is ' + kindWords[type.kind] + ' expected, and the file has something else.'} /></Labelled>;
  }
  switch (type.kind) {
    case 'text':
      return <Labelled path={path} field={field}>{type.enum ? <ChoiceControl {...props} /> : <TextControl {...props} />}</Labelled>;
    case 'bool':
      return <Labelled path={path} field={field}><ChoiceControl {...props} /></Labelled>;
    case 'integer':
    case 'number':
      return <Labelled path={path} field={field}><NumberControl {...props} /></Labelled>;
    case 'list':
      if (type.pair) return <PairControl {...props} />;
      if (type.elem?.enum) return <ChoicesForm {...props} />;
      if (type.elem?.kind === 'object') return <ListForm {...props} elem={type.elem} />;
      if (type.elem?.kind === 'text' || type.elem?.kind === 'integer' || type.elem?.kind === 'number') return <PlainListForm {...props} elem={type.elem} />;
      break;
    case 'object': {
      const object = objectOf(format, type, neighbourOf(path));
      if (object) return <NestedForm {...props} object={object} />;
      break;
    }
    case 'map':
      if (type.elem?.kind === 'object') return <MapForm {...props} elem={type.elem} />;
  }
  return <Labelled path={path} field={field}><RawControl path={path} order={order} /></Labelled>;
}

/** Whether a member goes with what its neighbour says. */
function goes(field: Field, path: Path): boolean {
  const tree = theApp().tree.value;
  return field.when !== undefined && field.when.values.includes(tree.str(tree.get(tree.at(path), field.when.member)));
}

/** The members of an object; those that are seldom needed after the others. */
export function ObjectForm({ path, object, only }: { readonly path: Path; readonly object: ObjectType; readonly only?: readonly string[] }): JSX.Element {
  const app = theApp();
  const tree = app.tree.value;
  const here = tree.at(path);
  const order = namesOf(object);
  const [open, setOpen] = useState(false);
  // A field stays where it was when it is filled in: the user keeps the place while typing.
  const seldom = useRef(new Set<string>());
  const fields = object.fields.filter((f) => only === undefined || only.includes(f.name));
  if (only) fields.sort((a, b) => only.indexOf(a.name) - only.indexOf(b.name));
  if (!open) {
    seldom.current = new Set(fields.filter((f) => !f.usual && !f.required && tree.get(here, f.name) === undefined).map((f) => f.name));
  }
  const first = fields.filter((f) => goes(f, path) || !seldom.current.has(f.name));
  const more = fields.filter((f) => !first.includes(f));
  const known = new Set(order);
  const others = only ? [] : tree.members(here).filter((m) => !known.has(m.name));
  return (
    <div class="members">
      {first.map((f) => <FieldForm key={f.name} path={[...path, f.name]} field={f} order={order} />)}
      {more.length === 0 ? null : (
        <details class="more" open={open} data-more={pointerOf(path)} onToggle={(e) => setOpen(e.currentTarget.open)}>
          <summary>More <span class="count">{more.length} optional</span></summary>
          {open ? more.map((f) => <FieldForm key={f.name} path={[...path, f.name]} field={f} order={order} />) : null}
        </details>
      )}
      {others.length === 0 ? null : (
        <p class="hint">
          Kept as written, without a form:{' '}
          {others.slice(0, 20).map((m) => <button type="button" class="link" onClick={() => app.showText(m.start, m.value.end)}>{m.name}</button>)}
        </p>
      )}
    </div>
  );
}

/** An object within an object, which may be absent. */
function NestedForm({ path, field, order, object }: ControlProps & { readonly object: ObjectType }): JSX.Element {
  const app = theApp();
  const there = app.tree.value.at(path) !== undefined;
  const add = (): void => app.add(path, order);
  return (
    <fieldset class="nested" data-within={pointerOf(path)}>
      <legend>{field.title} {field.required ? <span class="needed">required</span> : null}</legend>
      <p class="hint" id={idOf(path, 'h')}>{hintOf(field)}</p>
      <FindingsAt path={path} />
      {there ? <Added path={path}><ObjectForm path={path} object={object} /></Added> : null}
      {there ? (
        <button type="button" class="small" data-remove={pointerOf(path)} onClick={() => app.clear(path)}>Remove<span class="unseen"> {field.title}</span></button>
      ) : (
        <button type="button" class="small" data-add={pointerOf(path)} onClick={add}>Add<span class="unseen"> {field.title}</span></button>
      )}
    </fieldset>
  );
}

/** Takes the focus to what was just added. */
function Added({ path, children }: { readonly path: Path; readonly children: JSX.Element }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const app = theApp();
    if (app.added !== pointerOf(path)) return;
    app.added = '';
    box.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
  });
  return <div ref={box}>{children}</div>;
}

/** What an entry is called. */
function titleAt(v: Value): string {
  const tree = theApp().tree.value;
  for (const name of ['name', 'display_name', 'url', 'property_id', 'placement_id', 'format_option_id', 'collection_id', 'id', 'kid', 'value', 'publisher_domain', 'catalog_url', 'asset_group_id', 'uri', 'stage']) {
    const text = tree.str(tree.get(v, name));
    if (text !== '') return text.slice(0, 120);
  }
  return '';
}

/** A second word about an entry. */
function detailAt(v: Value): string {
  const tree = theApp().tree.value;
  for (const name of ['authorization_type', 'property_type', 'format_kind', 'value_type', 'type', 'asset_type', 'selection_type', 'kind', 'role', 'crv']) {
    const text = tree.str(tree.get(v, name));
    if (text !== '') return labelOf(theApp().format, text.slice(0, 60));
  }
  return '';
}

function ListForm({ path, field, order, elem }: ControlProps & { readonly elem: FieldType }): JSX.Element {
  const app = theApp();
  const tree = app.tree.value;
  const [words, setWords] = useState('');
  const [from, setFrom] = useState(0);
  const entries = tree.elements(tree.at(path));
  const wanted = words.trim().toLowerCase();
  const found: number[] = [];
  entries.forEach((v, i) => {
    if (wanted === '' || tree.raw(v).toLowerCase().includes(wanted)) found.push(i);
  });
  const begin = from < found.length ? from : 0;
  const shown = found.slice(begin, begin + most);
  const add = (): void => {
    const at = [...path, entries.length];
    setWords('');
    setFrom(entries.length - (entries.length % most));
    app.add(at, order);
  };
  return (
    <fieldset class="list">
      <legend>{field.title} <span class="count">{entries.length.toLocaleString('en')}</span> {field.required ? <span class="needed">required</span> : null}</legend>
      <p class="hint">{hintOf(field)}</p>
      <FindingsAt path={path} />
      {entries.length > 10 ? (
        <p class="filter">
          <label for={idOf(path, 's')}>Show only those with</label>
          <input id={idOf(path, 's')} type="search" value={words} onInput={(e) => { setWords(e.currentTarget.value); setFrom(0); }} />
        </p>
      ) : null}
      {shown.map((i) => <Entry key={i} path={[...path, i]} index={i} last={entries.length - 1} type={elem} what={field.title} />)}
      {found.length > most ? (
        <p class="tools pager">
          <button type="button" class="small" disabled={begin === 0} onClick={() => setFrom(begin - most)}>Previous<span class="unseen"> of {field.title}</span></button>
          <span role="status">{(begin + 1).toLocaleString('en')} to {(begin + shown.length).toLocaleString('en')} of {found.length.toLocaleString('en')}</span>
          <button type="button" class="small" disabled={begin + most >= found.length} onClick={() => setFrom(begin + most)} data-next={pointerOf(path)}>Next<span class="unseen"> of {field.title}</span></button>
        </p>
      ) : null}
      <button type="button" class="small" data-add={pointerOf(path)} onClick={add}>Add<span class="unseen"> to {field.title}</span></button>
      {elem.object === 'SigningKey' ? <KeyPaste path={path} order={order} /> : null}
    </fieldset>
  );
}

interface EntryProps {
  readonly path: Path;
  readonly index: number;
  readonly last: number;
  readonly type: FieldType;
  readonly what: string;
}

/** An entry of a list, folded until it is wanted. */
function Entry({ path, index, last, type, what }: EntryProps): JSX.Element {
  const app = theApp();
  const tree = app.tree.value;
  const v = tree.at(path);
  const pointer = pointerOf(path);
  const [open, setOpen] = useState(app.added === pointer || app.opened.has(pointer));
  const toggle = (on: boolean): void => {
    setOpen(on);
    if (on) app.opened.add(pointer);
    else app.opened.delete(pointer);
  };
  const box = useRef<HTMLDetailsElement>(null);
  const object = objectOf(app.format, type, () => '');
  if (!v) return <></>;
  const title = titleAt(v) || (index === 0 ? 'First' : 'Entry ' + String(index + 1));
  const errorsOf = (list: readonly Finding[]): number => list.filter((f) => f.severity === 'error' && (f.pointer === pointer || f.pointer.startsWith(pointer + '/'))).length;
  const [errors, laid] = [errorsOf(app.shown.value), errorsOf(app.laidShown.value)];
  const chip = 'chip ' + (errors === 0 ? 'past' : laid === 0 ? 'bad late' : 'bad');
  const gone = (): void => {
    const list = box.current?.parentElement;
    app.clear(path);
    app.say(title + ' was removed. Undo brings it back.');
    list?.querySelector<HTMLElement>(':scope > [data-add]')?.focus();
  };
  return (
    <details class="entry" ref={box} open={open} data-entry={pointer} data-within={pointer} onToggle={(e) => toggle(e.currentTarget.open)}>
      <summary>
        <span class="what">{title}</span> <span class="count">{detailAt(v)}</span>
        {errors + laid > 0 ? <span class={chip}>{(errors || laid) === 1 ? '1 error' : String(errors || laid) + ' errors'}</span> : null}
      </summary>
      {open ? (
        <div class="inner">
          <FindingsAt path={path} />
          {v.kind === 'object' && object ? <Added path={path}><ObjectForm path={path} object={object} /></Added> : <RawControl path={path} order={[]} note="Here is an object expected, and the file has something else." />}
          <p class="tools">
            <button type="button" class="small" disabled={index === 0} onClick={() => app.edit(move(app.tree.value, path, -1))}>Up<span class="unseen"> with {title}</span></button>
            <button type="button" class="small" disabled={index === last} onClick={() => app.edit(move(app.tree.value, path, 1))}>Down<span class="unseen"> with {title}</span></button>
            <button type="button" class="small" onClick={() => app.showText(v.start, v.start + 1)}>Show in the text<span class="unseen">: {title}</span></button>
            <button type="button" class="small" data-remove={pointer} onClick={gone}>Remove<span class="unseen"> {title} from {what}</span></button>
          </p>
        </div>
      ) : null}
    </details>
  );
}

/** Several of some values. */
function ChoicesForm({ path, field, type, order }: ControlProps): JSX.Element {
  const app = theApp();
  const tree = app.tree.value;
  const there = tree.elements(tree.at(path)).map((v) => (v.kind === 'string' ? tree.str(v) : tree.raw(v)));
  const known = type.elem?.enum ?? [];
  const list = [...known, ...new Set(there.filter((x) => !known.includes(x)))];
  const change = (value: string, on: boolean): void => {
    const at = there.indexOf(value);
    if (on && at < 0) app.put([...path, there.length], value, order);
    if (!on && at >= 0) app.clear([...path, at]);
  };
  return (
    <fieldset class="field choices">
      <legend>{field.title} {field.required ? <span class="needed">required</span> : null}</legend>
      <p class="hint">{hintOf(field)}</p>
      <div class="options">
        {list.map((o, i) => (
          <span class="option">
            <input type="checkbox" id={idOf([...path, i], 'c')} data-path={pointerOf(path)} value={o} checked={there.includes(o)} onChange={(e) => change(o, e.currentTarget.checked)} />
            <label for={idOf([...path, i], 'c')}>{labelOf(app.format, o)}</label>
          </span>
        ))}
      </div>
      <FindingsAt path={path} within />
    </fieldset>
  );
}

/** How many values are offered at once, and how many without a search for them. */
const mostOffered = 40;
const fewOffered = 12;

/** A list of texts or numbers. Those that the file has elsewhere are ticked, others are typed. */
function PlainListForm({ path, field, order, elem }: ControlProps & { readonly elem: FieldType }): JSX.Element {
  const app = theApp();
  const tree = app.tree.value;
  const entries = tree.elements(tree.at(path));
  const box = useRef<HTMLFieldSetElement>(null);
  const focusLast = useRef(false);
  // What is being typed stays a field, although the file has it by then.
  const [typed, setTyped] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (!focusLast.current) return;
    focusLast.current = false;
    const inputs = box.current?.querySelectorAll<HTMLElement>('.row [data-path]');
    inputs?.[inputs.length - 1]?.focus();
  });
  const add = (): void => {
    focusLast.current = true;
    setTyped(entries.length);
    const at = [...path, entries.length];
    if (elem.kind === 'text') app.put(at, '', order);
    else app.putRaw(at, '1', order);
  };
  const offers = field.suggest ? fitting(field) : new Map<string, string>();
  const name = (i: number): string => field.title + ', ' + String(i + 1);
  const rows = entries.map((v, i) => ({ v, i })).filter(({ v, i }) => i === typed || v.kind !== 'string' || !offers.has(tree.str(v)));
  return (
    <fieldset class="field plain" ref={box}>
      <legend>{field.title} {field.required ? <span class="needed">required</span> : null}</legend>
      <p class="hint">{hintOf(field)}</p>
      {offers.size === 0 ? null : <Ticks path={path} field={field} order={order} type={elem} offers={offers} />}
      {rows.slice(0, 200).map(({ v, i }) => {
        const props: ControlProps = { path: [...path, i], field, type: elem, order: [], name: name(i) };
        const fits = kinds[elem.kind].includes(v.kind);
        return (
          <div class="row" key={i} onFocusOut={() => setTyped(null)}>
            {!fits ? <RawControl path={props.path} order={[]} /> : elem.kind === 'text' ? <TextControl {...props} /> : <NumberControl {...props} />}
            <button type="button" class="small" onClick={() => { app.clear([...path, i]); box.current?.querySelector<HTMLElement>('[data-add]')?.focus(); }}>Remove<span class="unseen"> {name(i)}</span></button>
            <FindingsAt path={[...path, i]} />
          </div>
        );
      })}
      {rows.length > 200 ? <p class="hint">{(rows.length - 200).toLocaleString('en')} more are in the text.</p> : null}
      <button type="button" class="small" data-add={pointerOf(path)} onClick={add}>{offers.size === 0 ? 'Add' : 'Add another'}<span class="unseen"> to {field.title}</span></button>
      <FindingsAt path={path} />
    </fieldset>
  );
}

/** Values that the file has elsewhere, to be ticked. */
function Ticks({ path, order, offers }: ControlProps & { readonly offers: ReadonlyMap<string, string> }): JSX.Element {
  const app = theApp();
  const tree = app.tree.value;
  const [words, setWords] = useState('');
  const there = tree.elements(tree.at(path)).map((v) => tree.str(v));
  const wanted = words.trim().toLowerCase();
  const found = [...offers].filter(([value, name]) => (value + ' ' + name).toLowerCase().includes(wanted));
  const ticked = new Set(there);
  const shown = found.filter(([value], i) => i < mostOffered || ticked.has(value));
  const change = (value: string, on: boolean): void => {
    const at = there.indexOf(value);
    if (on && at < 0) app.put([...path, there.length], value, order);
    if (!on && at >= 0) app.clear([...path, at]);
  };
  return (
    <>
      {offers.size > fewOffered ? (
        <p class="filter">
          <label for={idOf(path, 's')}>Show only those with</label>
          <input id={idOf(path, 's')} type="search" value={words} onInput={(e) => setWords(e.currentTarget.value)} />
        </p>
      ) : null}
      <div class="options">
        {shown.map(([value, name]) => (
          <span class="option" key={value}>
            <input type="checkbox" id={idOf([...path, value], 'c')} data-path={pointerOf(path)} value={value} checked={ticked.has(value)} onChange={(e) => change(value, e.currentTarget.checked)} />
            <label for={idOf([...path, value], 'c')}>{value}{name === '' || name === value ? null : <span class="count"> {name}</span>}</label>
          </span>
        ))}
      </div>
      {found.length > shown.length ? <p class="hint">{(found.length - shown.length).toLocaleString('en')} more: search for them.</p> : null}
    </>
  );
}

/** Objects by names that people choose. */
function MapForm({ path, field, order, elem }: ControlProps & { readonly elem: FieldType }): JSX.Element {
  const app = theApp();
  const tree = app.tree.value;
  const [fresh, setFresh] = useState('');
  const members = tree.members(tree.at(path));
  const object = objectOf(app.format, elem, () => '');
  const taken = members.some((m) => m.name === fresh);
  const add = (): void => {
    if (fresh === '' || taken) return;
    app.add([...path, fresh], order);
    setFresh('');
  };
  return (
    <fieldset class="list">
      <legend>{field.title} <span class="count">{members.length}</span></legend>
      <p class="hint">{hintOf(field)}</p>
      <FindingsAt path={path} />
      {members.slice(0, 200).map((m, i) => {
        const at = [...path, m.name];
        return (
          <fieldset class="nested" key={i} data-within={pointerOf(at)}>
            <legend>{m.name}</legend>
            <FindingsAt path={at} />
            <div class="field">
              <label for={idOf(at, 'n')}>Tag</label>
              <input id={idOf(at, 'n')} type="text" value={m.name} spellcheck={false} onChange={(e) => { const name = e.currentTarget.value.trim(); if (name !== '' && !members.some((x) => x.name === name)) app.edit(rename(app.tree.value, at, name)); }} />
            </div>
            {m.value.kind === 'object' && object ? <Added path={at}><ObjectForm path={at} object={object} /></Added> : <RawControl path={at} order={[]} />}
            <button type="button" class="small" data-remove={pointerOf(at)} onClick={() => app.edit(members.length === 1 ? remove(app.tree.value, path) : remove(app.tree.value, at))}>Remove<span class="unseen"> {m.name}</span></button>
          </fieldset>
        );
      })}
      {members.length > 200 ? <p class="hint">{(members.length - 200).toLocaleString('en')} more are in the text.</p> : null}
      <div class="row">
        <label for={idOf(path, 'a')} class="unseen">New name in {field.title}</label>
        <input id={idOf(path, 'a')} type="text" value={fresh} placeholder="new_tag" spellcheck={false} data-new={pointerOf(path)} onInput={(e) => setFresh(e.currentTarget.value.trim())} onKeyDown={(e) => { if (e.key === 'Enter') add(); }} />
        <button type="button" class="small" data-add={pointerOf(path)} onClick={add} disabled={fresh === '' || taken}>Add<span class="unseen"> to {field.title}</span></button>
      </div>
    </fieldset>
  );
}
