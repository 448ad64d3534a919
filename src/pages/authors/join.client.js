// Runs on /join. Creates this device's key, shows a recovery key once, and registers both. Then it revokes keys and sets the profile.

import { keyAddition } from '../../proof/author-statements.ts';
import { fingerprint, signedBytes } from '../../proof/capper-key.ts';
import {
  ask,
  byId,
  element,
  forget,
  howLongKept,
  keep,
  keptKeys,
  newDeviceKey,
  newRecoveryKey,
  recoveryKey,
  send,
  showPart,
  tell,
  whyNoKey,
} from './key.client.js';

const [, capper, token] = /^#([a-z0-9][a-z0-9_-]{1,31})\.([A-Za-z0-9_-]{20,100})$/.exec(location.hash) ?? [];

let device;
let recovery;
/** The name of this service's log, which every signed statement names. */
let origin;
/** The displayed key and its capper. */
let shown;

// Keeps the token out of the history, where others could find it.
if (token !== undefined) history.replaceState(null, '', location.pathname);
await start();
document.documentElement.dataset.ready = 'yes';

async function start() {
  const why = await whyNoKey();
  if (why !== null) {
    tell(`${why} Nothing was used up: the invitation stays valid.`);
    return;
  }
  const keys = await keptKeys();
  const kept = token === undefined ? keys.at(-1) : keys.find((each) => each.capper === capper);
  if (token === undefined) {
    if (kept !== undefined && (await isRegistered(kept))) await finish(kept.capper, kept);
    else showPart('second');
  } else if (kept !== undefined && (await isRegistered(kept))) await finish(capper, kept);
  else {
    for (const place of document.querySelectorAll('[data-capper]')) place.textContent = capper;
    showPart('invited');
  }
}

byId.make.addEventListener('click', async () => {
  if (!(await knowLog(capper))) return;
  device = await newDeviceKey();
  recovery = await newRecoveryKey(capper);
  await keep(origin, capper, device);
  byId.recovery.textContent = recovery.text;
  byId.kept.textContent = (await howLongKept()) ?? '';
  byId.download.href = URL.createObjectURL(new Blob([`${recovery.text}\n`], { type: 'text/plain' }));
  showPart('made');
});

byId.copy.addEventListener('click', async ({ target }) => {
  try {
    await navigator.clipboard.writeText(recovery.text);
    target.textContent = 'Copied';
  } catch {
    getSelection().selectAllChildren(byId.recovery);
    target.textContent = 'Selected: copy it now';
  }
  allow();
});
byId.download.addEventListener('click', allow);
byId.recovery.addEventListener('copy', allow);

/** Allows registration only once the owner has saved the recovery key. */
function allow() {
  byId.register.disabled = false;
}

byId.register.addEventListener('click', async ({ target }) => {
  target.disabled = true;
  const keys = [
    await keyAddition({ origin, capper }, device, 'device'),
    await keyAddition({ origin, capper }, recovery, 'recovery', device),
  ];
  // A capper with keys cannot add a first one: nobody would endorse this device.
  const { status, body } = await send(`/api/cappers/${capper}/keys`, { token, origin, keys });
  if (status === 201 || (await isRegistered(device))) await finish(capper, device);
  else {
    target.disabled = false;
    tell(body.detail);
  }
});

byId.recover.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { code } = event.target.elements;
  try {
    const key = await recoveryKey(code.value);
    if (!(await knowLog(key.capper))) return;
    device = await newDeviceKey();
    await keep(origin, key.capper, device);
    const { status, body } = await send(`/api/cappers/${key.capper}/keys`, {
      origin,
      keys: [await keyAddition({ origin, capper: key.capper }, device, 'device', key)],
    });
    if (status === 201 || (await isRegistered({ ...device, capper: key.capper }))) {
      code.value = '';
      await finish(key.capper, device);
      return;
    }
    await forget(key.capper);
    tell(body.detail);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    tell(error.message);
  }
});

/** Learns the name of the service's log. @returns whether it is known; if not, the page says why */
async function knowLog(owner) {
  const { body } = await ask(`/api/cappers/${owner}/keys`);
  origin = body.origin ?? undefined;
  if (origin === undefined) tell(body.detail ?? 'This service has no log yet. Try again in a minute.');
  return origin !== undefined;
}

