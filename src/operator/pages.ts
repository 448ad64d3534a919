import { randomUUID } from 'node:crypto';
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { KeyRefusal } from '../cappers/key-changes.ts';
import { pageType, problem } from '../http/answer.ts';
import { assetRoutes } from '../http/site/assets.ts';
import { answering, respond } from '../http/transport/answering.ts';
import { bodyReader } from '../http/transport/body.ts';
import type { Availability } from '../platform/availability.ts';
import type { Database } from '../platform/database.ts';
import { readWaiting } from '../sources/waiting.ts';
import { type Actions, byWhom, latestActions, type Outcome } from './actions.ts';
import { pagePolicy } from './browser-guard.ts';
import { type Form, forms, rowOf, type Sent } from './forms.ts';
import type { PostRows } from './intake.ts';
import { type CapperKeys, keyRow } from './keys.ts';
import { addNotice } from './notices.ts';
import { operatorPage } from './page.ts';
import type { PostingDeps } from './posting.ts';

const assets = assetRoutes();
const pagePaths = new Set([
  '/',
  ...forms.map(({ kind }) => `/forms/${kind}`),
  ...assets.map(({ path }) => path),
]);

/** Whether a path is opened in a browser: the operator's page, its forms and styles. */
export const isPage = (path: string): boolean => pagePaths.has(path);

const readForm = bodyReader('form', '16kb');

export interface PagesDeps extends PostingDeps {
  availability: Pick<Availability, 'once'>;
  actions: Actions;
  postRows: PostRows;
  keys: CapperKeys;
}

/** The operator's page at `/` and what its forms are posted to. It runs no script. */
export function addPages(router: Router, deps: PagesDeps): void {
  for (const route of assets) router.get(route.path, answering(route));
  router.get('/', (ctx) => show(ctx, deps));
  for (const form of forms)
    router.post(`/forms/${form.kind}`, async (ctx) => show(ctx, deps, await send(ctx, form, deps)));
}

/** Games with waiting picks that the page lists. */
const maxWaiting = 200;

async function show(ctx: Context, deps: PagesDeps, sent?: Sent): Promise<void> {
  const { database, availability, clock, config } = deps;
  const [waiting, unsealed, refusedActions, latest] = await availability.once(() =>
    Promise.all([
      readWaiting(database, clock.now(), { limit: maxWaiting + 1 }),
      countUnsealed(database),
      latestActions(database, 20, true),
      latestActions(database, 30),
    ]),
  );
  const body = operatorPage({
    operator: byWhom(ctx).operator,
    baseUrl: config.site.baseUrl,
    key: randomUUID(),
    sent,
    waiting: waiting.slice(0, maxWaiting),
    moreWait: waiting.length > maxWaiting,
    ...{ unsealed, refusedActions, latest },
  });
  const status = sent?.refused === true ? 422 : 200;
  await respond(ctx, {
    ...{ type: pageType, status, body },
    // Under `no-referrer` a browser would post the forms with `Origin: null`.
    headers: { 'Content-Security-Policy': pagePolicy, 'Referrer-Policy': 'same-origin' },
  });
}

/** Counts at most a thousand: more is a backlog, whatever the number. */
async function countUnsealed(database: Database): Promise<number> {
  const rows = await database('unsealed_events').limit(1000).select('id');
  return rows.length;
}

async function send(ctx: Context, form: Form, deps: PagesDeps): Promise<Sent> {
  if (!ctx.is('application/x-www-form-urlencoded')) throw problem(415, 'Send the form from this page.');
  const given = (await readForm(ctx)) as Record<string, unknown>;
  const row = rowOf(form, given);
  const { kind } = form;
  const key = typeof given.key === 'string' && given.key !== '' ? given.key.slice(0, 60) : undefined;
  const by = byWhom(ctx);
  if (kind === 'invites' || kind === 'revocations') {
    const { refused, message } = await deps.availability.once(() => changeKeys(by, kind, row, deps.keys));
    return { kind, given, refused, message };
  }
  const answer =
    kind === 'notices'
      ? await deps.availability.once(() => addNotice(by, row, deps))
      : ((await deps.postRows(by, kind, [row], key))[0] as Outcome);
  const refused = answer.reason !== undefined;
  return { kind, given, refused, message: answer.reason ?? doneText(answer) };
}

/** What came of a form about the keys of cappers, as a sentence. */
async function changeKeys(
  by: ReturnType<typeof byWhom>,
  kind: 'invites' | 'revocations',
  row: unknown,
  keys: CapperKeys,
): Promise<{ refused: boolean; message: string }> {
  try {
    const { capperHandle, key } = keyRow(kind, row);
    if (kind === 'revocations')
      return { refused: false, message: `Key ${await keys.revoke(by, capperHandle, key)} is revoked.` };
    const { link, expiresAt } = await keys.invite(by, capperHandle);
    return {
      refused: false,
      message: `Send ${capperHandle} this link, which works once until ${expiresAt}: ${link}`,
    };
  } catch (error) {
    if (error instanceof KeyRefusal) return { refused: true, message: error.message };
    throw error;
  }
}

function doneText({ outcome, pickUuid }: Outcome): string {
  if (pickUuid !== undefined)
    return `The pick ${outcome === 'added' ? 'is posted' : 'exists already'}: ${pickUuid}.`;
  if (outcome === 'unchanged') return 'No change: it exists already.';
  return outcome === 'added' ? 'Added.' : 'Changed.';
}
