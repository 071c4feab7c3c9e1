// What the editor knows about the format: completions and hover texts. It is loaded when a user comes to the editor.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import { Prec, StateEffect, type EditorState } from '@codemirror/state';
import { hoverTooltip, keymap, type EditorView, type Tooltip } from '@codemirror/view';
import { follow, hintOf, type Format, type Known, type Step } from './format';

type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;

/** Adds them to an editor. Their keys come before those that it has. */
export function help(format: Format, view: EditorView): void {
  view.dispatch({
    effects: StateEffect.appendConfig.of([
      closeBrackets(), Prec.high(keymap.of([...closeBracketsKeymap, ...completionKeymap])),
      autocompletion({ override: [(c) => complete(format, c)], icons: false }), hoverTooltip((v, pos) => hover(format, v, pos)),
    ]),
  });
}

function unquoted(state: EditorState, node: SyntaxNode): string {
  const text = state.sliceDoc(node.from, node.to);
  try {
    return String(JSON.parse(text));
  } catch {
    return text.replace(/^"|"$/g, '');
  }
}

/** What a member of an object says, in a text that need not be whole. */
function memberOf(state: EditorState, object: SyntaxNode | null, name: string): string {
  for (const p of object?.getChildren('Property') ?? []) {
    const key = p.getChild('PropertyName');
    const value = p.getChild('String');
    if (key && value && unquoted(state, key) === name) return unquoted(state, value);
  }
  return '';
}

/** The steps that lead to a place. */
function stepsTo(state: EditorState, start: SyntaxNode): Step[] {
  const steps: Step[] = [];
  for (let node: SyntaxNode | null = start; node; node = node.parent) {
    if (node.name === 'Property') {
      const key = node.getChild('PropertyName');
      const object = node.parent;
      steps.unshift({ name: key ? unquoted(state, key) : '', neighbour: (member) => memberOf(state, object, member) });
    } else if (node.parent?.name === 'Array') {
      steps.unshift({ name: null, neighbour: () => '' });
    }
  }
  return steps;
}

function known(format: Format, state: EditorState, node: SyntaxNode): Known {
  let top: SyntaxNode = node;
  while (top.parent) top = top.parent;
  const object = top.getChild('Object');
  const isPointer = (object?.getChildren('Property') ?? []).some((p) => {
    const key = p.getChild('PropertyName');
    return key !== null && unquoted(state, key) === 'authoritative_location';
  });
  return follow(format, isPointer, stepsTo(state, node));
}

function complete(format: Format, context: CompletionContext): CompletionResult | null {
  const { state, pos } = context;
  const node = syntaxTree(state).resolveInner(pos, -1);
  const inString = node.name === 'String' || node.name === 'PropertyName';
  const word = context.matchBefore(/[\w$-]*/);
  if (!context.explicit && !inString && word?.from === pos) return null;
  const property = node.name === 'Property' ? node : node.parent?.name === 'Property' ? node.parent : null;
  const colon = property !== null && state.sliceDoc(property.from, pos).replace(/"(?:[^"\\]|\\.)*"?/, '').includes(':');
  const isValue = colon || (node.name !== 'PropertyName' && node.parent?.name === 'Array') || node.name === 'Array';
  const list = isValue ? values(format, state, colon ? property : node) : names(format, state, node);
  const options = list.map((c) => ({ ...c, apply: inString ? c.label : ((c.apply as string | undefined) ?? c.label) }));
  if (options.length === 0) return null;
  if (!inString) return { from: word?.from ?? pos, options, validFor: /^[\w$-]*$/ };
  const closed = node.to - node.from > 1 && state.sliceDoc(node.to - 1, node.to) === '"';
  return { from: node.from + 1, to: closed ? node.to - 1 : node.to, options, validFor: /^[\w$-]*$/ };
}

function values(format: Format, state: EditorState, node: SyntaxNode | null): Completion[] {
  const type = node ? known(format, state, node).type : undefined;
  const plain = type?.kind === 'list' ? type.elem : type;
  if (plain?.kind === 'bool') return ['true', 'false'].map((label) => ({ label, type: 'constant' }));
  return [...(plain?.enum ?? []), ...(plain?.words ?? [])].map((label) => ({ label, apply: JSON.stringify(label), type: 'enum' }));
}

function names(format: Format, state: EditorState, node: SyntaxNode): Completion[] {
  let object: SyntaxNode | null = node;
  while (object && object.name !== 'Object') object = object.parent;
  if (!object) return [];
  const there = new Set(object.getChildren('Property').map((p) => p.getChild('PropertyName')).filter((k) => k !== null && k.from !== node.from).map((k) => (k ? unquoted(state, k) : '')));
  return (known(format, state, object).object?.fields ?? []).filter((f) => !there.has(f.name)).map((f) => ({
    label: f.name, detail: f.required ? 'required' : '', info: hintOf(f), apply: JSON.stringify(f.name) + ': ', type: 'property',
  }));
}

function hover(format: Format, view: EditorView, pos: number): Tooltip | null {
  const node = syntaxTree(view.state).resolveInner(pos, 0);
  const property = node.name === 'PropertyName' ? node.parent : node;
  if (!property) return null;
  const field = known(format, view.state, property).field;
  if (!field) return null;
  const create = (): { dom: HTMLElement } => {
    const dom = document.createElement('div');
    dom.className = 'avow-hint';
    const name = document.createElement('strong');
    name.textContent = field.name;
    dom.append(name, hintOf(field));
    if (field.type.enum) dom.append(' One of: ' + field.type.enum.join(', ') + '.');
    return { dom };
  };
  return { pos: node.from, end: node.to, above: true, create };
}
