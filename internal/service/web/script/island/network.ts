// A run over a network that shows by itself how far it is, and files that are dropped on a page.
import { all } from './dom';

const every = 1000;

export function liveProgress(): void {
  for (const place of all('[data-progress]', HTMLElement)) {
    const url = place.dataset['progress'];
    const bar = place.querySelector('progress');
    const text = place.querySelector('[role=status]');
    if (url && bar && text) follow(url, bar, text);
  }
}

interface Progress {
  total: number;
  done: number;
  text: string;
  ended: boolean;
}

function follow(url: string, bar: HTMLProgressElement, text: Element): void {
  const look = async (): Promise<void> => {
    let ended = false;
    try {
      const answer = await fetch(url, { headers: { Accept: 'application/json' } });
      // A run that is not known any more, and one that is over, are shown by the page.
      ended = answer.status === 404;
      if (answer.ok) {
        const p = (await answer.json()) as Progress;
        bar.max = Math.max(p.total, 1);
        bar.value = p.done;
        text.textContent = p.text;
        ended = p.ended;
      }
    } catch {
      // The next time may be better.
    }
    if (ended) location.reload();
    else setTimeout(() => void look(), every);
  };
  setTimeout(() => void look(), every);
}

export function dropFiles(): void {
  const form = all('form[data-drop]', HTMLFormElement)[0];
  const input = form && document.getElementById(form.dataset['drop'] ?? '');
  if (!form || !(input instanceof HTMLInputElement)) return;
  const body = document.body;
  const carries = (e: DragEvent): boolean => e.dataTransfer?.types.includes('Files') ?? false;
  body.addEventListener('dragover', (e) => {
    if (!carries(e)) return;
    e.preventDefault();
    body.classList.add('dropping');
  });
  body.addEventListener('dragleave', (e) => {
    if (!e.relatedTarget) body.classList.remove('dropping');
  });
  body.addEventListener('drop', (e) => {
    if (!carries(e) || !e.dataTransfer) return;
    e.preventDefault();
    body.classList.remove('dropping');
    input.files = e.dataTransfer.files;
    input.closest('details')?.setAttribute('open', '');
    if (input.required) form.requestSubmit();
    else input.focus();
  });
}
