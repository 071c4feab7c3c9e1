// Edits files in every place and makes sure that nothing else changes. It is built and run by the
// tests of internal/gen/script: prove returns how many edits were made of each file, or throws.
import { EditorState } from '@codemirror/state';
import { redo, undo } from '@codemirror/commands';
import { places } from './bytes';
import { documentOf, documentParts, editing, replacing, textOf } from './document';
import { applied, clear, move, remove, rename, set, setRaw } from './edit';
import { isJSON, pathOf, pointerOf, Tree, type Change, type Path, type Value } from './json';
import { readKeys } from './keys';

function must(ok: boolean, what: string): void {
  if (!ok) throw new Error(what);
}

/** A value with the spelling of its numbers, and with members as pairs: order counts. */
function spelled(tree: Tree, v: Value): unknown {
  if (v.kind === 'object') return tree.members(v).map((m) => [m.name, spelled(tree, m.value)]);
  if (v.kind === 'array') return [spelledList, ...tree.elements(v).map((e) => spelled(tree, e))];
  return v.kind === 'string' ? 's' + tree.str(v) : tree.raw(v);
}

const spelledList = '[]';

/** The paths of all values, but not of those behind a second member of a name. */
function paths(tree: Tree): Path[] {
  const list: Path[] = [];
  const visit = (v: Value, path: Path): void => {
    list.push(path);
    const seen = new Set<string>();
    for (const m of tree.members(v)) {
      if (!seen.has(m.name)) visit(m.value, [...path, m.name]);
      seen.add(m.name);
    }
    tree.elements(v).forEach((e, i) => visit(e, [...path, i]));
  };
  visit(tree.root, []);
  return list;
}

/** The document after edits, by way of the editor's state, with the way back tried. */
function edited(start: EditorState, changes: readonly Change[]): string {
  const before = documentOf(start);
  let state = start.update(editing(changes, false)).state;
  const after = documentOf(state);
  must(undo({ state, dispatch: (tr) => { state = tr.state; } }), 'nothing to undo');
  must(documentOf(state) === before, 'undo does not lead back');
  must(redo({ state, dispatch: (tr) => { state = tr.state; } }) && documentOf(state) === after, 'redo does not lead forward');
  must(applied(textOf(start), changes) === textOf(state), 'applied differs from the editor');
  return after;
}

/** Everything outside the changed ranges is as it was. */
function untouched(text: string, changes: readonly Change[]): void {
  for (const c of changes) must(c.from <= c.to && c.to <= text.length, 'a change outside of the text');
}

class Prover {
  edits = 0;
  readonly state: EditorState;
  readonly tree: Tree;

  constructor(readonly file: string) {
    const empty = EditorState.create({ extensions: documentParts });
    this.state = empty.update(replacing(empty, file)).state;
    must(documentOf(this.state) === file, 'the document is not the file');
    this.tree = new Tree(textOf(this.state));
  }

  /** Makes edits and compares the values after them with what is expected. */
  make(what: string, path: Path, changes: readonly Change[], expected: (values: unknown, parent: unknown[], at: number) => unknown): void {
    if (changes.length === 0) return;
    this.edits++;
    const where = what + ' at ' + pointerOf(path);
    untouched(textOf(this.state), changes);
    const after = edited(this.state, changes);
    must(isJSON(after), where + ': no JSON any more: ' + after.slice(0, 300));
    const values = spelled(this.tree, this.tree.root);
    let parent: unknown[] = [values];
    let at = 0;
    let v: Value | undefined = this.tree.root;
    for (const step of path) {
      parent = parent[at] as unknown[];
      if (typeof step === 'number') {
        at = step + 1;
        v = this.tree.elements(v)[step];
      } else {
        const i = this.tree.members(v).findIndex((m) => m.name === step);
        parent = parent[i] as unknown[];
        at = 1;
        v = this.tree.members(v)[i]?.value;
      }
    }
    const want = path.length === 0 ? expected(values, parent, at) : (expected(values, parent, at), values);
    const tree = new Tree(after.replaceAll('\r\n', '\n'));
    must(JSON.stringify(spelled(tree, tree.root)) === JSON.stringify(want), where + ': other values changed, too:\n' + after.slice(0, 2000));
  }

  prove(): number {
    const all = paths(this.tree);
    const step = Math.max(1, Math.floor(all.length / 16));
    for (let i = 0; i < all.length; i += step) this.proveAt(all[i] ?? []);
    return this.edits;
  }

  proveAt(path: Path): void {
    const { tree } = this;
    const v = tree.at(path);
    if (!v) throw new Error('nothing at ' + pointerOf(path));
    must(JSON.stringify(pathOf(tree, pointerOf(path))) === JSON.stringify(path), 'the pointer does not lead back: ' + pointerOf(path));
    if (path.length > 0) {
      this.make('text', path, set(tree, path, 'neu "ü" \\ 1'), (_, parent, at) => { parent[at] = 'sneu "ü" \\ 1'; });
      this.make('number', path, setRaw(tree, path, '1.50e+3'), (_, parent, at) => { parent[at] = '1.50e+3'; });
    }
    if (v.kind === 'object') this.proveObject(path, v);
    if (v.kind === 'array') {
      const n = tree.elements(v).length;
      this.make('append', path, set(tree, [...path, n], 'x'), (values, parent, at) => {
        ((path.length === 0 ? values : parent[at]) as unknown[]).push('sx');
        return values;
      });
      if (n > 1) this.make('move', [...path, 0], move(tree, [...path, 0], 1), (_, parent) => { [parent[1], parent[2]] = [parent[2], parent[1]]; });
      if (n > 0) this.make('remove', [...path, n - 1], remove(tree, [...path, n - 1]), (_, parent, at) => parent.splice(at, 1));
    }
  }

