import { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import { type Answer, problem } from '../http/answer.ts';
import { accessLog, requestIds } from '../http/transport/access-log.ts';
import { respond } from '../http/transport/answering.ts';
import { bodyReader, isJson } from '../http/transport/body.ts';
import { problems } from '../http/transport/errors.ts';
import { type KindName, kindNames } from '../intake/kinds.ts';
import type { Enqueue } from '../jobs/runtime/enqueue.ts';
import { allMetrics } from '../jobs/runtime/process-metrics.ts';
import { checkPicks, maxChecked } from '../ledger/grading/check-picks.ts';
import { intakeTime } from '../ledger/log-kind.ts';
import { type Availability, storingMs } from '../platform/availability.ts';
import type { Config } from '../platform/config/config.ts';
import type { Logger } from '../platform/logger.ts';
import { lazy } from '../platform/once.ts';
import type { RedisClient } from '../platform/redis.ts';
import { whenAsked } from '../sources/odds-api/credits.ts';
import { countsOf, createActions, type Outcome, requesterOf } from './actions.ts';
import { createAttempts, operatorOnly } from './auth.ts';
import { browserGuard } from './browser-guard.ts';
import { invitation, makeChange, revocation } from './changes.ts';
import { navigation } from './frame.ts';
import { addImports, isImportPage } from './imports/routes.ts';
import { createIntake, maxKey, maxRows, type PostRows, type RowAnswer } from './intake.ts';
import { createMetrics } from './metrics.ts';
import { addPages, isPage } from './pages.ts';
import type { PostingDeps } from './posting.ts';

export interface OperatorDeps extends PostingDeps {
  availability: Pick<Availability, 'once'>;
  config: PostingDeps['config'] & { operator: Pick<Config['operator'], 'tokens'> };
  /** A connection that fails fast. */
  redis: RedisClient;
  enqueue: Enqueue;
  log: Logger;
}

const boardPath = '/queues';
const isBoard = (path: string) => path === boardPath || path.startsWith(`${boardPath}/`);

const readBody = bodyReader('json', '8mb');

/** Creates the app of the operator's port: posting, pages, Bull Board at `/queues`, and Prometheus at `/metrics`. Does not listen. */
export function createOperator(deps: OperatorDeps): Koa {
  const { config, enqueue, log } = deps;
  const app = new Koa();
  app.on('error', (error: Error) => log.debug({ err: error.message }, 'connection'));
  app.use(accessLog(requestIds(0), log));
  app.use(problems(log, config.site.baseUrl));
  app.use(browserGuard(isBoard));
  app.use((ctx, next) => {
    if (ctx.path !== '/livez') return next();
    ctx.body = { status: 'ok' };
    return undefined;
  });
  const forBrowsers = (path: string) =>
    isBoard(path) || isPage(path) || isImportPage(path) || path === '/metrics';
  app.use(operatorOnly(config.operator.tokens, forBrowsers, createAttempts()));
  const board = queueBoard(enqueue, config.site.baseUrl);
  app.use((ctx, next) => (isBoard(ctx.path) ? board(ctx, next) : next()));
  app.use(createRouter(deps).routes());
  app.use((ctx) => {
    const { matched = [] } = ctx as { matched?: { methods: string[] }[] };
    const allow = matched.flatMap(({ methods }) => methods).join(', ');
    if (allow === '') throw problem(404, `There is nothing at ${ctx.path}.`);
    throw problem(405, `${ctx.path} accepts only ${allow}.`, { headers: { Allow: allow } });
  });
  return app;
}

export function createRouter(deps: Omit<OperatorDeps, 'log'>): Router {
  const { database, availability, clock, redis, enqueue } = deps;
  const actions = createActions(database, clock);
  const router = new Router();
  const metrics = createMetrics(database, clock, enqueue);
  router.get('/metrics', async (ctx) => {
    await respond(ctx, { type: metrics.contentType, body: await allMetrics(metrics, redis) });
  });
  const store = createIntake(deps, actions);
  const postRows: PostRows = (by, kind, rows, key) =>
    availability.once(() => store(by, kind, rows, key), storingMs(rows.length));
  for (const kind of kindNames)
    router.post(`/${kind}`, async (ctx) => void (await respond(ctx, await post(ctx, kind, postRows))));
  router.post('/picks/check', async (ctx) => {
    const body = await readRow(ctx);
    const rows = Array.isArray(body) ? body : [body];
    if (rows.length > maxChecked)
      throw problem(413, `More than ${maxChecked} picks to check in one request.`);
    const answers = await availability.once(async () =>
      checkPicks(database, rows, await intakeTime(database, clock), whenAsked),
    );
    await respond(ctx, { body: { rows: answers } });
  });
  const changes = { ...deps, actions };
  const onKeys = (status: number, work: (ctx: Context) => Promise<object>) => async (ctx: Context) =>
    respond(ctx, { status, body: await availability.once(() => work(ctx)) });
  router.post(
    '/cappers/:handle/invites',
    onKeys(201, (ctx) =>
      makeChange(invitation, requesterOf(ctx), { capperHandle: ctx.params.handle }, changes),
    ),
  );
  router.post(
    '/cappers/:handle/keys/:id/revoke',
    onKeys(200, (ctx) => {
      const { handle: capperHandle, id: key } = ctx.params;
      const additions = ctx.query.additions !== undefined;
      return makeChange(revocation, requesterOf(ctx), { capperHandle, key, additions }, changes);
    }),
  );
  addPages(router, { ...changes, postRows });
  addImports(router, changes);
  return router;
}

/** Loads Bull Board at its first request, because that takes longer than loading the rest of this process. */
function queueBoard(enqueue: Enqueue, baseUrl: string): Koa.Middleware {
  const loaded = lazy(async () =>
    (await import('./queue-board.ts')).queueBoard(boardPath, enqueue, navigation(baseUrl)),
  );
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
      throw problem(405, 'Bull Board is read-only: workers retry automatically.', {
        headers: { Allow: 'GET, HEAD' },
      });
    return (await loaded())(ctx, next);
  };
}

async function post(ctx: Context, kind: KindName, postRows: PostRows): Promise<Answer> {
  const body = await readRow(ctx);
  const rows = Array.isArray(body) ? body : [body];
  if (rows.length > maxRows) throw problem(413, `More than ${maxRows} rows in one request.`);
  const key = ctx.get('Idempotency-Key').trim();
  if (key.length > maxKey) throw problem(400, `An Idempotency-Key has at most ${maxKey} characters.`);
  return answerOf(body, await postRows(requesterOf(ctx), kind, rows, key === '' ? undefined : key));
}

async function readRow(ctx: Context): Promise<unknown> {
  if (!isJson(ctx)) throw problem(415, 'Send JSON, with Content-Type: application/json.');
  return readBody(ctx);
}

/** @throws Problem if the body is a single row and it was refused */
function answerOf(body: unknown, answers: readonly (Outcome & Pick<RowAnswer, 'repeats'>)[]): Answer {
  const [only] = answers;
  if (!Array.isArray(body) && only?.outcome === 'refused')
    throw problem(only.repeats === undefined ? 422 : 409, only.reason ?? '');
  return { body: { rows: answers, counts: countsOf(answers) } };
}
