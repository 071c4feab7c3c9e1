// The editor: it has the document and its history, to which the forms' edits are added.
import { defaultKeymap, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { documentParts } from './document';
import type { Format } from './format';

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--card)', fontSize: '.86rem' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0' },
  '&.cm-focused': { outline: '2px solid var(--link)', outlineOffset: '-2px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--soft)', color: 'var(--quiet)', border: '0', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--link) 7%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { backgroundColor: 'color-mix(in srgb, var(--link) 24%, transparent)' },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--warn) 30%, transparent)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'color-mix(in srgb, var(--good) 24%, transparent)' },
  '.cm-tooltip': { backgroundColor: 'var(--card)', border: '1px solid var(--edge)', borderRadius: '.4rem', color: 'var(--ink)', maxWidth: '30rem', overflow: 'hidden' },
  '.cm-tooltip .avow-hint': { padding: '.5rem .75rem', font: '.86rem/1.45 var(--sans)' },
  '.cm-tooltip .avow-hint strong': { display: 'block', fontFamily: 'var(--mono)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--link)', color: 'var(--paper)' },
  '.cm-completionDetail': { color: 'inherit', fontStyle: 'normal', marginLeft: '.8rem', opacity: '.85' },
  '.cm-completionInfo': { font: '.86rem/1.45 var(--sans)', padding: '.5rem .75rem' },
  '.cm-panels': { backgroundColor: 'var(--soft)', color: 'var(--ink)' },
  '.cm-panels input, .cm-panels button': { font: '.86rem var(--sans)', color: 'var(--ink)', backgroundColor: 'var(--card)', backgroundImage: 'none', border: '1px solid var(--edge)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--soft)', borderColor: 'var(--edge)', color: 'var(--ink)' },
  '.cm-diagnostic': { font: '.86rem/1.45 var(--sans)', padding: '.4rem .75rem' },
  '.cm-diagnosticAction': { backgroundColor: 'var(--accent)', color: 'var(--accent-ink)', padding: '.15rem .6rem' },
  // Marks without pictures: the policy of the page knows none from style sheets.
  '.cm-lintRange-error, .cm-lintRange-warning, .cm-lintRange-info, .cm-lintRange-hint': { backgroundImage: 'none', textDecoration: 'underline wavy', textUnderlineOffset: '.2em' },
  '.cm-lintRange-error': { textDecorationColor: 'var(--bad)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn)' },
  '.cm-lintRange-info': { textDecorationColor: 'var(--link)' },
  '.cm-lint-marker-error, .cm-lint-marker-warning, .cm-lint-marker-info': { content: 'normal', width: '.6em', height: '.6em', margin: '.35em .2em', borderRadius: '50%' },
  '.cm-lint-marker-error': { backgroundColor: 'var(--bad)' },
  '.cm-lint-marker-warning': { backgroundColor: 'var(--warn)', borderRadius: '0' },
  '.cm-lint-marker-info': { backgroundColor: 'var(--link)' },
  '.cm-specialChar': { color: 'var(--bad)' },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--link)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--warn)' },
  { tag: [tags.bool, tags.null], color: 'var(--bad)' },
]);

/** What of the editor's surroundings it has to be told. */
export interface Around {
  readonly format: Format;
  readonly host: HTMLElement;
  /** Called after every change of the text, with whether the user typed in the editor. */
  readonly changed: (typed: boolean) => void;
}

/** Types over a selection. A browser that did it itself would join lines with inline styles, which
 * the policy of the page forbids. */
function replaceLines(e: InputEvent, view: EditorView): boolean {
  if (e.inputType !== 'insertText' || e.data === null || view.composing || view.state.selection.main.empty) return false;
  e.preventDefault();
  view.dispatch(view.state.replaceSelection(e.data), { userEvent: 'input.type', scrollIntoView: true });
  return true;
}

function find(view: EditorView): boolean {
  void import('./find').then((m) => m.open(view));
  return true;
}

let helps = false;

/** Has the editor help with what is written, once a user comes to it. */
function help(around: Around, view: EditorView): void {
  if (helps) return;
  helps = true;
  void import('./complete').then((m) => {
    m.help(around.format, view);
    around.host.setAttribute('data-helps', '');
  });
}

/** Makes the editor, in a shadow root: there its style sheets need no exception from the policy
 * of the page. */
export function makeEditor(around: Around): EditorView {
  const root = around.host.attachShadow({ mode: 'open' });
  const place = document.createElement('div');
  place.className = 'editor';
  root.append(place);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('.editor { background: var(--card); box-sizing: border-box; height: 100%; padding-top: .5rem; } .cm-editor { height: 100%; position: relative; }');
  root.adoptedStyleSheets = [sheet];
  const extensions: Extension[] = [
    documentParts, json(), lineNumbers(), foldGutter(), lintGutter(), highlightSpecialChars(), drawSelection(), bracketMatching(), highlightActiveLine(),
    indentUnit.of('  '), EditorState.tabSize.of(2), look, syntaxHighlighting(colours),
    keymap.of([{ key: 'Mod-f', run: find }, ...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap, indentWithTab]),
    EditorView.contentAttributes.of({ 'aria-label': 'Text of the file', tabindex: '0', spellcheck: 'false', autocapitalize: 'none' }),
    EditorView.clipboardInputFilter.of((text) => text.replaceAll('\r\n', '\n')),
    EditorView.domEventHandlers({ beforeinput: replaceLines, focus: (_, view) => help(around, view), mouseover: (_, view) => help(around, view) }),
    EditorView.updateListener.of((u) => {
      if (u.docChanged) around.changed(u.view.hasFocus);
    }),
  ];
  return new EditorView({ parent: place, root, state: EditorState.create({ doc: '', extensions }) });
}

/** Shows findings where they are. Marks are made anew: those that were used again would move from line to line. */
export function showFindings(view: EditorView, list: readonly Diagnostic[]): void {
  view.dispatch(setDiagnostics(view.state, []));
  view.dispatch(setDiagnostics(view.state, list));
}

/** Goes to a place, and shows it in the middle. */
export function goTo(view: EditorView, from: number, to: number): void {
  const end = Math.min(to, view.state.doc.length);
  const start = Math.min(from, end);
  view.dispatch({ selection: { anchor: start, head: end }, effects: EditorView.scrollIntoView(start, { y: 'center' }) });
  view.focus();
}
