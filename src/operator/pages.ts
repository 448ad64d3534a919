import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { betGame } from '../games/bet-games.ts';
import { findTwins } from '../games/twins.ts';
import { problem } from '../http/answer.ts';
import { packageVersion } from '../http/api/version.ts';
import { assetRoutes, viewerRoute } from '../http/site/assets.ts';
import { answering, respond } from '../http/transport/answering.ts';
import { bodyReader } from '../http/transport/body.ts';
import { type ApiDocument, reference, viewerHead } from '../pages/docs/page.ts';
import { viewerFolder, viewerPolicy } from '../pages/docs/viewer.ts';
import { type Html, html } from '../pages/html.ts';
import { all } from '../pages/page.ts';
import type { Values } from '../pages/parts/fields.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { pageHead } from '../pages/parts/section.ts';
import { fullText } from '../pages/times.ts';
import type { Availability } from '../platform/availability.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { vocabulary } from '../proof/verdicts.ts';
import { readUnpriced, readWaiting } from '../sources/waiting.ts';
import { openIncidents } from '../status/state.ts';
import { latestActions, requesterOf } from './actions.ts';
import { operatorDocument } from './api.ts';
import { type ChangeDeps, isRefusal } from './changes.ts';
import { gameId } from './choosing.ts';
import { rowStep, stepBody } from './form.ts';
import { type Form, forms, quickFields } from './forms.ts';
import { homeLink, operatorFrame, sentence, showPage, viewerOf } from './frame.ts';
import type { PostRows, RowAnswer } from './intake.ts';
import { donePage, homePage, type Sent } from './page.ts';
import { sourcesBody } from './sources.ts';

const assets = [...assetRoutes(), viewerRoute()];
const pathOf = (name: string) => `/forms/${name}`;
const pagePaths = new Set([
  '/',
  '/docs',
  '/openapi.json',
  '/sources',
  ...Object.keys(forms).map(pathOf),
  ...assets.map(({ path }) => path),
]);

/** Reports whether a path is opened in a browser: the home page, the steps of forms, sources, the reference, styles, and scripts. */
export const isPage = (path: string): boolean => pagePaths.has(path) || path.startsWith(viewerFolder);

const readForm = bodyReader('form', '16kb');

export interface PagesDeps extends ChangeDeps {
  availability: Pick<Availability, 'once'>;
  postRows: PostRows;
}

/** Adds the home page at `/`, the reference, the sources, and the forms. A GET shows a step, a POST from a review makes a change. */
export function addPages(router: Router, deps: PagesDeps): void {
  for (const route of assets) router.get(route.path, answering(route));
  router.get('/', (ctx) => showHome(ctx, deps));
  const documentAt = (ctx: Context) => operatorDocument(packageVersion, `${ctx.protocol}://${ctx.host}`);
  router.get('/openapi.json', async (ctx) => void (await respond(ctx, { body: documentAt(ctx) })));
  router.get('/docs', (ctx) =>
    showPage(ctx, referencePage(ctx, documentAt(ctx) as ApiDocument, deps), 200, viewerPolicy),
  );
  router.get('/sources', async (ctx) => {
    const body = await deps.availability.once(() => sourcesBody(deps.database, deps.clock.now()));
    await showPage(ctx, operatorFrame(viewerOf(ctx, deps.config), 'Sources', body));
  });
  const once = sendOnce();
  for (const [name, form] of Object.entries(forms)) {
    const path = pathOf(name);
    router.get(path, (ctx) => showStep(ctx, deps, form, path, valuesOf(ctx.query)));
    router.post(path, async (ctx) => {
      if (!ctx.is('application/x-www-form-urlencoded')) throw problem(415, 'Submit the form on this page.');
      const values = valuesOf((await readForm(ctx)) as Record<string, unknown>);
      const { row: written } = values;
      if (written === undefined) return showStep(ctx, deps, form, path, values);
      const row = rowOf(written);
      // The ledger itself deduplicates picks.
      const key = name === 'picks' || values.key === undefined ? undefined : `${name}/${values.key}`;
      const sent = await once(ctx, key, () => send(ctx, form, path, values, row, deps));
      const body = donePage(viewerOf(ctx, deps.config), form.title, sent);
      return showPage(ctx, body, sent.refused ? 422 : 200);
    });
  }
}

