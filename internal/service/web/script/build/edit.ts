// Edits of a JSON text. New parts are written the way their neighbours are.
import { Tree, type Change, type Member, type Path, type Value } from './json';

/** The text before the first character of a line that a place is on. */
function indentAt(text: string, place: number): string {
  const start = text.lastIndexOf('\n', place - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, place))?.[0] ?? '';
}

/** How much further a level is indented. */
function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text.slice(0, 20000))?.[1] ?? '  ';
}

/** Whether a text is written without any spaces. */
function isCompact(text: string): boolean {
  return text.length > 4 && !/[\n]|[:,] /.test(text.slice(0, 20000));
}

/** A value as text: lists of plain values in a line, others over several. */
export function write(value: unknown, indent: string, unit: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = indent + unit;
  if (Array.isArray(value)) {
    if (value.every((x) => typeof x !== 'object' || x === null)) return '[' + value.map((x) => JSON.stringify(x)).join(', ') + ']';
    return '[\n' + value.map((x) => inner + write(x, inner, unit)).join(',\n') + '\n' + indent + ']';
  }
  const members = Object.entries(value).map(([name, x]) => inner + JSON.stringify(name) + ': ' + write(x, inner, unit));
  return members.length === 0 ? '{}' : '{\n' + members.join(',\n') + '\n' + indent + '}';
}

/** A new value at a path; order has the names of members as they come after each other. */
export function set(tree: Tree, path: Path, value: unknown, order: readonly string[] = []): Change[] {
  return put(tree, path, (indent) => (isCompact(tree.text) ? JSON.stringify(value) : write(value, indent, unitOf(tree.text))), order);
}

/** The same for a value that is text already: a number as the author wrote it. */
export function setRaw(tree: Tree, path: Path, raw: string, order: readonly string[] = []): Change[] {
  return put(tree, path, () => raw, order);
}

type Maker = (indent: string) => string;

function put(tree: Tree, path: Path, make: Maker, order: readonly string[]): Change[] {
  const there = tree.at(path);
  if (there) {
    const text = make(indentAt(tree.text, there.start));
    return text === tree.raw(there) ? [] : [{ from: there.start, to: there.end, insert: text }];
  }
  const step = path[path.length - 1];
  if (step === undefined) return [];
  const parent = tree.at(path.slice(0, -1));
  const fits = parent?.kind === (typeof step === 'number' ? 'array' : 'object');
  if (!parent || !fits) return put(tree, path.slice(0, -1), (indent) => around(tree, step, make, indent), order);
  if (typeof step === 'number') return insertElement(tree, parent, make);
  return insertMember(tree, parent, step, make, order, path);
}

