// The state of the page: one document, and what is known about it.
import { redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import type { Diagnostic } from '@codemirror/lint';
import type { EditorView } from '@codemirror/view';
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { places } from './bytes';
import * as drafts from './drafts';
import { documentOf, editing, replacing, textOf } from './document';
import { clear, set, setRaw } from './edit';
import { goTo, makeEditor, showFindings } from './editor';
import { rootOf, type Format, type ObjectType } from './format';
import { isJSON, pathOf, pointerOf, Tree, type Change, type Path } from './json';
import { check, fixAll, formatText, Refusal, words, type Consequence, type Finding, type Fix } from './service';

/** How the check of the text stands. */
export type Standing = 'waiting' | 'asking' | 'done' | 'away';

/** The pause in typing before the text is read and checked, in milliseconds; large texts
 * take longer to send. */
const pause = 350;
const pauseToRead = 120;
const perByte = 1 / 4000;

/** How many findings have a fix that does not need a choice. */
export function fixableOf(list: readonly Finding[]): number {
  return list.filter((f) => (f.fixes?.[0]?.kind ?? 'choice') !== 'choice').length;
}

export class App {
  /** The document, while it is JSON; else the last one that was. */
  readonly tree = signal(new Tree('{}'));
  readonly broken = signal(false);
  readonly domain = signal('');
  readonly panel = signal('start');
  readonly phoneView = signal<'form' | 'text'>('form');
  readonly findings = signal<readonly Finding[]>([]);
  readonly consequence = signal<Consequence>({ tone: '', words: '' });
  /** The control that has the focus, with the findings that were there when it got it: others about
   * it come when it is left. */
  readonly focused = signal<{ readonly pointer: string; readonly codes: readonly string[] } | null>(null);
  /** Entries that were just added and not left yet. What they lack is not an error so far. */
  readonly fresh = signal<ReadonlySet<string>>(new Set());
  /** The controls that were left, within entries that were not. */
  readonly visited = signal<ReadonlySet<string>>(new Set());
  /** The findings that are shown beside fields and counted. */
  readonly shown = computed(() => this.findings.value.filter((f) => this.#isDue(f)));
  /** The findings when the user last did something. Those that a check brings or clears afterwards move nothing
   * until the user goes on, however long the check takes. */
  readonly laid = signal<readonly Finding[]>([]);
  readonly laidShown = computed(() => this.laid.value.filter((f) => this.#isDue(f)));
  /** Whether the sections that few files need are listed. */
  readonly more = signal(false);
  /** Whether the text has changed since the findings were made. */
  readonly outdated = signal(false);
  readonly standing = signal<Standing>('waiting');
  readonly trouble = signal('');
  /** What has just happened, for everybody, and for who cannot see it happen. */
  readonly said = signal('');
  readonly saved = signal<drafts.Saved | 'new'>('new');
  readonly depths = signal({ undo: 0, redo: 0 });
  /** The pointer of an entry that was just added, to be opened and focused. */
  added = '';
  /** Whether what the domain publishes is to be fetched as soon as the page is there. */
  fetches = false;
  /** The pointers of entries that are open, for when their part of the form is shown again. */
  readonly opened = new Set<string>();

  readonly view: EditorView;
  #slot = new drafts.Slot(drafts.newID(), null);
  #readTimer = 0;
  #checkTimer = 0;
  #saveTimer = 0;
  #asking = new AbortController();
  /** Whether a click has begun, and what waits for its end: nothing may move beneath a pointer. */
  #pressed = false;
  #waiting: (() => void)[] = [];
  /** The text that the findings are about. */
  #checkedText = '';
  /** Whether a change comes from this page itself, and is known to leave the text JSON. */
  #own: '' | 'any' | 'json' = '';

  constructor(readonly format: Format, readonly host: HTMLElement) {
    this.view = makeEditor({ format, host, changed: (typed) => this.#changed(typed) });
    effect(() => this.#mark(this.shown.value, this.outdated.value));
    drafts.watch(() => this.#slot.id, () => this.#seeElsewhere());
    addEventListener('pagehide', () => this.#save());
    addEventListener('online', () => this.recheck());
    addEventListener('pointerdown', (e) => { if (e.button === 0) this.#pressed = true; }, true);
    addEventListener('pointercancel', () => this.#release(), true);
    // Outside the window, or on another element, a mouse makes no click.
    addEventListener('pointerup', (e) => { if (e.pointerType === 'mouse') setTimeout(() => this.#release()); }, true);
    addEventListener('click', () => setTimeout(() => this.#release()), true);
    addEventListener('keydown', () => { if (this.#pressed) this.#release(); }, true);
  }

  get isPointer(): boolean {
    const tree = this.tree.value;
    return tree.get(tree.root, 'authoritative_location') !== undefined;
  }

  get root(): ObjectType {
    return rootOf(this.format, this.isPointer);
  }

  get text(): string {
    return documentOf(this.view.state);
  }

  /** Whether there is nothing in the document yet. */
  get empty(): boolean {
    return this.view.state.doc.length < 3;
  }

  say(text: string): void {
    this.said.value = text;
  }

  // What is shown while a user writes.

  #isDue(f: Finding): boolean {
    const at = this.focused.value;
    if (at?.pointer === f.pointer) return at.codes.includes(f.code);
    if (this.visited.value.has(f.pointer)) return true;
    return ![...this.fresh.value].some((entry) => f.pointer === entry || f.pointer.startsWith(entry + '/') || (f.pointer !== '' && entry.startsWith(f.pointer + '/')));
  }

  /** Gives the findings their places, now that the user has done something. */
  lay(): void {
    this.laid.value = this.findings.value;
  }

  #release(): void {
    this.#pressed = false;
    batch(() => {
      for (const act of this.#waiting.splice(0)) act();
      this.lay();
    });
  }

  /** Does what moves parts of the page, after a click that has begun. */
  #whenStill(act: () => void): void {
    this.#waiting.push(act);
    if (!this.#pressed) this.#release();
  }

  /** Takes note of the control that has got the focus. */
  enter(pointer: string): void {
    this.#whenStill(() => { this.focused.value = { pointer, codes: this.shown.value.filter((f) => f.pointer === pointer).map((f) => f.code) }; });
  }

  /** Takes note of a control that was left, and of the one that has the focus now. */
  leave(pointer: string, next: Element | null): void {
    const entries: string[] = [];
    for (let e = next?.closest<HTMLElement>('[data-within]'); e; e = e.parentElement?.closest<HTMLElement>('[data-within]')) entries.push(e.dataset['within'] ?? '');
    this.#whenStill(() => {
      this.focused.value = null;
      if (pointer !== '') this.visited.value = new Set(this.visited.value).add(pointer);
      this.fresh.value = new Set([...this.fresh.value].filter((x) => entries.includes(x)));
    });
    if (this.outdated.value) this.recheck();
  }

  /** Adds an entry, which gets the focus. */
  add(path: Path, order: readonly string[]): void {
    this.added = pointerOf(path);
    this.visited.value = new Set();
    this.fresh.value = new Set(this.fresh.value).add(this.added);
    this.put(path, {}, order);
  }

  /** Shows a part of the page. */
  show(panel: string): void {
    batch(() => {
      this.panel.value = panel;
      this.phoneView.value = 'form';
      this.focused.value = null;
      this.fresh.value = new Set();
      this.said.value = '';
      this.lay();
      if (!['start', 'pointer', 'properties', 'agents', 'publish', 'findings'].includes(panel)) this.more.value = true;
    });
  }

  // Edits of forms.

  edit(changes: readonly Change[], typing = false): void {
    if (changes.length === 0) return;
    // An edit of a form makes JSON of JSON, so nothing has to be read to know that.
    this.#own = this.broken.value ? 'any' : 'json';
    this.view.dispatch(editing(changes, typing));
    this.#own = '';
  }

  put(path: Path, value: unknown, order: readonly string[], typing = false): void {
    this.edit(set(this.tree.value, path, value, order), typing);
  }

  putRaw(path: Path, raw: string, order: readonly string[], typing = false): void {
    this.edit(setRaw(this.tree.value, path, raw, order), typing);
  }

  /** Takes a value out; the list of agents stays, for a file needs it. */
  clear(path: Path): void {
    this.edit(clear(this.tree.value, path, (p) => p.length === 1 && p[0] === 'authorized_agents'));
  }

  undo(): void {
    this.#own = 'any';
    undo(this.view);
    this.#own = '';
  }

  redo(): void {
    this.#own = 'any';
    redo(this.view);
    this.#own = '';
  }

  // Documents.

  /** Begins with a text as a draft of its own; undo leads back to the one before. */
  open(text: string, from?: drafts.Draft): void {
    this.#save();
    this.#slot = new drafts.Slot(from?.id ?? drafts.newID(), from?.mark ?? null);
    this.#slot.hold();
    this.opened.clear();
    this.#replace(text);
    this.saved.value = from ? 'saved' : 'new';
    if (from) this.domain.value = from.domain;
    this.show(this.isPointer ? 'pointer' : 'properties');
  }

  /** Begins with a text from elsewhere, formatted. Undo shows it as it came. */
  async take(text: string, note: string): Promise<void> {
    let formatted = text;
    try {
      formatted = (await formatText(text)).text;
    } catch {
      // it stays as it is
    }
    this.open(text);
    if (formatted !== text) this.#replace(formatted);
    this.say((note + (formatted === text ? '' : ' It was formatted; Undo shows it as it came.')).trim());
  }

  #replace(text: string): void {
    this.#own = 'any';
    this.view.dispatch(replacing(this.view.state, text));
    this.#own = '';
  }

  /** Writes the text the way avow formats files. */
  async reformat(): Promise<void> {
    const before = this.text;
    try {
      const { text } = await formatText(before);
      if (this.text !== before) return;
      if (text !== before) this.#replace(text);
      this.say(text === before ? 'The file is formatted already.' : 'The file was formatted.');
    } catch (e) {
      this.say('Not formatted: ' + words(e) + '.');
    }
  }

  /** The fixes that are applied together: the first of each finding, but where the author has to choose. */
  readonly fixable = computed(() => fixableOf(this.findings.value));

  /** Applies all fixes, as one step that Undo takes back. */
  async fixAll(): Promise<void> {
    const before = this.text;
    try {
      const { text, done } = await fixAll(this.domain.value, before);
      if (this.text !== before) {
        this.say('The text was changed meanwhile, so nothing was fixed.');
        return;
      }
      if (text !== before) this.#replace(text);
      const list = done ?? [];
      this.say(list.length === 0 ? 'Nothing was fixed.' : (list.length === 1 ? '1 fix was' : String(list.length) + ' fixes were') + ' applied: ' + list.slice(0, 5).join(' ') + (list.length > 5 ? ' …' : '') + ' Undo takes them back.');
      this.recheck();
    } catch (e) {
      this.say('Nothing was fixed: ' + words(e) + '.');
    }
  }

  /** Keeps the text of this tab beside that of another one. */
  keepBoth(): void {
    this.#slot = new drafts.Slot(drafts.newID(), null);
    this.#save();
    this.say('Your text is a draft of its own now.');
  }

  /** Goes on with what another tab has written. */
  takeOther(): void {
    const other = drafts.draftOf(this.#slot.id);
    if (other) this.open(other.text, other);
  }

  setDomain(domain: string): void {
    this.domain.value = domain;
    this.#later();
  }

  get draftID(): string {
    return this.#slot.id;
  }

  #seeElsewhere(): void {
    if (this.#slot.elsewhere) this.saved.value = 'elsewhere';
  }

  #save(): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = 0;
    if (!this.empty) this.saved.value = this.#slot.save(this.text, this.domain.value);
  }

  // What follows a change.

  #changed(typed: boolean): void {
    clearTimeout(this.#readTimer);
    if (this.#own !== '' || !typed) this.#read();
    else this.#readTimer = setTimeout(() => this.#read(), pauseToRead);
    this.#later();
  }

  #read(): void {
    const text = textOf(this.view.state);
    const usable = this.#own === 'json' || isJSON(text);
    batch(() => {
      const tree = usable ? new Tree(text) : null;
      this.broken.value = tree?.root.kind !== 'object';
      if (tree?.root.kind === 'object') this.tree.value = tree;
      this.depths.value = { undo: undoDepth(this.view.state), redo: redoDepth(this.view.state) };
    });
  }

  #later(): void {
    if (this.saved.value !== 'elsewhere' && this.#saveTimer === 0) this.#saveTimer = setTimeout(() => this.#save(), 2 * pause);
    this.outdated.value = true;
    this.#checkIn(pause + this.view.state.doc.length * perByte);
  }

  recheck(): void {
    this.#checkIn(0);
  }

  #checkIn(wait: number): void {
    clearTimeout(this.#checkTimer);
    this.#checkTimer = setTimeout(() => void this.#check(), wait);
  }

  async #check(): Promise<void> {
    this.#asking.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const text = textOf(this.view.state);
    if (text.trim() === '') {
      this.#settle(text, [], { tone: '', words: '' });
      return;
    }
    this.standing.value = 'asking';
    try {
      const answer = await check(this.domain.value, text, asking.signal);
      this.#settle(text, answer.findings, answer.consequence);
    } catch (e) {
      if (asking.signal.aborted) return;
      batch(() => {
        this.standing.value = 'away';
        this.trouble.value = words(e);
      });
      const retry = e instanceof Refusal ? e.retry : null;
      if (retry !== null) this.#checkIn(retry);
    }
  }

  #settle(text: string, list: readonly Finding[], consequence: Consequence): void {
    this.#checkedText = text;
    const current = textOf(this.view.state) === text;
    batch(() => {
      this.findings.value = list;
      this.consequence.value = consequence;
      this.outdated.value = !current;
      this.standing.value = 'done';
      this.trouble.value = '';
    });
  }

  /** Marks the findings that are due in the text, while they are about it. */
  #mark(list: readonly Finding[], outdated: boolean): void {
    if (!outdated) untracked(() => { showFindings(this.view, list.slice(0, 500).map((f) => this.#diagnostic(f))); });
  }

  #diagnostic(f: Finding): Diagnostic {
    const { from, to } = this.placeOf(f);
    const severity = f.severity === 'error' ? 'error' : f.severity === 'warning' ? 'warning' : 'info';
    const actions = (f.fixes ?? []).slice(0, 3).map((fix) => ({ name: fix.title, apply: () => this.fix(fix) }));
    return { from, to, severity, source: f.code, message: f.message + (f.hint ? '\n' + f.hint : ''), actions };
  }

  // Findings.

  /** Where in the text a finding is. */
  placeOf(f: Finding): { from: number; to: number } {
    const doc = this.view.state.doc;
    const tree = this.tree.value;
    if (!this.broken.value && tree.text.length === doc.length && f.pointer !== '') {
      for (let path = pathOf(tree, f.pointer); path.length > 0; path = path.slice(0, -1)) {
        const v = tree.at(path);
        if (v) return { from: v.start, to: v.kind === 'object' || v.kind === 'array' ? Math.min(v.start + 1, v.end) : v.end };
      }
    }
    const line = doc.line(Math.min(Math.max(f.line ?? 1, 1), doc.lines));
    const before = [...line.text].slice(0, Math.max((f.column ?? 1) - 1, 0)).join('');
    const from = Math.min(line.from + before.length, line.to);
    return { from, to: Math.min(from + 1, line.to) };
  }

  showFinding(f: Finding): void {
    const { from, to } = this.placeOf(f);
    this.showText(from, to);
  }

  showText(from: number, to: number): void {
    this.phoneView.value = 'text';
    requestAnimationFrame(() => goTo(this.view, from, to));
  }

  /** Applies a fix, if the text is still the one that it was made for. */
  fix(fix: Fix): void {
    const text = textOf(this.view.state);
    if (text !== this.#checkedText) {
      this.say('The text has changed since it was checked. Fixes come with the next check.');
      this.recheck();
      return;
    }
    const at = places(text, fix.edits.flatMap((e) => [e.start, e.end]));
    this.edit(fix.edits.map((e) => ({ from: at.get(e.start) ?? 0, to: at.get(e.end) ?? 0, insert: e.new })));
    this.findings.value = this.findings.value.filter((f) => !f.fixes?.includes(fix));
    this.say('Done: ' + fix.title + '.');
    this.recheck();
  }
}