function referencePage(ctx: Context, document: ApiDocument, { config }: PagesDeps): string {
  const lead =
    'The API of this port, which must never be public. Choose Authorize and enter your token, then try an operation.';
  const head = pageHead({ eyebrow: 'API reference', title: "The operator's port", lead });
  const body = html`${head}${reference(document)}`;
  return operatorFrame(viewerOf(ctx, config), 'API reference', body, viewerHead());
}

/** Maximum number of reviews whose outcome is cached, and for how long, in milliseconds. */
const recalled = { max: 1000, ttl: 3_600_000 };

/** Deduplicates submitted reviews: the second submission gets the outcome of the first. A refused review may be submitted again. */
function sendOnce(): (ctx: Context, key: string | undefined, work: () => Promise<Sent>) => Promise<Sent> {
  const before = new LRUCache<string, Promise<Sent>>(recalled);
  return (ctx, key, work) => {
    if (key === undefined) return work();
    const name = `${requesterOf(ctx).operator}/${key}`;
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

/** Maximum number of waiting games on the page. */
const maxWaiting = 200;

async function showHome(ctx: Context, deps: PagesDeps): Promise<void> {
  const { database, availability, clock } = deps;
  const { waiting, ...shown } = await availability.once(() =>
    all({
      waiting: readWaiting(database, clock.now(), { limit: maxWaiting + 1 }),
      twins: findTwins(database, clock.now()),
      unpriced: readUnpriced(database, clock.now()),
      refusedActions: latestActions(database, 20, true),
      latest: latestActions(database, 30),
      quick: quickFields(database),
      incidents: openIncidents(database),
    }),
  );
  const body = homePage({
    ...viewerOf(ctx, deps.config),
    ...shown,
    waiting: waiting.slice(0, maxWaiting),
    moreWait: waiting.length > maxWaiting,
  });
  await showPage(ctx, body);
}

async function showStep(
  ctx: Context,
  deps: PagesDeps,
  form: Form,
  path: string,
  values: Values,
): Promise<void> {
  const { database, availability, clock } = deps;
  const { title } = form;
  const step = await availability.once(async () => {
    const context = { database, now: clock.now(), path, values };
    const next = await form.form(context);
    return 'kind' in next ? rowStep(context, next) : next;
  });
  await showPage(
    ctx,
    operatorFrame(viewerOf(ctx, deps.config), title, stepBody(title, step)),
    step.refused === true ? 422 : 200,
  );
}

async function send(
  ctx: Context,
  { stores }: Form,
  path: string,
  values: Values,
  row: unknown,
  deps: PagesDeps,
): Promise<Sent> {
  const by = requesterOf(ctx);
  const edit = { label: 'Edit', path: `${path}?${new URLSearchParams(values.back ?? '')}` };
  const refused = (message: string): Sent => ({
    refused: true,
    message: sentence(message),
    links: [edit, homeLink],
  });
  const again =
    stores === 'picks'
      ? {
          label: 'Another pick',
          path: pathWith(path, { capperHandle: (row as { capperHandle?: string } | null)?.capperHandle }),
        }
      : { label: 'Another one', path };
  const done = (message: Html | string): Sent => ({ refused: false, message, links: [again, homeLink] });
  if (typeof stores === 'function')
    return deps.availability
      .once(() => stores(by, row, deps))
      .then(done, (error: unknown) => {
        if (!isRefusal(error)) throw error;
        return refused(error.message);
      });
  const moved =
    stores === 'picks' ? await deps.availability.once(() => startMoved(values, deps.database)) : undefined;
  if (moved !== undefined) return refused(moved);
  const answer = (await deps.postRows(by, stores, [row], values.key?.slice(0, 60)))[0]!;
  if ('reason' in answer && answer.reason !== undefined) return refused(answer.reason);
  return done(doneText(answer, deps.config.site.baseUrl));
}

/** Returns a sentence if the start of a pick's game has changed since the review. */
async function startMoved({ game, begins }: Values, database: Database): Promise<string | undefined> {
  const id = gameId({ game });
  if (id === undefined || begins === undefined) return undefined;
  const known = await betGame(database, id);
  if (known === undefined || String(known.begins) === begins) return undefined;
  return `The start of the game has moved to ${fullText(iso(known.begins))}. Review the pick again.`;
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