/** A list or an object with one value. */
function around(tree: Tree, step: string | number, make: Maker, indent: string): string {
  const compact = isCompact(tree.text);
  const inner = indent + unitOf(tree.text);
  const value = make(compact ? '' : inner);
  if (typeof step === 'number') {
    return compact || !/^[[{]/.test(value) ? '[' + value + ']' : '[\n' + inner + value + '\n' + indent + ']';
  }
  const name = JSON.stringify(step);
  return compact ? '{' + name + ':' + value + '}' : '{\n' + inner + name + ': ' + value + '\n' + indent + '}';
}

/** How the children of a list or an object are set apart. */
interface Gaps {
  readonly before: string;
  readonly indent: string;
}

function gapsOf(tree: Tree, v: Value, starts: readonly number[]): Gaps {
  const first = starts[0] ?? v.end;
  const lead = tree.text.slice(v.start + 1, first);
  if (lead.includes('\n')) {
    const indent = indentAt(tree.text, first);
    return { before: '\n' + indent, indent };
  }
  const second = starts[1];
  const between = second === undefined ? '' : (/,(\s*)$/.exec(tree.text.slice(first, second))?.[1] ?? '');
  return { before: second === undefined ? (isCompact(tree.text) ? '' : ' ') : between, indent: indentAt(tree.text, v.start) };
}

function insertElement(tree: Tree, list: Value, make: Maker): Change[] {
  const elements = tree.elements(list);
  const last = elements[elements.length - 1];
  if (!last) {
    return [{ from: list.start, to: list.end, insert: around(tree, 0, make, indentAt(tree.text, list.start)) }];
  }
  const gaps = gapsOf(tree, list, elements.map((e) => e.start));
  return [{ from: last.end, to: last.end, insert: ',' + gaps.before + make(gaps.indent) }];
}

function insertMember(tree: Tree, object: Value, name: string, make: Maker, order: readonly string[], path: Path): Change[] {
  const members = tree.members(object);
  const first = members[0];
  if (!first) {
    const indent = indentAt(tree.text, object.start);
    const text = inLine(tree, path) ? '{' + JSON.stringify(name) + ': ' + make(indent) + '}' : around(tree, name, make, indent);
    return [{ from: object.start, to: object.end, insert: text }];
  }
  const gaps = gapsOf(tree, object, members.map((m) => m.start));
  const colon = tree.text.slice(first.nameEnd, first.value.start);
  const text = JSON.stringify(name) + colon + make(gaps.indent);
  const after = before(members, name, order);
  if (!after) return [{ from: first.start, to: first.start, insert: text + ',' + gaps.before }];
  return [{ from: after.value.end, to: after.value.end, insert: ',' + gaps.before + text }];
}

/** The member that a new one comes after; none when it comes first. */
function before(members: readonly Member[], name: string, order: readonly string[]): Member | undefined {
  const place = order.indexOf(name);
  if (place < 0) return members[members.length - 1];
  let found: Member | undefined;
  for (const m of members) {
    if (order.indexOf(m.name) < place && (order.includes(m.name) || found)) found = m;
  }
  return found;
}

/** Whether an empty object stands among objects of a line each. */
function inLine(tree: Tree, path: Path): boolean {
  const index = path[path.length - 2];
  if (typeof index !== 'number') return false;
  const others = tree.elements(tree.at(path.slice(0, -2)));
  return others.some((v, i) => i !== index && v.kind === 'object' && v.end - v.start > 2 && !tree.raw(v).includes('\n'));
}

/** The places of the children of a value, in their order. */
function spans(tree: Tree, v: Value): { start: number; end: number }[] {
  if (v.kind === 'object') return tree.members(v).map((m) => ({ start: m.start, end: m.value.end }));
  return tree.elements(v).map((e) => ({ start: e.start, end: e.end }));
}

/** The index of the last step of a path among the children of its parent. */
function indexOf(tree: Tree, path: Path): number {
  const step = path[path.length - 1];
  if (typeof step === 'number') return step;
  return tree.members(tree.at(path.slice(0, -1))).findIndex((m) => m.name === step);
}

/** Takes a value out, with its name and its comma. */
export function remove(tree: Tree, path: Path): Change[] {
  const parent = tree.at(path.slice(0, -1));
  if (!parent || !tree.at(path)) return [];
  const list = spans(tree, parent);
  const i = indexOf(tree, path);
  const [one, next, last] = [list[i], list[i + 1], list[i - 1]];
  if (!one) return [];
  if (list.length === 1) return [{ from: parent.start + 1, to: parent.end - 1, insert: '' }];
  if (next) return [{ from: one.start, to: next.start, insert: '' }];
  return last ? [{ from: last.end, to: one.end, insert: '' }] : [];
}

/** Takes a value out, and the members around it that would be empty then. */
export function clear(tree: Tree, path: Path, keep: (path: Path) => boolean): Change[] {
  let target = path;
  for (;;) {
    const parent = target.slice(0, -1);
    const v = tree.at(parent);
    if (!v || typeof parent[parent.length - 1] !== 'string' || spans(tree, v).length > 1 || keep(parent)) return remove(tree, target);
    target = parent;
  }
}

/** Puts an element of a list in the place of the next one or the one before. */
export function move(tree: Tree, path: Path, by: 1 | -1): Change[] {
  const index = path[path.length - 1];
  if (typeof index !== 'number') return [];
  const list = tree.elements(tree.at(path.slice(0, -1)));
  const [a, b] = by > 0 ? [list[index], list[index + 1]] : [list[index - 1], list[index]];
  if (!a || !b) return [];
  return [{ from: a.start, to: a.end, insert: tree.raw(b) }, { from: b.start, to: b.end, insert: tree.raw(a) }];
}

/** Gives a member another name. */
export function rename(tree: Tree, path: Path, name: string): Change[] {
  const step = path[path.length - 1];
  const m = tree.members(tree.at(path.slice(0, -1))).find((x) => x.name === step);
  return m ? [{ from: m.start, to: m.nameEnd, insert: JSON.stringify(name) }] : [];
}

/** A text with changes made, for callers without an editor. */
export function applied(text: string, changes: readonly Change[]): string {
  let out = '';
  let done = 0;
  for (const c of [...changes].sort((a, b) => a.from - b.from)) {
    out += text.slice(done, c.from) + c.insert;
    done = c.to;
  }
  return out + text.slice(done);
}
