// Shared by /join and /post: the capper's key in this browser. The private key cannot be exported, not even by this page.

import { idOfKey, keyText } from '../../proof/capper-key.ts';
import { keyPair } from '../../proof/ed25519.ts';
import { base64, fromBase64 } from '../../proof/encoding.ts';

const databaseName = 'public-picks';
const storeName = 'keys';

/** The elements of the page by ID. */
export const byId = Object.fromEntries([...document.querySelectorAll('[id]')].map((each) => [each.id, each]));

/** Shows one part of the page, and hides the other parts and the last trouble. */
export function showPart(id) {
  for (const part of byId.trouble.parentElement.children) part.hidden = part.id !== id;
}

/** Says what went wrong, above the part that is shown. */
export function tell(...content) {
  byId.trouble.replaceChildren(...content);
  byId.trouble.hidden = false;
  byId.trouble.scrollIntoView({ block: 'nearest' });
}

/** Returns why this browser cannot create or keep a key, in sentences for its user; null if it can. */
export async function whyNoKey() {
  if (!window.isSecureContext || crypto.subtle === undefined)
    return 'Browsers sign on https pages only. Open this page by its https address.';
  let pair;
  try {
    pair = await makePair();
  } catch {
    return 'This browser cannot make Ed25519 keys. Chrome 137, Edge 137, Firefox 136, and Safari 17 can, and later versions of them.';
  }
  try {
    const probe = `probe ${crypto.randomUUID()}`;
    await inStore('readwrite', (store) => store.put({ capper: probe, privateKey: pair.privateKey }));
    const kept = await inStore('readonly', (store) => store.get(probe));
    await crypto.subtle.sign('Ed25519', kept.privateKey, new Uint8Array(1));
    await inStore('readwrite', (store) => store.delete(probe));
    return null;
  } catch {
    return 'This browser cannot keep a key here. In a private window it cannot: open the link in a usual one.';
  }
}

/** Returns how long this browser keeps a key, in a sentence; null if no warning is needed. */
export async function howLongKept() {
  const agent = navigator.userAgent;
  if (/Safari\//.test(agent) && !/Chrom(e|ium)\/|Android/.test(agent))
    return 'Safari deletes the key after seven days without a visit, unless this site is on the Home Screen. With the recovery key you can always add the device again.';
  const persists = await navigator.storage?.persist?.().catch(() => false);
  return persists
    ? null
    : 'The browser may delete the key when it is short of space or its data is cleared, and when a private window is closed. With the recovery key you can add the device again.';
}

function makePair() {
  return crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
}

/** Creates a key for this device without saving it. */
export async function newDeviceKey() {
  const { publicKey, privateKey } = await makePair();
  const key = keyText(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
  return { id: idOfKey(key), key, privateKey, sign: signerOf(privateKey) };
}

/** Creates a recovery key, with the text that its owner saves. */
export async function newRecoveryKey(capper) {
  const seed = crypto.getRandomValues(new Uint8Array(32));
  const text = `${capper}.${base64(seed).replaceAll('+', '-').replaceAll('/', '_').replace('=', '')}`;
  return { ...(await recoveryKey(text)), text };
}

/** Parses a recovery key. @throws SyntaxError if the text is not one */
export async function recoveryKey(text) {
  const [, capper, seed] = /^([a-z0-9][a-z0-9_-]{1,31})\.([A-Za-z0-9_-]{43})$/.exec(text.trim()) ?? [];
  if (capper === undefined)
    throw new SyntaxError('This is not a recovery key. It looks like name.letters-and-digits.');
  const { publicKey, sign } = await keyPair(fromBase64(`${seed.replaceAll('-', '+').replaceAll('_', '/')}=`));
  const key = keyText(publicKey);
  return { capper, id: idOfKey(key), key, sign: async (message) => base64(await sign(message)) };
}

/** Saves this device's key for a capper, with the name of the log that it signs for. */
export async function keep(origin, capper, { id, key, privateKey }) {
  await inStore('readwrite', (store) => store.put({ origin, capper, id, key, privateKey }));
}

/** Deletes this device's key for a capper. */
export async function forget(capper) {
  await inStore('readwrite', (store) => store.delete(capper));
}

/** Returns the keys saved on this device, one per capper. */
export async function keptKeys() {
  const kept = await inStore('readonly', (store) => store.getAll());
  return kept
    .filter(({ id }) => id !== undefined)
    .map((each) => ({ ...each, sign: signerOf(each.privateKey) }));
}

function signerOf(privateKey) {
  return async (message) =>
    base64(new Uint8Array(await crypto.subtle.sign('Ed25519', privateKey, new Uint8Array(message))));
}

function open() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(databaseName, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(storeName, { keyPath: 'capper' });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/** Resolves once the change is durable. */
async function inStore(mode, work) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(storeName, mode, { durability: 'strict' });
      const asked = work(transaction.objectStore(storeName));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = () => reject(transaction.error);
      transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** Posts JSON. @returns the status and the answer; status 0 without an answer */
export function send(path, body) {
  return ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** @returns the status and the answer; status 0 without an answer */
export async function ask(path, init) {
  try {
    const answer = await fetch(path, init);
    return { status: answer.status, body: await answer.json() };
  } catch {
    return {
      status: 0,
      body: { detail: 'The site could not be reached. Check your connection and try again.' },
    };
  }
}

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
