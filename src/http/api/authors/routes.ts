import { Counter, type Registry } from 'prom-client';
import type { TObject, TSchema } from 'typebox';
import { handle } from '../../../boards/params.ts';
import { kinds } from '../../../intake/kinds.ts';
import { maxChecked } from '../../../ledger/grading/check-picks.ts';
import { Type } from '../../../platform/type.ts';
import { described, type Route, refusing } from '../../routes.ts';
import { problemOf } from '../../transport/errors.ts';
import {
  addKeysBody,
  checkedPicksSchema,
  keyId,
  keysSchema,
  openGamesSchema,
  picksToCheck,
  postedSchema,
  postPickBody,
  profileBody,
  profileSchema,
  readBetBody,
  readBetSchema,
  revokeKeyBody,
} from './schemas.ts';
import type { AuthorService } from './service.ts';

const refuses = refusing({
  400: 'The body is malformed.',
  401: 'The signature does not hold, its key is not a valid one of the capper, or a clock is off.',
  403: 'The invitation or a signature does not hold.',
  404: 'No such capper or key.',
  409: 'The nonce or the key was used before, or the pick repeats a pending one.',
  413: 'The body is larger than 8 KB.',
  415: 'The body is not JSON.',
  422: 'The pick or the key is refused.',
  429: 'Too many requests. Try again after Retry-After.',
  503: 'The ledger is unavailable. Try again after Retry-After.',
});

const reasons: Readonly<Record<number, string>> = {
  400: 'malformed',
  401: 'signature',
  403: 'forbidden',
  404: 'unknown',
  409: 'conflict',
  413: 'oversized',
  415: 'type',
  422: 'refused',
  429: 'rate',
};

/** Routes for cappers with their own keys. Answers must not be cached. @param metrics counts refusals */
export function authorRoutes(service: AuthorService, metrics?: Registry): Route[] {
  const refused =
    metrics &&
    new Counter({
      name: 'public_picks_author_refusals_total',
      help: 'Refused requests of cappers with their own keys, by request and reason.',
      labelNames: ['request', 'reason'],
      registers: [metrics],
    });
  /** Declares a GET. */
  const shown = (route: Omit<Parameters<typeof described>[0], 'section'>) =>
    described({ ...route, section: 'authors' });
  /** Declares a POST whose refusals are counted. */
  const posting = <B extends TSchema>(
    request: string,
    { handle, ...route }: Omit<Parameters<typeof described<TObject, B>>[0], 'method' | 'section'>,
  ) =>
    described<TObject, B>({
      method: 'POST',
      bodyLimit: '8kb',
      ...route,
      section: 'authors',
      async handle(given) {
        try {
          return await handle(given);
        } catch (error) {
          const reason = reasons[problemOf(error).status];
          if (reason !== undefined) refused?.inc({ request, reason });
          throw error;
        }
      },
    });
  return [
    shown({
      path: '/api/cappers/:handle/keys',
      id: 'getCapperKeys',
      about: "A capper's own keys, revoked ones included.",
      params: Type.Object({ handle }),
      answer: { schema: keysSchema, untagged: true },
      refusals: refuses(404, 503),
      examples: [{ handle: '{handle}' }],
      handle: async ({ params }) => ({ body: await service.keys(String(params.handle)) }),
    }),
    posting('keys', {
      path: '/api/cappers/:handle/keys',
      body: addKeysBody,
      id: 'addCapperKeys',
      about: 'Adds keys to a capper, by an invitation or endorsed by an earlier key.',
      params: Type.Object({ handle }),
      answer: { status: 201, schema: keysSchema },
      refusals: refuses(400, 403, 404, 409, 413, 415, 422, 429, 503),
      handle: async ({ params, body, ip }) => ({
        status: 201,
        body: await service.addKeys(String(params.handle), await body(), ip),
      }),
    }),
    posting('revoke', {
      path: '/api/cappers/:handle/keys/:id/revoke',
      body: revokeKeyBody,
      id: 'revokeCapperKey',
      about:
        'Revokes a key of a capper, and the keys that it added if they are named. Another key of the capper, or the key itself, signs for it.',
      params: Type.Object({ handle, id: keyId }),
      answer: { schema: keysSchema },
      refusals: refuses(400, 403, 404, 409, 413, 415, 422, 429, 503),
      handle: async ({ params, body, ip }) => ({
        body: await service.revokeKey(String(params.handle), String(params.id), await body(), ip),
      }),
    }),
    shown({
      path: '/api/cappers/:handle/profile',
      id: 'getCapperProfile',
      about: 'What a capper says about themselves, with their signature.',
      params: Type.Object({ handle }),
      answer: { schema: profileSchema, untagged: true },
      refusals: refuses(404, 503),
      examples: [{ handle: '{handle}' }],
      handle: async ({ params }) => ({ body: await service.profile(String(params.handle)) }),
    }),
    posting('profile', {
      path: '/api/cappers/:handle/profile',
      body: profileBody,
      id: 'setCapperProfile',
      about: 'Sets what a capper says about themselves, signed with a key of theirs.',
      params: Type.Object({ handle }),
      answer: { schema: profileSchema },
      refusals: refuses(400, 403, 404, 409, 413, 415, 422, 429, 503),
      handle: async ({ params, body, ip }) => ({
        body: await service.saveProfile(String(params.handle), await body(), ip),
      }),
    }),
    shown({
      path: '/api/bets',
      id: 'listOpenBets',
      about: 'The games of the next 36 hours that take picks, with the newest stored prices.',
      answer: { schema: openGamesSchema, untagged: true },
      refusals: refuses(503),
      examples: [{}],
      handle: async () => ({ body: await service.openGames() }),
    }),
    posting('text', {
      path: '/api/bets/read',
      body: readBetBody,
      id: 'readBet',
      about: 'Reads a bet from one line of text. Stores nothing.',
      answer: { schema: readBetSchema },
      refusals: refuses(400, 413, 415, 429, 503),
      handle: async ({ body, ip }) => ({ body: await service.readBet((await body()).text, ip) }),
    }),
    posting('check', {
      path: '/api/picks/check',
      body: picksToCheck,
      bodyLimit: '32kb',
      checksRows: true,
      id: 'checkPicks',
      about: `Answers what posting picks would: refusals, and at which odds they would count. Stores nothing. Send one pick, or a list of up to ${maxChecked}.`,
      bodyExample: kinds.picks.example,
      answer: { schema: checkedPicksSchema },
      refusals: {
        ...refuses(400, 415, 429, 503),
        413: `The body is larger than 32 KB, or has more than ${maxChecked} picks.`,
      },
      handle: async ({ body, ip }) => ({ body: await service.check(await body(), ip) }),
    }),
    posting('pick', {
      path: '/api/picks',
      body: postPickBody,
      id: 'postSignedPick',
      about: 'Posts a pick that its author signed. The same signed pick again is answered with 200.',
      answer: { status: 201, schema: postedSchema },
      refusals: refuses(400, 401, 409, 413, 415, 422, 429, 503),
      async handle({ body, ip }) {
        const posted = await service.post(await body(), ip);
        return { status: posted.outcome === 'added' ? 201 : 200, body: posted };
      },
    }),
  ];
}
