import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { KeyRefusal } from '../cappers/key-changes.ts';
import { betGame, type StoredBetGame } from '../games/bet-games.ts';
import { findTwins } from '../games/twins.ts';
import { pageType, problem } from '../http/answer.ts';
import { assetRoutes } from '../http/site/assets.ts';
import { answering, respond } from '../http/transport/answering.ts';
import { bodyReader } from '../http/transport/body.ts';
import type { KindName } from '../intake/kinds.ts';
import { type Html, html } from '../pages/html.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { fullText } from '../pages/times.ts';
import type { Availability } from '../platform/availability.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { vocabulary } from '../proof/verdicts.ts';
import { readUnpriced, readWaiting } from '../sources/waiting.ts';
import { type Actions, latestActions, requesterOf } from './actions.ts';
import { pagePolicy } from './browser-guard.ts';
import type { Values } from './fields.ts';
import { type Form, forms } from './forms.ts';
import { homeLink, operatorFrame, sentence, type Viewer } from './frame.ts';
import type { PostRows, RowAnswer } from './intake.ts';
import { joinByOperator } from './joins.ts';
import { type CapperKeys, keyRow } from './keys.ts';
import { donePage, homePage } from './page.ts';
import { quickFields } from './pick-steps.ts';
import type { PostingDeps } from './posting.ts';
import { stepBody } from './steps.ts';

const assets = assetRoutes();
const pathOf = ({ kind }: Form) => `/forms/${kind}`;
const pagePaths = new Set(['/', ...forms.map(pathOf), ...assets.map(({ path }) => path)]);

/** Reports whether a path is opened in a browser: the home page, the steps of forms, and styles. */
export const isPage = (path: string): boolean => pagePaths.has(path);

const readForm = bodyReader('form', '16kb');

export interface PagesDeps extends PostingDeps {
  availability: Pick<Availability, 'once'>;
  actions: Actions;
  postRows: PostRows;
  keys: CapperKeys;
}

/** Adds the home page at `/` and the forms. A GET shows a step, a POST from a review makes a change. */
export function addPages(router: Router, deps: PagesDeps): void {
  for (const route of assets) router.get(route.path, answering(route));
  router.get('/', (ctx) => showHome(ctx, deps));
  const once = sendOnce();
  for (const form of forms) {
    router.get(pathOf(form), (ctx) => showStep(ctx, deps, form, valuesOf(ctx.query)));
    router.post(pathOf(form), async (ctx) => {
      if (!ctx.is('application/x-www-form-urlencoded')) throw problem(415, 'Submit the form on this page.');
      const values = valuesOf((await readForm(ctx)) as Record<string, unknown>);
      const { row } = values;
      return row === undefined
        ? showStep(ctx, deps, form, values)
        : showDone(
            ctx,
            deps,
            form,
            await once(ctx, form, values, () => send(ctx, form, values, rowOf(row), deps)),
          );
    });
  }
}

/** Maximum number of reviews whose outcome is cached, and for how long, in milliseconds. */
const recalled = { max: 1000, ttl: 3_600_000 };

/**
 * Deduplicates submitted reviews: the second submission gets the outcome of the first. A refused review may be submitted again. The ledger
 * itself deduplicates picks.
 */
function sendOnce(): (ctx: Context, form: Form, values: Values, work: () => Promise<Sent>) => Promise<Sent> {
  const before = new LRUCache<string, Promise<Sent>>(recalled);
  return (ctx, { kind }, { key }, work) => {
    if (key === undefined || kind === 'picks') return work();
    const name = `${requesterOf(ctx).operator}/${kind}/${key}`;
    const known = before.get(name);
    if (known !== undefined) return known;
    const sent = work();
    before.set(name, sent);
    sent.then(
      ({ refused }) => refused && before.delete(name),
      () => before.delete(name),
    );
    return sent;
  };
}

/** Maximum length of a value. Longer ones are truncated, since no field allows as many characters. */
const maxValue = 4000;

/** Returns the first non-empty value of each field. */
function valuesOf(given: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const text = Array.isArray(value) ? value[0] : value;
      const trimmed = typeof text === 'string' ? text.trim().slice(0, maxValue) : '';
      return trimmed === '' ? [] : [[name, trimmed]];
    }),
  );
}

/**
 * Parses the row of a review.
 * @throws Problem if it is malformed
 */
function rowOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw problem(400, 'The row is not JSON. Submit the form on this page.');
  }
}

async function showPage(ctx: Context, body: string, status = 200): Promise<void> {
  await respond(ctx, {
    ...{ type: pageType, status, body },
    // Under `no-referrer` a browser would post the forms with `Origin: null`.
    headers: { 'Content-Security-Policy': pagePolicy, 'Referrer-Policy': 'same-origin' },
  });
}

function viewerOf(ctx: Context, { config }: PagesDeps): Viewer {
  return { operator: requesterOf(ctx).operator, baseUrl: config.site.baseUrl };
}

/** Maximum number of waiting games on the page. */
const maxWaiting = 200;

async function showHome(ctx: Context, deps: PagesDeps): Promise<void> {
  const { database, availability, clock } = deps;
  const [waiting, twins, unpriced, unsealed, refusedActions, latest, quick] = await availability.once(() =>
    Promise.all([
      readWaiting(database, clock.now(), { limit: maxWaiting + 1 }),
      findTwins(database, clock.now()),
      readUnpriced(database, clock.now()),
      countUnsealed(database),
      latestActions(database, 20, true),
      latestActions(database, 30),
      quickFields(database),
    ]),
  );
  const body = homePage({
    ...viewerOf(ctx, deps),
    waiting: waiting.slice(0, maxWaiting),
    moreWait: waiting.length > maxWaiting,
    ...{ twins, unpriced, unsealed, refusedActions, latest, quick },
  });
  await showPage(ctx, body);
}

