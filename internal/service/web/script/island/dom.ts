// Small helpers. Text only ever becomes text: nothing here reads markup.

/** all returns the elements that a selector finds, of a type. */
export function all<T extends Element>(selector: string, type: abstract new () => T, within: ParentNode = document): T[] {
  return [...within.querySelectorAll(selector)].filter((e): e is T => e instanceof type);
}

/** make returns a new element with attributes and text. */
export function make<K extends keyof HTMLElementTagNameMap>(name: K, attributes: Record<string, string> = {}, text = ''): HTMLElementTagNameMap[K] {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.textContent = text;
  return e;
}

let region: HTMLElement | undefined;

/** say has a screen reader say something. */
export function say(text: string): void {
  if (!region) {
    region = make('p', { class: 'unseen', role: 'status' });
    document.querySelector('main')?.append(region);
  }
  region.textContent = text;
}
