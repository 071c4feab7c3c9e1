// Calls of the API from its reference. Answers are shown as text, and keys are kept nowhere.
import { all, make } from './island/dom';

/** most is how many characters of an answer are shown. */
const most = 100_000;
/** patience is how long an answer may take, in milliseconds; one that never ends is cut. */
const patience = 15_000;

for (const form of all('form.call', HTMLFormElement)) {
  const box = form.closest('details');
  if (box) box.hidden = false;
  form.addEventListener('submit', (e) => {
    e.preventDefault();
    void call(form);
  });
}

/** Opens what the address names, and what links lead to: not every browser does that by itself. */
function openTarget(): void {
  const target = document.getElementById(location.hash.slice(1));
  const folded = target?.closest<HTMLDetailsElement>('details:not([open])');
  if (!target || !folded) return;
  folded.open = true;
  target.scrollIntoView();
}
addEventListener('hashchange', openTarget);
openTarget();

/** fields returns what is written into the fields of a place, by name. */
function fields(form: HTMLFormElement, place: string): [string, string][] {
  return all(`[data-in="${place}"]`, HTMLElement, form).map((e): [string, string] => (e instanceof HTMLInputElement || e instanceof HTMLTextAreaElement ? [e.name, e.value.trim()] : ['', '']));
}

/** addressOf is where a call goes. */
function addressOf(form: HTMLFormElement): string {
  let path = form.dataset['path'] ?? '';
  for (const [name, value] of fields(form, 'path')) path = path.replace(`{${name}}`, () => encodeURIComponent(value));
  const query = new URLSearchParams(fields(form, 'query').filter(([, value]) => value !== '')).toString();
  return query === '' ? path : `${path}?${query}`;
}

async function call(form: HTMLFormElement): Promise<void> {
  const told = placeFor(form);
  const button = form.querySelector('button');
  if (button) button.disabled = true;
  told.status.textContent = 'Sending …';
  told.answer.hidden = true;
  const address = addressOf(form);
  const method = form.dataset['method'] ?? 'GET';
  const headers = new Headers();
  for (const [, key] of fields(form, 'key')) headers.set('Authorization', `Bearer ${key}`);
  const body = fields(form, 'body')[0]?.[1];
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  const begin = performance.now();
  try {
    const answer = await fetch(address, { method, headers, credentials: 'omit', cache: 'no-store', ...(body === undefined ? {} : { body }) });
    const text = await readSome(answer);
    const time = Math.round(performance.now() - begin);
    told.status.textContent = `${answer.status} ${answer.statusText}`.trim() + `, ${time} ms, ${answer.headers.get('Content-Type') ?? 'without a content type'}, ${method} ${address}`;
    told.answer.textContent = indented(text) || '(the answer is empty)';
    told.answer.hidden = false;
  } catch {
    told.status.textContent = 'The service could not be reached. Please try again.';
  }
  if (button) button.disabled = false;
}

/** readSome reads an answer, as much of it as is shown. */
async function readSome(answer: Response): Promise<string> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return '';
  const end = setTimeout(() => void reader.cancel(), patience);
  let text = '';
  for (let part = await reader.read(); !part.done && text.length < most; part = await reader.read()) text += part.value;
  clearTimeout(end);
  if (text.length < most) return text;
  void reader.cancel();
  return text.slice(0, most) + '\n… the rest is not shown';
}

/** indented is JSON over several lines, and any other text as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

interface Told {
  readonly status: HTMLElement;
  readonly answer: HTMLElement;
}

const places = new WeakMap<HTMLFormElement, Told>();

/** placeFor is where the answer to a call is shown. */
function placeFor(form: HTMLFormElement): Told {
  const known = places.get(form);
  if (known) return known;
  const told = { status: make('p', { role: 'status', class: 'quiet' }), answer: make('pre', { tabindex: '0', role: 'group', 'aria-label': 'Answer' }) };
  form.append(told.status, told.answer);
  places.set(form, told);
  return told;
}
