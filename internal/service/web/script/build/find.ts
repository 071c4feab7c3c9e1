// Search and replace in the editor, loaded when it is first asked for.
import { openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { StateEffect } from '@codemirror/state';
import { keymap, type EditorView } from '@codemirror/view';

let ready = false;

export function open(view: EditorView): void {
  if (!ready) view.dispatch({ effects: StateEffect.appendConfig.of([search({ top: true }), keymap.of(searchKeymap)]) });
  ready = true;
  openSearchPanel(view);
}
