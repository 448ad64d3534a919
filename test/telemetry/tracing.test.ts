import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { withServer } from '../sources/http-server.ts';
import { FakeOddsApi } from '../sources/odds-api/fake.ts';
import { baseEnvironment } from '../support/base-environment.ts';
import { asLogin, loginOf, withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const root = resolve(import.meta.dirname, '..', '..');

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  scope: string;
  service: string;
  attributes: Record<string, unknown>;
}

describe('traces', () => {
  const stores = withDatabase();
  const redis = withRedis();
  const collector = withServer();
  const provider = withServer();
  const folder = withFolder();
  let child: ChildProcess | undefined;
  let spans: Span[];
  let bodies: string;

  beforeEach(() => {
    spans = [];
    bodies = '';
    collector.answer((req, res) => {
      let body = '';
      req.on('data', (chunk) => {
        body += chunk;
      });
      req.on('end', () => {
        bodies += body;
        if (req.url === '/v1/traces') spans.push(...spansOf(JSON.parse(body)));
        res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
  });
  afterEach(() => child?.kill('SIGKILL'));

  /** Runs an entry point as the Procfile does. */
  function start(entry: string, environment: Record<string, string>, ...before: string[]) {
    const preload = resolve(root, 'src/telemetry/start.ts');
    const started = spawn(process.execPath, [...before, '--import', preload, entry], {
      cwd: root,
      env: {
        ...baseEnvironment,
        DATABASE_URL: asLogin(stores.url, loginOf(entry)),
        REDIS_URL: redis.url,
        PORT: '0',
        HOST: '127.0.0.1',
        OPERATOR_TOKEN: 'a token for tests only',
        SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
        LEDGER_KEY: Buffer.alloc(32, 2).toString('base64'),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    const lines: Record<string, unknown>[] = [];
    createInterface({ input: started.stdout }).on('line', (line) => {
      if (line.startsWith('{')) lines.push(JSON.parse(line));
    });
    const end = async () => {
      const exited = once(started, 'close');
      started.kill('SIGTERM');
      return (await exited)[0] as number | null;
    };
    return { lines, end };
  }

  async function listening(lines: Record<string, unknown>[]): Promise<string> {
    await until(() => lines.some(({ msg }) => msg === 'listening'));
    const { address } = lines.find(({ msg }) => msg === 'listening') as { address: AddressInfo };
    return `http://127.0.0.1:${address.port}`;
  }

  it("contain a request's route, queries, and Redis commands", async () => {
    const { lines, end } = start('src/server.ts', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const address = await listening(lines);
    await until(async () => (await fetch(`${address}/readyz`)).status === 200);
    expect((await fetch(`${address}/api/cappers?tier=elite`)).status).to.equal(200);
    await fetch(`${address}/api/webhooks?email=someone@example.org`);
    expect(await end()).to.equal(0);

    const request = spans.find(({ name }) => name === 'GET /api/cappers')!;
    expect(request, spans.map(({ name }) => name).join()).to.not.equal(undefined);
    expect(request).to.include({ service: 'public-picks-web' });
    const ofIt = spans.filter(({ traceId }) => traceId === request.traceId);
    const scopes = new Set(ofIt.map(({ scope }) => scope.replace('@opentelemetry/instrumentation-', '')));
    expect([...scopes]).to.include.members(['http', 'koa', 'pg', 'ioredis']);
    const byId = new Map(ofIt.map((span) => [span.spanId, span]));
    for (const { parentSpanId, name } of ofIt)
      if (parentSpanId) expect(byId.has(parentSpanId), `the parent of ${name}`).to.equal(true);
    expect(spans.some(({ attributes }) => attributes['http.target'] === '/readyz')).to.equal(false);
    expect(bodies).to.not.contain('someone');
    expect(collector.asked.every((path) => path === '/v1/traces')).to.equal(true);
  });

  it("contain a job's calls to the stores and to a provider, without its key", async () => {
    const fake = new FakeOddsApi();
    provider.answer((req, res) => fake.answer(req, res));
    const { end } = start('workers/ingest.ts', {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      ODDS_API_KEY: fake.key,
      ODDS_API_URL: provider.url,
    });
    await until(() => provider.asked.some((path) => path.includes('/events')));
    expect(await end()).to.equal(0);
    const job = spans.find(({ name }) => name === 'job ask-odds-api')!;
    expect(job).to.include({ service: 'public-picks-ingest' });
    const ofIt = spans.filter(({ traceId }) => traceId === job.traceId);
    const scopes = new Set(ofIt.map(({ scope }) => scope.replace('@opentelemetry/instrumentation-', '')));
    expect([...scopes]).to.include.members(['pg', 'undici']);
    expect(bodies).to.not.contain(fake.key);
    expect(bodies).to.not.contain('/v4/sports');
  });

  it('are off by default: nothing of OpenTelemetry but its empty API is loaded', async () => {
    const watch = folder.write('watch.mjs', [
      `import { registerHooks } from 'node:module';
      registerHooks({ resolve(specifier, context, next) {
        const found = next(specifier, context);
        if (found.url.includes('/@opentelemetry/') && !found.url.includes('/@opentelemetry/api/'))
          console.log(JSON.stringify({ msg: 'loaded', url: found.url }));
        return found;
      } });`,
    ]);
    for (const [endpoint, expected] of [
      ['', false],
      [collector.url, true],
    ] as const) {
      const { lines, end } = start(
        'src/server.ts',
        { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
        '--import',
        watch,
      );
      await listening(lines);
      expect(await end()).to.equal(0);
      expect(lines.some(({ msg }) => msg === 'loaded')).to.equal(expected);
    }
  });

  it('do not delay a process whose collector is down', async () => {
    const { lines, end } = start('src/server.ts', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    const address = await listening(lines);
    expect((await fetch(`${address}/api/version`)).status).to.equal(200);
    expect(await end()).to.equal(0);
  });
});

/** The spans of an OTLP/JSON request. */
// biome-ignore lint/suspicious/noExplicitAny: the collector's wire format
function spansOf(body: any): Span[] {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const plain = ({ value }: any) => Object.values(value)[0];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const attributesOf = (list: any[] = []) => Object.fromEntries(list.map((each) => [each.key, plain(each)]));
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return body.resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: as above
    scopeSpans.flatMap(({ scope, spans }: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: as above
      spans.map((span: any) => ({
        ...span,
        scope: scope.name,
        service: attributesOf(resource.attributes)['service.name'],
        attributes: attributesOf(span.attributes),
      })),
    ),
  );
}
