import { Redis } from 'ioredis';
import type { TSchema } from 'typebox';
import { createAnswers } from '../../src/answers/answers.ts';
import { apiRoutes } from '../../src/api.ts';
import { openApi } from '../../src/http/api/openapi.ts';
import type { Route } from '../../src/http/routes.ts';
import { createAvailability } from '../../src/platform/availability.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { createHub } from '../../src/stream/hub.ts';
import { testConfig } from './config.ts';
import { fixedClock } from './fixed-clock.ts';
import { quiet } from './quiet.ts';

const unreachable = () => Promise.reject(new Error('stores are unavailable here'));

/** Returns the routes of the public port for their declarations. No store is ever connected, so none of them can answer. */
export function declaredRoutes(): Route[] {
  const database = openDatabase('postgres://nobody@127.0.0.1/nothing', { name: 'declarations' });
  const redis = new Redis({ lazyConnect: true });
  const clock = fixedClock('2026-01-15T12:00:00Z');
  const availability = createAvailability(unreachable, quiet);
  const config = testConfig();
  const { baseUrl, helpLine } = config.site;
  const cache = createAnswers({
    redis,
    database,
    clock,
    baseUrl,
    helpLine: helpLine.name,
    log: quiet,
    availability,
  });
  return apiRoutes({
    config,
    site: config.site,
    logKind: () => 'live',
    database,
    redis,
    availability,
    answers: cache,
    clock,
    log: quiet,
    hub: createHub({ end: unreachable, events: unreachable }),
    isShuttingDown: () => false,
    targets: { resolve: unreachable, client: { post: unreachable } },
  });
}

/** Returns the OpenAPI document of {@link declaredRoutes}. */
export function declaredDocument<D>(): D {
  return openApi(declaredRoutes(), testConfig().site.baseUrl, '1.2.3') as D;
}

/** Returns a self-contained schema of a document that allows only the fields it names. */
export function strictSchema(schema: object, { components }: { components: { schemas: object } }): TSchema {
  const standing = { ...schema, $defs: components.schemas };
  return JSON.parse(JSON.stringify(standing).replaceAll('#/components/schemas/', '#/$defs/'), (_, value) =>
    value?.type === 'object' ? { additionalProperties: false, ...value } : value,
  );
}
