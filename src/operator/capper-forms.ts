import type { Capper } from '../cappers/cappers.ts';
import { cappersNamed } from '../cappers/cappers.ts';
import { keysOfCapper } from '../cappers/keys.ts';
import { capper as capperKind } from '../intake/capper.ts';
import { notice } from '../intake/notice.ts';
import { html } from '../pages/html.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { section } from '../pages/parts/section.ts';
import { fullText } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import { fingerprint } from '../proof/capper-key.ts';
import { capperOptions, capperText } from './choosing.ts';
import { choice, type Problems } from './fields.ts';
import {
  fieldsStep,
  inputOf,
  readInput,
  reviewStep,
  rowStep,
  type Step,
  type StepContext,
} from './row-form.ts';

export async function capperStep(context: StepContext): Promise<Step> {
  const { database, values } = context;
  const problems: Problems = new Map();
  const handle = inputOf(capperKind, 'handle', {
    maxLength: 32,
    suggestions: await capperOptions(database),
    read: (text) =>
      /^[A-Za-z0-9][A-Za-z0-9_-]{1,31}$/.test(text)
        ? { value: text.toLowerCase() }
        : { fault: 'A handle has 2 to 32 letters, digits, hyphens, or underscores.' },
  });
  const name = values.handle === undefined ? undefined : readInput(problems, values, handle);
  if (typeof name !== 'string')
    return fieldsStep(context, problems, { heading: 'Who', submit: 'Continue', fields: [handle] });
  const known = (await cappersNamed(database, name)).cappers.find((capper) => capper.handle === name);
  return rowStep(context, {
    kind: capperKind,
    heading: known === undefined ? `New: ${name}` : capperText(known),
    given: { handle: name },
    kept: { handle: name },
    fields: [
      inputOf(capperKind, 'tier', { value: known?.tier }),
      inputOf(capperKind, 'verified', { value: known && (known.verified ? 'yes' : 'no') }),
      inputOf(capperKind, 'displayName', { value: known?.displayName ?? undefined }),
    ],
    review: () => ({
      submit: known === undefined ? 'Add this capper' : 'Save',
      warning:
        known === undefined
          ? 'The handle cannot be changed later. Posted picks keep their tier.'
          : `Now: ${capperText(known)}, ${known.verified ? 'verified' : 'not verified'}. Posted picks keep their tier. A changed tier or verification adds a permanent notice to the log.`,
      about: [['Handle', name]],
    }),
  });
}

export async function inviteStep(context: StepContext, capper: Capper): Promise<Step> {
  return reviewStep(context, {
    row: { capperHandle: capper.handle },
    submit: 'Create link',
    back: { capper: capper.handle },
    warning: 'Anyone with the link can register a key as this capper. Send it only to them.',
    details: [
      ['Capper', capperText(capper)],
      ['Valid', 'once, for seven days'],
    ],
  });
}

export async function revokeStep(context: StepContext, capper: Capper): Promise<Step> {
  const { database, path, values } = context;
  const keys = (await keysOfCapper(database, capper.id)).filter(({ revokedAt }) => revokedAt === null);
  const chosen = keys.find(({ keyId }) => keyId === values.key);
  const additions = values.additions !== undefined;
  const kept = { capper: capper.handle };
  if (chosen !== undefined)
    return reviewStep(context, {
      row: { capperHandle: capper.handle, key: chosen.keyId, additions },
      submit: additions ? 'Revoke these keys' : 'Revoke this key',
      back: kept,
      warning:
        'Picks signed with a revoked key are refused. The log records the revocation. This cannot be undone.',
      details: [
        ['Capper', capperText(capper)],
        ['Key', fingerprint(chosen.keyId)],
        ['Of', chosen.purpose === 'device' ? 'a device' : 'recovery'],
        ['Added', fullText(iso(chosen.addedAt))],
        ...(additions ? ([['With it', 'all keys that it added, directly or through others']] as const) : []),
      ],
    });
  const link = (key: string, all?: '1') => pathWith(path, { ...kept, key, additions: all });
  return {
    lead: capperText(capper),
    body: section({
      heading: 'Keys',
      id: 'keys',
      note: 'Check the fingerprint with the capper first.',
      body: html`${keys.map(({ keyId, purpose, addedAt }) =>
        choice({
          title: fingerprint(keyId),
          note: `${purpose}, added ${fullText(iso(addedAt))}`,
          path: link(keyId),
        }),
      )}${keys
        .filter(({ keyId }) => keys.some(({ endorsedBy }) => endorsedBy === keyId))
        .map(({ keyId }) =>
          choice({
            title: `${fingerprint(keyId)}, with all keys that it added`,
            note: 'for a stolen device',
            path: link(keyId, '1'),
          }),
        )}${keys.length === 0 && html`<p class="empty">This capper has no valid key.</p>`}`,
    }),
  };
}

export const noticeStep = (context: StepContext): Promise<Step> =>
  rowStep(context, {
    kind: notice,
    heading: 'Notice',
    // Posted, because a query has no room for 1,000 characters of any script.
    method: 'post',
    fields: [
      inputOf(notice, 'text', {
        kind: 'lines',
        read: (text) => ({ value: text.replace(/\s*[\r\n]+\s*/g, ' ') }),
      }),
    ],
    review: () => ({
      submit: 'Add to the log',
      back: {},
      warning: 'The notice becomes an entry in the log. It cannot be changed or removed.',
    }),
  });
