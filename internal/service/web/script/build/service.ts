// What the page asks the service.

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly new: string;
}

export interface Fix {
  readonly title: string;
  readonly kind: string;
  readonly edits: readonly Edit[];
}

export interface Finding {
  readonly code: string;
  readonly severity: string;
  readonly pointer: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly hint?: string;
  readonly more?: number;
  readonly fixes?: readonly Fix[];
}

export interface Checked {
  readonly valid: boolean;
  readonly unusable?: boolean;
  readonly consequence: Consequence;
  readonly findings: readonly Finding[];
}

/** What a file means for buyers, in a few words; detail says more. */
export interface Consequence {
  readonly tone: 'good' | 'bad' | 'warn' | '';
  readonly words: string;
  readonly detail?: string;
}

export interface Imported {
  readonly text: string;
  readonly note?: string;
  readonly done?: readonly string[];
}

export interface Changes {
  readonly note: string;
  readonly changes: readonly { readonly code: string; readonly severity: string; readonly message: string; readonly subject?: string }[];
}

export interface Host {
  readonly name: string;
  readonly title: string;
  readonly steps: readonly { readonly do: string; readonly path?: string; readonly text?: string }[];
}

/** Why the service did not give an answer. Retry is set when it may do so later. */
export class Refusal extends Error {
  constructor(message: string, readonly retry: number | null, readonly code = '') {
    super(message);
  }
}

/** How long to wait before the service is asked again when it did not answer, in milliseconds. */
const patience = 4000;

async function ask<T>(path: string, domain: string, body: string, signal?: AbortSignal): Promise<T> {
  const query = domain === '' ? '' : '?' + new URLSearchParams({ domain }).toString();
  let answer: Response;
  try {
    answer = await fetch('/build/' + path + query, { method: 'POST', body, headers: { 'Content-Type': 'application/json' }, ...(signal ? { signal } : {}) });
  } catch (e) {
    if (signal?.aborted) throw e;
    throw new Refusal('the service could not be reached', patience);
  }
  let content: unknown;
  try {
    content = await answer.json();
  } catch (e) {
    if (signal?.aborted) throw e;
    throw new Refusal('the service gave no answer that can be read', patience);
  }
  if (answer.ok) return content as T;
  const told = content as { error?: string; hint?: string; code?: string; retry_after?: number };
  const wait = answer.status === 429 || answer.status >= 500 ? (told.retry_after ?? patience / 1000) * 1000 : null;
  throw new Refusal((told.error ?? 'the service could not answer') + (told.hint ? '; ' + told.hint : ''), wait, told.code);
}

export const check = (domain: string, text: string, signal: AbortSignal): Promise<Checked> => ask('check', domain, text, signal);
export const importText = (domain: string, text: string): Promise<Imported> => ask('import', domain, text);
export const formatText = (text: string): Promise<Imported> => ask('format', '', text);
export const fixAll = (domain: string, text: string): Promise<Imported> => ask('fix', domain, text);
export const fetchFile = (domain: string): Promise<Imported> => ask('fetch', domain, '');
export const compare = (domain: string, text: string): Promise<Changes> => ask('changes', domain, text);
export const publishing = (domain: string, text: string): Promise<Host[]> => ask('publish', domain, text);

/** What can be said about something that went wrong. */
export function words(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}
