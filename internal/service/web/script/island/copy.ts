// Buttons that copy: those beside code, and those that pages bring along hidden.
import { all, make, say } from './dom';

/** shown is how long a button says that it has copied, in milliseconds. */
const shown = 2000;

export function copyButtons(): void {
  for (const code of all('pre:not(.lines)', HTMLPreElement)) beside(code, code.getAttribute('aria-label') ?? 'code', () => textOf(code));
  for (const area of all('textarea[readonly]', HTMLTextAreaElement)) beside(area, area.labels?.[0]?.textContent ?? 'text', () => area.value);
  for (const button of all('button[data-copy], button[data-copy-link], button[data-copy-of]', HTMLButtonElement)) {
    const { copy, copyLink, copyOf } = button.dataset;
    const text = (): string | Promise<string> => {
      if (copyOf !== undefined) return document.getElementById(copyOf)?.textContent ?? '';
      return copy === undefined ? new URL(copyLink ?? '', location.href).href : textAt(copy);
    };
    copies(button, button.ariaLabel ?? '', text);
    button.hidden = false;
  }
}

/** beside puts a button into the corner of an element. It takes no room, so that nothing moves. */
function beside(e: HTMLElement, what: string, text: () => string): void {
  const corner = make('div', { class: 'corner' });
  const button = make('button', { type: 'button', class: 'small copy' });
  copies(button, what, text);
  corner.append(button);
  e.before(corner);
}

/** copies has a button copy a text, which may have to be fetched. */
function copies(button: HTMLButtonElement, what: string, text: () => string | Promise<string>): void {
  const idle = button.textContent || 'Copy';
  const show = (word: string): void => {
    button.textContent = word;
    button.ariaLabel = `${word}: ${what}`;
  };
  show(idle);
  button.addEventListener('click', async () => {
    const word = await copy(text) ? 'Copied' : 'Not copied';
    show(word);
    say(`${word}: ${what}`);
    setTimeout(() => show(idle), shown);
  });
}

/** textOf is the text of code without the numbers of its lines and what is said between them. */
function textOf(code: HTMLElement): string {
  const copied = code.cloneNode(true) as HTMLElement;
  for (const e of copied.querySelectorAll('.number, .says')) e.remove();
  return copied.textContent ?? '';
}

/** textAt is what this service has at an address. */
async function textAt(path: string): Promise<string> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.text();
}

async function copy(text: () => string | Promise<string>): Promise<boolean> {
  try {
    const value = text();
    if (typeof value !== 'string' && navigator.clipboard) {
      // A promise, because some browsers forget a click while something is fetched.
      const blob = value.then((v) => new Blob([v], { type: 'text/plain' }));
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
      return true;
    }
    if (!navigator.clipboard) return copyByHand(await value);
    await navigator.clipboard.writeText(await value);
    return true;
  } catch {
    return false;
  }
}

/** copyByHand is for pages that came without TLS, where browsers have no clipboard for scripts. */
function copyByHand(value: string): boolean {
  const before = document.activeElement;
  const area = make('textarea', { class: 'unseen', 'aria-hidden': 'true', tabindex: '-1' });
  area.value = value;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}