  proveObject(path: Path, v: Value): void {
    const { tree } = this;
    const members = tree.members(v);
    const names = members.map((m) => m.name);
    if (names.includes('zz new')) return;
    const object = (values: unknown, parent: unknown[], at: number): unknown[] => (path.length === 0 ? values : parent[at]) as unknown[];
    for (const at of new Set([0, Math.floor(names.length / 2), names.length])) {
      const order = [...names.slice(0, at), 'zz new', ...names.slice(at)];
      if (new Set(names).size !== names.length) continue;
      this.make('insert', path, set(tree, [...path, 'zz new'], { a: [1, 'b'], c: {} }, order), (values, parent, i) => {
        object(values, parent, i).splice(at, 0, ['zz new', [['a', [spelledList, '1', 'sb']], ['c', []]]]);
        return values;
      });
    }
    const last = names[names.length - 1];
    const first = names[0];
    if (last === undefined || first === undefined || new Set(names).size !== names.length) return;
    this.make('rename', path, rename(tree, [...path, first], 'zz "new"'), (values, parent, i) => {
      const pair = object(values, parent, i)[0] as unknown[];
      pair[0] = 'zz "new"';
      return values;
    });
    for (const name of new Set([first, last])) {
      this.make('remove', path, remove(tree, [...path, name]), (values, parent, i) => {
        object(values, parent, i).splice(names.indexOf(name), 1);
        return values;
      });
    }
    if (names.length > 1) must(JSON.stringify(clear(tree, [...path, last], () => false)) === JSON.stringify(remove(tree, [...path, last])), 'clear takes more than it may');
  }
}

/** Edits a file in many places. */
export function prove(file: string): number {
  return new Prover(file).prove();
}

/** What does not depend on files. */
export function proveParts(): void {
  const text = 'aé€😀b';
  must(JSON.stringify([...places(text, [0, 1, 3, 6, 10, 11])]) === '[[0,0],[1,1],[3,2],[6,3],[10,5],[11,6]]', 'bytes are counted wrongly');
  for (const file of ['{}', '{"a":1}', '{ "a" : [ ] }', '\ufeff{"a": 1}\n', '{\r\n\t"a": {},\r\n\t"b": [1.0]\r\n}\r\n', '{"a": 1,\r\n "b": 2,\n "c": "\\u00fc\\\\"}', '[1, 2]']) prove(file);
  const one = (file: string, path: Path, value: unknown, order: string[] = []): string => applied(file, set(new Tree(file), path, value, order));
  const looks: [string, string][] = [
    [one('{}', ['a', 'b', 0], {}), '{\n  "a": {\n    "b": [\n      {}\n    ]\n  }\n}'],
    [one('{"a":{"x":1}}', ['a', 'y'], [1]), '{"a":{"x":1,"y":[1]}}'],
    [one('{\n\t"b": 1\n}', ['a'], 'x', ['a', 'b']), '{\n\t"a": "x",\n\t"b": 1\n}'],
    [one('{\n  "l": [\n    {"t": 1},\n    {}\n  ]\n}', ['l', 1, 't'], 2), '{\n  "l": [\n    {"t": 1},\n    {"t": 2}\n  ]\n}'],
    [one('{\n  "l": ["a"]\n}', ['l', 1], 'b'), '{\n  "l": ["a", "b"]\n}'],
    [applied('{"a": {"b": ["c"]}, "d": 1}', clear(new Tree('{"a": {"b": ["c"]}, "d": 1}'), ['a', 'b', 0], () => false)), '{"d": 1}'],
    [applied('{"a": ["c"]}', clear(new Tree('{"a": ["c"]}'), ['a', 0], () => true)), '{"a": []}'],
  ];
  for (const [got, want] of looks) must(got === want, 'written as\n' + got + '\nand not as\n' + want);
  proveKeys();
}

function proveKeys(): void {
  const good = { kty: 'OKP', crv: 'Ed25519', x: 'abc', kid: 'k1' };
  const count = (value: unknown): number | string => {
    const read = readKeys(typeof value === 'string' ? value : JSON.stringify(value));
    return 'keys' in read ? read.keys.length : read.refused ? 'refused' : 'error';
  };
  const cases: [unknown, number | string][] = [
    [good, 1], [[good, good], 2], [{ keys: [good] }, 1], [{ ...good, d: 'secret' }, 'refused'], [{ keys: [good, { ...good, d: 'secret' }] }, 'refused'],
    [{ kty: 'oct', k: 'secret' }, 'refused'], [{ kty: 'RSA', n: 'a', e: 'AQAB', p: 'secret' }, 'refused'], ['-----BEGIN PRIVATE KEY-----', 'refused'], [{ keys: [] }, 'error'], [{}, 'error'], ['x', 'error'], [1, 'error'],
  ];
  for (const [value, want] of cases) must(count(value) === want, 'keys in ' + JSON.stringify(value) + ': ' + String(count(value)));
}