/** Counts unsealed events, at most 1,000: any larger backlog looks the same. */
async function countUnsealed(database: Database): Promise<number> {
  const rows = await database('unsealed_events').limit(1000).select('id');
  return rows.length;
}

async function showStep(ctx: Context, deps: PagesDeps, form: Form, values: Values): Promise<void> {
  const { database, availability, clock } = deps;
  const step = await availability.once(() =>
    form.step({ database, now: clock.now(), path: pathOf(form), values }),
  );
  const body = operatorFrame(viewerOf(ctx, deps), step.title, stepBody(step));
  await showPage(ctx, body, step.refused === true ? 422 : 200);
}

/** The outcome of a change. */
interface Sent {
  refused: boolean;
  message: Html | string;
  links: readonly { label: string; path: string }[];
}

async function showDone(ctx: Context, deps: PagesDeps, form: Form, sent: Sent): Promise<void> {
  const body = donePage(viewerOf(ctx, deps), { title: form.title, ...sent });
  await showPage(ctx, body, sent.refused ? 422 : 200);
}

/** The kind of row that each form stores. */
const rowsOf: Partial<Record<Form['kind'], KindName>> = {
  ...{
    picks: 'picks',
    results: 'results',
    stats: 'stats',
    scores: 'games',
    games: 'games',
    cappers: 'cappers',
    notices: 'notices',
  },
};

async function send(ctx: Context, form: Form, values: Values, row: unknown, deps: PagesDeps): Promise<Sent> {
  const { kind } = form;
  const by = requesterOf(ctx);
  const change = { label: 'Edit', path: `${pathOf(form)}?${new URLSearchParams(values.back ?? '')}` };
  const again = { label: 'Another one', path: pathOf(form) };
  const refused = (message: string): Sent => ({
    refused: true,
    message: sentence(message),
    links: [change, homeLink],
  });
  if (kind === 'invites' || kind === 'revocations') {
    const done = await deps.availability.once(() => changeKeys(by, kind, row, deps.keys));
    return done.refused ? refused(done.message) : { ...done, links: [again, homeLink] };
  }
  if (kind === 'joins') {
    const done = await deps.availability.once(() => joinByOperator(by, row, deps, deps.actions));
    return done.refused ? refused(done.message) : { ...done, links: [again, homeLink] };
  }
  if (kind === 'picks') {
    const moved = await deps.availability.once(() => startMoved(values, deps.database));
    if (moved !== undefined) return refused(moved);
  }
  const answer = (await deps.postRows(by, rowsOf[kind]!, [row], values.key?.slice(0, 60)))[0]!;
  if ('reason' in answer && answer.reason !== undefined) return refused(answer.reason);
  const sameCapper = { label: 'Another pick', path: pathWith(pathOf(form), { capper: capperOf(row) }) };
  return {
    refused: false,
    message: doneText(answer as RowAnswer, deps.config.site.baseUrl),
    links: [kind === 'picks' ? sameCapper : again, homeLink],
  };
}

function capperOf(row: unknown): string | undefined {
  const { capperHandle } = (row ?? {}) as { capperHandle?: unknown };
  return typeof capperHandle === 'string' ? capperHandle : undefined;
}

/** Returns a sentence if the start of a pick's game has changed since the review. */
async function startMoved({ game, begins }: Values, database: Database): Promise<string | undefined> {
  if (game === undefined || begins === undefined || !/^[1-9]\d{0,14}$/.test(game)) return undefined;
  const known: StoredBetGame | undefined = await betGame(database, Number(game));
  if (known === undefined || String(known.begins) === begins) return undefined;
  return `The start of the game has moved to ${fullText(iso(known.begins))}. Review the pick again.`;
}

/** Performs a form about keys, and describes the outcome. */
async function changeKeys(
  by: ReturnType<typeof requesterOf>,
  kind: 'invites' | 'revocations',
  row: unknown,
  keys: CapperKeys,
): Promise<{ refused: boolean; message: string }> {
  try {
    const { capperHandle, key, additions } = keyRow(kind, row);
    if (kind === 'revocations') {
      const done = await keys.revoke(by, capperHandle, key, additions);
      const added = done.additions ?? [];
      const more = added.length === 0 ? '' : ` So are ${added.join(', ')}, which it had added.`;
      return { refused: false, message: `Key ${done.revoked} is revoked.${more}` };
    }
    const { link, expiresAt } = await keys.invite(by, capperHandle);
    return {
      refused: false,
      message: `Send this link to ${capperHandle}. It works once, until ${fullText(expiresAt)}: ${link}`,
    };
  } catch (error) {
    if (error instanceof KeyRefusal) return { refused: true, message: error.message };
    throw error;
  }
}

function doneText(
  { outcome, pickUuid, postedAt, note, priceCheck }: RowAnswer,
  baseUrl: string,
): Html | string {
  if (pickUuid === undefined) {
    const done =
      outcome === 'unchanged' ? 'No change. It already exists.' : outcome === 'added' ? 'Added.' : 'Changed.';
    return note === undefined ? done : `${done} ${sentence(note)}`;
  }
  const price = priceCheck && vocabulary.price.words[priceCheck.verdict];
  const what = outcome === 'added' ? 'The pick is posted' : 'The pick already exists';
  return html`${what}, on ${fullText(postedAt!)}: <a href="${baseUrl}/p/${pickUuid}">${pickUuid}</a>.${
    price !== undefined && ` Its price so far: ${price.word.toLowerCase()}. ${price.meaning}`
  }${note !== undefined && ` ${sentence(note)}`}`;
}
