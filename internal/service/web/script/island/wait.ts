// A page that has to be asked for later counts down to the moment.
import { all, say } from './dom';

const second = 1000;
const minute = 60;
const hour = 3600;

export function countdowns(): void {
  for (const e of all('[data-wait]', HTMLElement)) countDown(e);
}

function countDown(e: HTMLElement): void {
  const end = Date.now() + Number(e.dataset['wait']) * second;
  const timer = setInterval(() => {
    const left = Math.ceil((end - Date.now()) / second);
    const words = e.querySelector('strong');
    if (left > 0 && words) {
      words.textContent = wait(left);
      return;
    }
    clearInterval(timer);
    e.textContent = 'You can try again now.';
    say(e.textContent);
  }, second);
}

/** wait says how long to wait, rounded up, as the server does. */
function wait(seconds: number): string {
  if (seconds < 2 * minute) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  if (seconds < 2 * hour) return `${Math.ceil(seconds / minute)} minutes`;
  return `${Math.ceil(seconds / hour)} hours`;
}
