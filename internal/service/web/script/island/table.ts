// Tables that can be sorted by a column, and filtered where a page has room for that.
import { all, make, say } from './dom';

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export function liveTables(): void {
  for (const table of all('.wide > table', HTMLTableElement)) {
    const body = table.tBodies[0];
    const head = table.tHead?.rows[0];
    if (!body || !head) continue;
    if (body.rows.length > 1) sortable(head, body);
    const place = table.parentElement?.previousElementSibling;
    if (place instanceof HTMLElement && place.matches('.filter')) filtered(place, table, body);
  }
}

/** sortable makes a button of each head of a column: up, down, and as it was. */
function sortable(head: HTMLTableRowElement, body: HTMLTableSectionElement): void {
  const before = [...body.rows];
  for (const cell of all('th', HTMLTableCellElement, head)) {
    const button = make('button', { type: 'button', class: 'sort' });
    button.append(...cell.childNodes);
    cell.append(button);
    button.addEventListener('click', () => {
      const next = { none: 'ascending', ascending: 'descending', descending: 'none' }[cell.ariaSort ?? 'none'] ?? 'ascending';
      for (const other of all('th', HTMLTableCellElement, head)) other.removeAttribute('aria-sort');
      if (next !== 'none') cell.ariaSort = next;
      body.append(...sorted(before, cell.cellIndex, next));
      say(next === 'none' ? 'In the order of the file' : `Sorted by ${button.textContent ?? ''}, ${next}`);
    });
  }
}

function sorted(rows: HTMLTableRowElement[], column: number, order: string): HTMLTableRowElement[] {
  if (order === 'none') return rows;
  const text = (row: HTMLTableRowElement): string => row.cells[column]?.textContent ?? '';
  const sign = order === 'ascending' ? 1 : -1;
  return [...rows].sort((a, b) => sign * collator.compare(text(a), text(b)));
}

/** filtered adds a field that leaves the rows with all words that are written into it. */
function filtered(place: HTMLElement, table: HTMLTableElement, body: HTMLTableSectionElement): void {
  const name = table.parentElement?.getAttribute('aria-labelledby');
  const title = (name && document.getElementById(name)?.firstChild?.textContent?.trim()) || table.parentElement?.getAttribute('aria-label') || 'rows';
  const field = make('input', { type: 'search', 'aria-label': `Filter: ${title}`, placeholder: 'Filter', autocomplete: 'off', spellcheck: 'false' });
  const count = make('span', { class: 'quiet', role: 'status' });
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const row of body.rows) {
      const text = row.textContent?.toLowerCase() ?? '';
      row.hidden = !words.every((w) => text.includes(w));
      if (!row.hidden) left++;
    }
    count.textContent = words.length > 0 ? `${left} of ${body.rows.length} rows` : '';
  });
  place.append(field, ' ', count);
  place.hidden = false;
}
