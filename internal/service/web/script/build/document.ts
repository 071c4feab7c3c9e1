// The document with its history. It is the text of a file, to the byte: form and editor are views
// of it, and edits of both are steps of the same history.
import { history, invertedEffects, isolateHistory } from '@codemirror/commands';
import { EditorState, StateEffect, StateField, type Extension, type TransactionSpec } from '@codemirror/state';
import type { Change } from './json';

/** Whether all lines end with CR LF. A document with several kinds of line ends keeps each CR as
 * a character, so that none is lost. */
const setCRLF = StateEffect.define<boolean>();
const crlf = StateField.define<boolean>({
  create: () => false,
  update: (value, tr) => tr.effects.reduce((v, e) => (e.is(setCRLF) ? e.value : v), value),
});

/** What a state needs to have a document. */
export const documentParts: Extension = [
  EditorState.lineSeparator.of('\n'), crlf, history(),
  invertedEffects.of((tr) => (tr.effects.some((e) => e.is(setCRLF)) ? [setCRLF.of(tr.startState.field(crlf))] : [])),
];

/** Takes the line ends that all lines have out of a text. */
function plain(text: string): { text: string; crlf: boolean } {
  if (!text.includes('\r')) return { text, crlf: false };
  const pairs = text.split('\r\n').length - 1;
  const all = pairs > 0 && pairs === text.split('\n').length - 1 && pairs === text.split('\r').length - 1;
  return all ? { text: text.replaceAll('\r\n', '\n'), crlf: true } : { text, crlf: false };
}

/** The document as it is saved, with its own line ends. */
export function documentOf(state: EditorState): string {
  const text = textOf(state);
  return state.field(crlf) ? text.replaceAll('\n', '\r\n') : text;
}

/** The text that was asked for last: the form, the check and the draft all ask for the same one. */
let known: { readonly doc: EditorState['doc']; readonly text: string } | null = null;

/** The document as places in it are counted. */
export function textOf(state: EditorState): string {
  if (known?.doc !== state.doc) known = { doc: state.doc, text: state.doc.toString() };
  return known.text;
}

/** Puts another document in the place of the one that is there; undo brings that back. */
export function replacing(state: EditorState, text: string): TransactionSpec {
  const next = plain(text);
  return {
    changes: { from: 0, to: state.doc.length, insert: next.text },
    effects: setCRLF.of(next.crlf),
    selection: { anchor: 0 },
    annotations: isolateHistory.of('full'),
  };
}

/** Edits that a form asks for. Typing in a field is one step of the history, as it is in the
 * editor; everything else is a step of its own. */
export function editing(changes: readonly Change[], typing: boolean): TransactionSpec {
  return { changes: [...changes], userEvent: typing ? 'input.type' : 'input', ...(typing ? {} : { annotations: isolateHistory.of('full') }) };
}
