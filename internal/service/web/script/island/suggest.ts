// Suggestions below the box, as the pattern of a combobox with a list has it. What is chosen is a page; the
// text as it is goes where the form leads.
import { follow } from './checking';
import { all, make } from './dom';

/** pause is how long nothing may be typed before suggestions are asked for, in milliseconds. */
const pause = 150;
/** shortest is the length of a text with suggestions, and longest too: a file has none. */
const shortest = 2;
const longest = 200;

interface Suggestion {
  kind: string;
  text: string;
  note?: string;
  href: string;
}

export function suggestions(): void {
  for (const box of all('input[data-suggest]', HTMLInputElement)) suggest(box, box.dataset['suggest'] ?? '');
}

function suggest(box: HTMLInputElement, url: string): void {
  const list = make('ul', { id: `${box.id}-suggestions`, class: 'suggestions', role: 'listbox', 'aria-label': 'Suggestions' });
  list.hidden = true;
  box.form?.append(list);
  for (const [name, value] of Object.entries({ role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': list.id, 'aria-expanded': 'false' })) box.setAttribute(name, value);
  let found: Suggestion[] = [];
  let active = -1;
  let timer = 0;
  let call = new AbortController();

  const choose = (n: number): void => {
    active = n;
    for (const [i, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(i === n));
    if (n < 0) box.removeAttribute('aria-activedescendant');
    else box.setAttribute('aria-activedescendant', `${list.id}-${n}`);
    list.children[n]?.scrollIntoView({ block: 'nearest' });
  };
  const show = (some: Suggestion[]): void => {
    found = some;
    list.replaceChildren(...some.map((s, i) => optionOf(s, `${list.id}-${i}`)));
    list.hidden = some.length === 0;
    box.setAttribute('aria-expanded', String(some.length > 0));
    choose(-1);
  };
  const close = (): void => {
    clearTimeout(timer);
    call.abort();
    show([]);
  };
  const ask = async (): Promise<void> => {
    const text = box.value.trim();
    call.abort();
    call = new AbortController();
    if (text.length < shortest || text.length > longest || text.startsWith('{')) return show([]);
    try {
      const answer = await fetch(`${url}?q=${encodeURIComponent(text)}`, { signal: call.signal });
      if (!answer.ok || box.value.trim() !== text || document.activeElement !== box) return;
      const some = (await answer.json()) as Suggestion[];
      show(some.every((s) => s.text === text) ? [] : some); // what is there already does not have to be suggested
    } catch {
      // Without suggestions the form still works.
    }
  };
  box.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), pause);
  });
  box.addEventListener('keydown', (e) => {
    if (e.isComposing || found.length === 0) return;
    const chosen = found[active];
    if (e.key === 'Escape') close();
    else if (e.key === 'ArrowDown') choose(active === found.length - 1 ? -1 : active + 1);
    else if (e.key === 'ArrowUp') choose(active < 0 ? found.length - 1 : active - 1);
    else if (e.key === 'Enter' && chosen) go(chosen);
    else return;
    e.preventDefault();
  });
  // Before the box loses the focus, which closes the list.
  list.addEventListener('mousedown', (e) => {
    e.preventDefault();
    const option = e.target instanceof Element ? e.target.closest('[role=option]') : null;
    const chosen = found[option ? [...list.children].indexOf(option) : -1];
    if (chosen) go(chosen);
  });
  box.addEventListener('blur', close);
}

/** go leads to a page; that of a publisher may have to be made first. */
function go(s: Suggestion): void {
  if (s.href.startsWith('/check/')) follow(s.text);
  location.assign(s.href);
}

function optionOf(s: Suggestion, id: string): HTMLLIElement {
  const option = make('li', { id, role: 'option', 'aria-selected': 'false' });
  option.append(make('span', { class: 'kind' }, s.kind), make('span', { class: 'text' }, s.text));
  if (s.note) option.append(' ', make('span', { class: 'also' }, s.note));
  return option;
}
