// The one box: "/" leads to it, and a file that is pasted keeps its lines.
import { make } from './dom';

export function oneBox(): void {
  addEventListener('keydown', (e) => {
    if (e.key !== '/' || e.ctrlKey || e.metaKey || e.altKey || writes(e.target)) return;
    const box = document.getElementById('q');
    if (!box) return;
    e.preventDefault();
    box.focus();
  });
  const box = document.getElementById('q');
  if (box instanceof HTMLInputElement) {
    box.addEventListener('paste', (e) => {
      const text = e.clipboardData?.getData('text/plain') ?? '';
      if (!text.trim().includes('\n')) return; // a line loses nothing
      e.preventDefault();
      grow(box, text);
    });
  }
}

/** writes tells whether keys are text where they are pressed. */
function writes(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** grow puts a box with several lines in the place of one with a single line. */
function grow(box: HTMLInputElement, pasted: string): void {
  const from = box.selectionStart ?? box.value.length;
  const before = box.value.slice(0, from);
  const after = box.value.slice(box.selectionEnd ?? from);
  const area = make('textarea', { id: box.id, name: box.name, rows: '8', spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off', required: '', placeholder: box.placeholder });
  area.value = before + pasted + after;
  box.form?.classList.add('grown');
  box.replaceWith(area);
  area.focus();
  area.setSelectionRange(before.length + pasted.length, before.length + pasted.length);
  area.addEventListener('keydown', (e) => {
    if (e.key !== 'Enter' || e.shiftKey || e.isComposing) return;
    e.preventDefault();
    area.form?.requestSubmit();
  });
}
