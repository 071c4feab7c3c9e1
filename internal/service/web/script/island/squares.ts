// Arrow keys within a picture of many squares, of which the Tab key stops at few.
import { all } from './dom';

export function arrowKeys(): void {
  for (const picture of all('.squares', HTMLElement)) {
    const links = all('a', HTMLAnchorElement, picture);
    for (const link of links) if (link.previousElementSibling) link.setAttribute('tabindex', '-1');
    picture.addEventListener('keydown', (e) => {
      const row = links.filter((link) => link.offsetTop === links[0]?.offsetTop).length;
      const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row }[e.key];
      const at = links.findIndex((link) => link === document.activeElement);
      const next = step !== undefined && at >= 0 ? links[at + step] : undefined;
      if (!next) return;
      e.preventDefault();
      next.focus();
    });
  }
}
