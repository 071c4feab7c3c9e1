// The one App of the page, for all of its parts.
import type { App } from './app';

let one: App | null = null;

export function begin(app: App): void {
  one = app;
}

export function theApp(): App {
  if (!one) throw new Error('the page has not begun');
  return one;
}
