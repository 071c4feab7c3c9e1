// Buttons that copy: those beside code, and those that pages bring along hidden.
import { all, make, say } from './dom';

/** shown is how long a button says that it has copied, in milliseconds. */
const shown = 2000;

export function copyButtons(): void {
  for (const code of all('pre:not(.lines)', HTMLPreElement)) beside(code, code.getAttribute('aria-label') ?? 'code', () => textOf(code));
  for (const area of all('textarea[readonly]', HTMLTextAreaElement)) beside(area, area.labels?.[0]?.textContent ?? 'text', () => area.value);
}

/** beside puts a button into the corner of an element. It takes no room, so that nothing moves. */
function beside(e: HTMLElement, what: string, text: () => string): void {
  const corner = make('div', { class: 'corner' });
  corner.append(copyButton('Copy', what, text));
  e.before(corner);
}

/** copyButton returns a button that copies a text, which may have to be fetched. */
export function copyButton(label: string, what: string, text: () => string | Promise<string>): HTMLButtonElement {
  const button = make('button', { type: 'button', class: 'small copy', 'aria-label': `${label}: ${what}` }, label);
  button.addEventListener('click', async () => {
    const done = await copy(text);
    button.textContent = done ? 'Copied' : 'Not copied';
    say(done ? `Copied: ${what}` : `Could not copy: ${what}`);
    setTimeout(() => { button.textContent = label; }, shown);
  });
  return button;
}

/** textOf is the text of code without the numbers of its lines and what is said between them. */
export function textOf(code: HTMLElement): string {
  const copied = code.cloneNode(true) as HTMLElement;
  for (const e of copied.querySelectorAll('.number, .says')) e.remove();
  return copied.textContent ?? '';
}

async function copy(text: () => string | Promise<string>): Promise<boolean> {
  try {
    const value = await text();
    if (navigator.clipboard) await navigator.clipboard.writeText(value);
    else if (!copyByHand(value)) return false;
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
