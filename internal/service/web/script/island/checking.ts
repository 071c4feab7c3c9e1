// What a check is doing while its page is on the way: the page before says so, with the requests as they
// are made. The page itself comes as it would without this.
import { make } from './dom';

/** pause is how long a page may take before anything is shown, in milliseconds. */
const pause = 250;
const second = 1000;

interface Step {
  step: string;
  host: string;
  status: string;
  class: string;
}

export function liveChecks(): void {
  let aside = false; // every form here is sent by a click, if only by one that Enter makes
  addEventListener('click', (e) => { aside = e.ctrlKey || e.metaKey || e.shiftKey; }, true);
  addEventListener('submit', (e) => {
    if (e.defaultPrevented || !(e.target instanceof HTMLFormElement)) return;
    // The dialog's own form has the address of the page; what opens elsewhere leaves this page as it is.
    if (e.target.method === 'dialog' || aside) return;
    if (!/^\/(go|check)$/.test(new URL(e.target.action).pathname)) return;
    const fields = new FormData(e.target);
    follow(String(fields.get('q') ?? fields.get('domain') ?? ''), fields.has('agents'));
  });
  addEventListener('click', (e) => {
    const link = e.target instanceof Element ? e.target.closest('a') : null;
    const domain = /^\/check\/([^/?#]+)$/.exec(link?.getAttribute('href') ?? '')?.[1];
    if (domain !== undefined && !e.defaultPrevented && !aside) follow(decodeURIComponent(domain));
  });
}

let leave = (): void => {};

/** follow shows the check that a text leads to, until the page is there. */
export function follow(text: string, agents = false): void {
  leave();
  if (text.length > 2048) return; // a file
  const began = Date.now();
  let source: EventSource | undefined;
  let dialog: HTMLDialogElement | undefined;
  let clock = 0;
  const timer = setTimeout(() => {
    source = new EventSource(`/progress?q=${encodeURIComponent(text)}`);
    const list = make('ol', { class: 'hops', 'aria-live': 'polite', 'aria-label': 'Requests' });
    source.addEventListener('check', (e) => {
      dialog = panel(String(JSON.parse(e.data).domain), list);
      dialog.addEventListener('close', () => {
        window.stop();
        leave();
      });
      const elapsed = dialog.querySelector('[role=timer]');
      const tick = (): void => {
        if (elapsed) elapsed.textContent = seconds(Math.round((Date.now() - began) / second));
      };
      tick();
      clock = setInterval(tick, second);
    });
    source.addEventListener('step', (e) => show(list, JSON.parse(e.data) as Step));
    source.addEventListener('end', () => {
      source?.close();
      if (list.childElementCount === 0) return; // no check has begun
      list.append(make('li', { class: 'none' }, agents ? 'Asking its agents …' : 'Making the report …'));
    });
    source.addEventListener('error', () => source?.close());
  }, pause);
  leave = () => {
    clearTimeout(timer);
    clearInterval(clock);
    source?.close();
    dialog?.remove();
  };
}

// A page that is gone may come back as it was.
addEventListener('pagehide', () => leave());

function seconds(n: number): string {
  return n === 1 ? '1 second' : `${n} seconds`;
}

/** panel opens what shows a check. Only its end grows, so that nothing moves. */
function panel(domain: string, list: HTMLElement): HTMLDialogElement {
  const dialog = make('dialog', { class: 'checking', 'aria-labelledby': 'checking' });
  const form = make('form', { method: 'dialog' });
  const title = make('h2', { id: 'checking', tabindex: '-1', autofocus: '' }, `Checking ${domain} …`);
  form.append(title, make('button', { class: 'small' }, 'Stop'));
  dialog.append(form, make('p', { role: 'timer', class: 'quiet' }), list);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** show adds a request that begins, or how the one before has ended. */
function show(list: HTMLElement, s: Step): void {
  const item = make('li', { class: s.class });
  item.append(make('strong', {}, s.status || '…'), ` ${s.step} `, make('span', { class: 'quiet' }, s.host));
  if (s.status) list.lastElementChild?.remove();
  list.append(item);
}
