// Takes public keys over from a JWK or a JWKS that the user pastes.
import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { theApp } from './context';
import { idOf } from './controls';
import { set } from './edit';
import { pointerOf, type Path } from './json';

/** Members of keys that must never be published. */
const secrets = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** What was pasted: keys, or why there are none. Refused is set when it must not stay on the
 * screen. */
export type Pasted = { readonly keys: readonly object[] } | { readonly error: string; readonly refused?: true };

/** Reads a key, a set of keys or a list of keys. */
export function readKeys(text: string): Pasted {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (/PRIVATE KEY/.test(text)) return { error: 'this is a private key. Nothing was added. Keep it secret, and make a JWK of the public key', refused: true };
    return { error: 'this is not JSON; paste a JWK, or a JWKS with its keys' };
  }
  const set = typeof value === 'object' && value !== null && !Array.isArray(value) && 'keys' in value ? value.keys : value;
  const list: unknown[] = Array.isArray(set) ? set : [set];
  const keys: object[] = [];
  for (const key of list) {
    if (typeof key !== 'object' || key === null || !('kty' in key)) return { error: 'this is not a key: a JWK has a member kty' };
    const secret = secrets.find((name) => Object.hasOwn(key, name));
    if (secret !== undefined) {
      return { error: 'this has a private key in it (its member ' + secret + '), which must never be published. Nothing was added, and nothing of it was kept or sent. If anybody else has seen it, replace the key', refused: true };
    }
    if (key.kty === 'oct') return { error: 'this is a shared secret, not a public key. Nothing was added', refused: true };
    keys.push(key);
  }
  return keys.length === 0 ? { error: 'there is no key in it' } : { keys };
}

export function KeyPaste({ path, order }: { readonly path: Path; readonly order: readonly string[] }): JSX.Element {
  const app = theApp();
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  const id = idOf(path, 'k');
  const take = (): void => {
    const pasted = readKeys(text);
    if ('error' in pasted) {
      setError(pasted.error);
      if (pasted.refused) setText('');
      return;
    }
    for (const key of pasted.keys) {
      const tree = app.tree.value;
      app.edit(set(tree, [...path, tree.elements(tree.at(path)).length], key, order));
    }
    setText('');
    setError('');
    app.say(pasted.keys.length === 1 ? 'One key was added.' : String(pasted.keys.length) + ' keys were added.');
  };
  return (
    <details class="paste">
      <summary>Paste a JWK or JWKS</summary>
      <label for={id}>Public key, or set of keys, as JSON</label>
      <textarea id={id} class="code" rows={5} value={text} spellcheck={false} autocomplete="off" data-keys={pointerOf(path)} onInput={(e) => setText(e.currentTarget.value)} aria-invalid={error !== ''} aria-describedby={id + 'e'} />
      <div id={id + 'e'} role="alert">{error === '' ? null : <p class="wrong"><strong>Refused:</strong> {error}.</p>}</div>
      <button type="button" class="small" onClick={take} disabled={text.trim() === ''}>Take over</button>
    </details>
  );
}
