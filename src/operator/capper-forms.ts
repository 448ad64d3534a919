import { type Capper, cappersNamed } from '../cappers/cappers.ts';
import { keysOfCapper } from '../cappers/keys.ts';
import { checkNotice } from '../intake/notice.ts';
import { html } from '../pages/html.ts';
import { labelOf } from '../pages/labels.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { section } from '../pages/parts/section.ts';
import { fullText } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import { faultsText } from '../platform/schema.ts';
import { fingerprint } from '../proof/capper-key.ts';
import type { Typed } from '../rules/typed-numbers.ts';
import { tiers } from '../rules/vocabulary.ts';
import {
  choice,
  defined,
  detailsOf,
  type Field,
  flagTyped,
  oneOf,
  type Problems,
  readField,
  without,
  yesOrNo,
} from './fields.ts';
import { capperOptions, capperText, fieldsStep, reviewStep, type Step, type StepContext } from './steps.ts';

export async function capperStep(context: StepContext): Promise<Step> {
  const { database, path, values } = context;
  const title = 'Add or change a capper';
  const problems: Problems = new Map();
  const handle: Field = {
    ...{ name: 'handle', label: 'Handle', maxLength: 32 },
    hint: 'For a new capper: 2 to 32 letters, digits, hyphens, or underscores. It cannot be changed later.',
  };
  const name = values.handle === undefined ? undefined : readField(problems, values, handle, handleTyped);
  if (name === undefined)
    return fieldsStep(context, {
      ...{ title, heading: 'Who', problems, submit: 'Continue' },
      fields: [{ ...handle, suggestions: await capperOptions(database) }],
    });
  const known = (await cappersNamed(database, name)).cappers.find((capper) => capper.handle === name);
  const tier: Field = {
    ...{ name: 'tier', label: 'Tier', value: known?.tier },
    hint: 'Your opinion of the capper. Posted picks keep their tier.',
    options: tiers.map((value) => ({ value, label: labelOf('tier', value) })),
  };
  const verified: Field = {
    ...{ name: 'verified', label: 'Verified', options: yesOrNo },
    hint: 'Only verified cappers can post.',
    ...(known === undefined ? {} : { value: known.verified ? 'yes' : 'no' }),
  };
  const displayName: Field = {
    ...{ name: 'displayName', label: 'Display name', optional: true, maxLength: 100 },
    value: known?.displayName ?? undefined,
  };
  if (values.review !== undefined) {
    const row = defined({
      handle: name,
      tier: readField(problems, values, tier, oneOf(tiers)),
      verified: readField(problems, values, verified, flagTyped),
      displayName: values.displayName,
    });
    if (problems.size === 0)
      return reviewStep(path, {
        ...{
          title,
          row,
          submit: known === undefined ? 'Add this capper' : 'Save',
          back: without(values, 'review'),
        },
        warning:
          known === undefined
            ? 'The handle cannot be changed later. Posted picks keep their tier.'
            : `Now: ${capperText(known)}, ${known.verified ? 'verified' : 'not verified'}. Posted picks keep their tier. A changed tier or verification adds a permanent notice to the log.`,
        details: [['Handle', name], ...detailsOf([tier, verified, displayName], values)],
      });
  }
  return fieldsStep(context, {
    ...{ title, problems, heading: known === undefined ? `New: ${name}` : capperText(known) },
    fields: [tier, verified, displayName],
    kept: { handle: name, review: 'yes' },
  });
}

function handleTyped(text: string): Typed<string> {
  return /^[a-z0-9][a-z0-9_-]{1,31}$/i.test(text)
    ? { value: text.toLowerCase() }
    : { fault: 'A handle has 2 to 32 letters, digits, hyphens, or underscores.' };
}

export async function inviteStep({ path }: StepContext, capper: Capper, title: string): Promise<Step> {
  return reviewStep(path, {
    ...{
      title,
      row: { capperHandle: capper.handle },
      submit: 'Create link',
      back: { capper: capper.handle },
    },
    warning: 'Anyone with the link can register a key as this capper. Send it only to them.',
    details: [
      ['Capper', capperText(capper)],
      ['Valid', 'once, for seven days'],
    ],
  });
}

export async function revokeStep(context: StepContext, capper: Capper, title: string): Promise<Step> {
  const { database, path, values } = context;
  const keys = (await keysOfCapper(database, capper.id)).filter(({ revokedAt }) => revokedAt === null);
  const chosen = keys.find(({ keyId }) => keyId === values.key);
  const additions = values.additions !== undefined;
  const kept = { capper: capper.handle };
  if (chosen !== undefined)
    return reviewStep(path, {
      ...{
        title,
        row: { capperHandle: capper.handle, key: chosen.keyId, additions },
        submit: additions ? 'Revoke these keys' : 'Revoke this key',
        back: kept,
      },
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
  return {
    ...{ title, lead: capperText(capper) },
    body: section({
      ...{ heading: 'Keys', id: 'keys', note: 'Check the fingerprint with the capper first.' },
      body: html`${keys.map(({ keyId, purpose, addedAt }) =>
        choice({
          title: fingerprint(keyId),
          note: `${purpose}, added ${fullText(iso(addedAt))}`,
          path: pathWith(path, { ...kept, key: keyId }),
        }),
      )}${keys
        .filter(({ keyId }) => keys.some(({ endorsedBy }) => endorsedBy === keyId))
        .map(({ keyId }) =>
          choice({
            title: `${fingerprint(keyId)}, with all keys that it added`,
            note: 'for a stolen device',
            path: pathWith(path, { ...kept, key: keyId, additions: '1' }),
          }),
        )}${keys.length === 0 && html`<p class="empty">This capper has no valid key.</p>`}`,
    }),
  };
}

export async function noticeStep({ path, values }: StepContext): Promise<Step> {
  const title = 'Add a notice';
  const problems: Problems = new Map();
  const field: Field = {
    ...{ name: 'text', label: 'Notice', kind: 'lines', maxLength: 1000 },
    hint: 'A sentence for visitors. At most 1,000 characters, without line breaks.',
  };
  const given =
    values.review === undefined ? undefined : readField(problems, values, field, (text) => ({ value: text }));
  const text = given?.replace(/\s*[\r\n]+\s*/g, ' ');
  if (text !== undefined) {
    const checked = checkNotice({ text });
    if (checked.ok)
      return reviewStep(path, {
        ...{ title, row: checked.value, submit: 'Add to the log', back: {} },
        warning: 'The notice becomes an entry in the log. It cannot be changed or removed.',
        details: [['Notice', html`<bdi>${text}</bdi>`]],
      });
    problems.set('text', { fault: `${faultsText(checked.faults)}.` });
  }
  return fieldsStep(
    { path, values },
    // Posted, because a query has no room for 1,000 characters of any script.
    { ...{ title, heading: 'Notice', problems, fields: [field], kept: { review: 'yes' } }, method: 'post' },
  );
}