/** Reports whether the service has this device's key, because the answer to a request may have been lost. */
async function isRegistered({ id, capper: owner = capper }) {
  const { body } = await ask(`/api/cappers/${owner}/keys`);
  return (body.keys ?? []).some((each) => each.id === id && each.revokedAt === null);
}

async function finish(owner, key) {
  shown = { owner, key };
  origin ??= key.origin;
  await listKeys();
  await fillProfile(owner);
  byId.summary.replaceChildren(
    `This device signs picks for ${owner} now. The fingerprint of its key is `,
    element('strong', { textContent: fingerprint(key.id) }),
    '.',
  );
  byId.page.href = `/c/${owner}#keys`;
  byId.lasting.textContent = (await howLongKept()) ?? '';
  showPart('done');
}

/** Lists valid keys, each with a button to revoke it. */
async function listKeys() {
  const { body } = await ask(`/api/cappers/${shown.owner}/keys`);
  // Without an answer the list is empty until the page is loaded again.
  const { keys = [] } = body;
  byId.keys.replaceChildren(
    ...keys
      .filter(({ revokedAt }) => revokedAt === null)
      .map((each) => {
        const use = each.purpose === 'recovery' ? 'recovery key' : 'signs picks';
        const here = each.id === shown.key.id ? ', this device' : '';
        const added = additionsOf(each, keys);
        const buttons = [revokeButton('Revoke', each, [])];
        if (added.length > 0)
          buttons.push(revokeButton(`Revoke with ${added.length} that it added`, each, added));
        return element(
          'p',
          { className: 'actions' },
          element('span', { textContent: `${each.fingerprint} (${use}${here})` }),
          // Only the operator, or a recovery key, revokes a recovery key.
          ...(each.purpose === 'recovery' ? [] : buttons),
        );
      }),
  );
}

/** Returns the valid devices that a key added, directly or through other devices. */
function additionsOf({ id }, keys) {
  const from = new Set([id]);
  return keys.filter((each) => {
    if (each.purpose !== 'device' || !from.has(each.endorsedBy)) return false;
    from.add(each.id);
    return each.revokedAt === null;
  });
}

function revokeButton(textContent, key, added) {
  const button = element('button', { type: 'button', className: 'second', textContent });
  button.addEventListener('click', () => {
    if (button.dataset.asked === key.id) void revoke(key, added);
    else Object.assign(button, { textContent: 'Revoke for good?' }).dataset.asked = key.id;
  });
  return button;
}

/** Revokes a key of the capper, and keys that it added, signed with this device's key. */
async function revoke({ id, ...revoked }, added) {
  const at = new Date().toISOString();
  const endorsementOf = ({ key, purpose }) =>
    shown.key.sign(
      signedBytes('key-statement/v1', {
        origin,
        capper: shown.owner,
        action: 'revoke',
        key,
        purpose,
        at,
      }),
    );
  const { status, body } = await send(`/api/cappers/${shown.owner}/keys/${id}/revoke`, {
    at,
    origin,
    endorsed_by: shown.key.id,
    endorsement: await endorsementOf(revoked),
    additions: await Promise.all(
      added.map(async (each) => ({ id: each.id, endorsement: await endorsementOf(each) })),
    ),
  });
  if (status !== 200) {
    tell(body.detail);
    return;
  }
  if (id === shown.key.id || added.some((each) => each.id === shown.key.id)) {
    await forget(shown.owner);
    showPart('second');
  } else await listKeys();
}

async function fillProfile(owner) {
  const { body } = await ask(`/api/cappers/${owner}/profile`);
  // Without an answer the fields stay empty; saving reports the cause.
  const { profile } = body;
  const { name, link, about } = byId.profile.elements;
  name.value = profile?.display_name ?? '';
  link.value = profile?.link ?? '';
  about.value = profile?.about ?? '';
}

byId.profile.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { name, link, about } = event.target.elements;
  const textOf = ({ value }) => value.replace(/\s+/g, ' ').trim() || null;
  const profile = {
    origin,
    capper: shown.owner,
    display_name: textOf(name),
    link: textOf(link),
    about: textOf(about),
    at: new Date().toISOString(),
  };
  const signature = await shown.key.sign(signedBytes('profile/v1', profile));
  const { status, body } = await send(`/api/cappers/${shown.owner}/profile`, {
    profile,
    key: shown.key.id,
    signature,
  });
  byId.saved.textContent = status === 200 ? 'Saved.' : body.detail;
});
