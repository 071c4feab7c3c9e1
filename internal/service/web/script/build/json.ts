// Reads a JSON text where it is needed, and makes edits of it that leave everything else as it
// was written: the order of members, unknown members, the spelling of numbers, spaces
// and line ends. The text is taken for JSON; the caller has made sure that it is.

export type Kind = 'object' | 'array' | 'string' | 'number' | 'word';
export type Path = readonly (string | number)[];

/** A value, by its place in the text. */
export interface Value {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
}

/** A member of an object; start is that of its name. */
export interface Member {
  readonly name: string;
  readonly start: number;
  readonly nameEnd: number;
  readonly value: Value;
}

/** A part of a text that is replaced. */
export interface Change {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

const quote = 34;
const backslash = 92;

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9 || code === 0xfeff;
}

/** The end of the string that begins at a place. */
function endOfString(text: string, start: number): number {
  for (let i = text.indexOf('"', start + 1); i >= 0; i = text.indexOf('"', i + 1)) {
    let slashes = 0;
    while (text.charCodeAt(i - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return i + 1;
  }
  return text.length;
}

/** The end of the object or list that begins at a place. */
function endOfNested(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case quote:
        i = endOfString(text, i) - 1;
        break;
      case 123:
      case 91:
        depth++;
        break;
      case 125:
      case 93:
        depth--;
        if (depth === 0) return i + 1;
    }
  }
  return text.length;
}

/** The value that begins at a place. */
function valueAt(text: string, start: number): Value {
  switch (text.charCodeAt(start)) {
    case 123:
      return { kind: 'object', start, end: endOfNested(text, start) };
    case 91:
      return { kind: 'array', start, end: endOfNested(text, start) };
    case quote:
      return { kind: 'string', start, end: endOfString(text, start) };
  }
  let end = start;
  while (end < text.length && !isSpace(text.charCodeAt(end)) && !',]}'.includes(text.charAt(end))) end++;
  const code = text.charCodeAt(start);
  return { kind: code === 45 || (code >= 48 && code <= 57) ? 'number' : 'word', start, end };
}

/** Whether a text is JSON, with or without a byte order mark. */
export function isJSON(text: string): boolean {
  try {
    JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return true;
  } catch {
    return false;
  }
}

/** The value that a whole text is: JSON ends at the last character that is not a space. */
function whole(text: string, start: number): Value {
  let end = text.length;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  const first = text.charCodeAt(start);
  return first === 123 || first === 91 ? { kind: first === 123 ? 'object' : 'array', start, end } : valueAt(text, start);
}

/** A text with its values. What is asked for is read and kept; the rest is not looked at. */
export class Tree {
  readonly root: Value;
  readonly #members = new Map<number, readonly Member[]>();
  readonly #elements = new Map<number, readonly Value[]>();

  constructor(readonly text: string) {
    this.root = whole(text, this.#skip(0));
  }

  #skip(i: number): number {
    while (i < this.text.length && isSpace(this.text.charCodeAt(i))) i++;
    return i;
  }

  /** The members of an object as they are written; none of another value. */
  members(v: Value | undefined): readonly Member[] {
    if (v?.kind !== 'object') return [];
    const known = this.#members.get(v.start);
    if (known) return known;
    const list: Member[] = [];
    let i = this.#skip(v.start + 1);
    while (i < v.end - 1) {
      const nameEnd = endOfString(this.text, i);
      const value = valueAt(this.text, this.#skip(this.#skip(nameEnd) + 1));
      list.push({ name: this.#unquote(i, nameEnd), start: i, nameEnd, value });
      i = this.#skip(value.end);
      if (this.text.charAt(i) !== ',') break;
      i = this.#skip(i + 1);
    }
    this.#members.set(v.start, list);
    return list;
  }

  /** The elements of a list; none of another value. */
  elements(v: Value | undefined): readonly Value[] {
    if (v?.kind !== 'array') return [];
    const known = this.#elements.get(v.start);
    if (known) return known;
    const list: Value[] = [];
    let i = this.#skip(v.start + 1);
    while (i < v.end - 1) {
      const value = valueAt(this.text, i);
      list.push(value);
      i = this.#skip(value.end);
      if (this.text.charAt(i) !== ',') break;
      i = this.#skip(i + 1);
    }
    this.#elements.set(v.start, list);
    return list;
  }

  /** The first member of a name. */
  get(v: Value | undefined, name: string): Value | undefined {
    return this.members(v).find((m) => m.name === name)?.value;
  }

  /** The value at a path. */
  at(path: Path): Value | undefined {
    let v: Value | undefined = this.root;
    for (const step of path) v = typeof step === 'number' ? this.elements(v)[step] : this.get(v, step);
    return v;
  }

  /** The text of a value as it is written. */
  raw(v: Value): string {
    return this.text.slice(v.start, v.end);
  }

  /** What a string says; empty for another value. */
  str(v: Value | undefined): string {
    return v?.kind === 'string' ? this.#unquote(v.start, v.end) : '';
  }

  #unquote(start: number, end: number): string {
    const inner = this.text.slice(start + 1, end - 1);
    return inner.includes('\\') ? String(JSON.parse(this.text.slice(start, end))) : inner;
  }
}

/** The JSON Pointer of a path. */
export function pointerOf(path: Path): string {
  return path.map((step) => '/' + String(step).replaceAll('~', '~0').replaceAll('/', '~1')).join('');
}

/** The path of a JSON Pointer in a text: whether a step is an index depends on what is there. */
export function pathOf(tree: Tree, pointer: string): Path {
  const path: (string | number)[] = [];
  let v: Value | undefined = tree.root;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const step: string | number = v?.kind === 'array' ? Number(name) : name;
    path.push(step);
    v = typeof step === 'number' ? tree.elements(v)[step] : tree.get(v, step);
  }
  return path;
}
