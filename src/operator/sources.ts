import { counted } from '../pages/figures.ts';
import { type Html, html } from '../pages/html.ts';
import { pageHead, section } from '../pages/parts/section.ts';
import { fullWhen } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { leftOutText } from '../sources/answer.ts';
import { impactOf, impactsOfFailure } from '../sources/impact.ts';
import { sourceOf, sources } from '../sources/index.ts';
import { readRuns, type SourceRun } from '../sources/runs.ts';
import type { Source } from '../sources/source.ts';
import { entryList, sentence } from './frame.ts';

export const sourcePath = (name: string): string => `/sources/${name}`;

/** Paths of `/sources` and of the page of each source. */
export const sourcePaths: ReadonlyMap<string, Source | undefined> = new Map([
  ['/sources', undefined],
  ...sources.map((source) => [sourcePath(source.name), source] as const),
]);

/** Returns the data that readers miss because of a feed: all that it offers if it fails, otherwise what its last answer left out. */
function missingBy({ source, ok, leftOut }: SourceRun): string[] {
  const missing = ok ? Object.keys(leftOut).map(impactOf) : impactsOfFailure(source);
  return [...new Set(missing.filter((impact) => impact !== undefined))];
}

export async function sourcesBody(database: Database): Promise<Html> {
  const runs = [...(await readRuns(database, '')).values()];
  return html`${pageHead({ eyebrow: 'Operator', title: 'Sources' })}${section({
    heading: 'Every source',
    id: 'sources',
    body: entryList(
      'Sources',
      sources.map((source) => {
        const own = runs.filter((run) => sourceOf(run.source) === source);
        const failed = own.filter(({ ok }) => !ok).length;
        return {
          title: html`<a href="${sourcePath(source.name)}">${source.title}</a>`,
          lines: [
            own.length === 0
              ? html`Not polled. <code>${source.setting}</code> turns it on.`
              : `${counted(own.length, 'feed')}, ${failed === 0 ? 'all answer' : `${failed} ${failed === 1 ? 'fails' : 'fail'}`}.`,
          ],
        };
      }),
    ),
  })}`;
}

/** A kind of request to a feed, with what is wrong with its answer. */
interface AskedRequest {
  source: string;
  request: string;
  askedAt: EpochMs;
  refusal: string | null;
  finding: string | null;
}

/** Maximum number of requests listed. */
const most = 100;

/** Renders a source's page: the last answer of each feed, and the last requests. */
export async function sourceBody(database: Database, source: Source): Promise<Html> {
  const { name, title, setting } = source;
  const [all, requests] = await Promise.all([readRuns(database, name), requestsTo(database, name)]);
  const runs = [...all.values()].filter((run) => sourceOf(run.source) === source);
  const at = (instant: number | null) => (instant === null ? 'never' : fullWhen(iso(instant)));
  return html`${pageHead({
    eyebrow: html`<a href="/sources">Sources</a>`,
    title,
    lead: html`Offers ${Object.keys(source.offers).join(', ')}. Set by <code>${setting}</code>.`,
  })}${section({
    heading: 'Last answers',
    id: 'feeds',
    body: entryList(
      'Feeds',
      runs.map((run) => ({
        title: `${run.source}: ${run.ok ? 'answers' : `failed ${counted(run.failures, 'time')} in a row`}`,
        lines: [
          sentence(run.message),
          Object.keys(run.leftOut).length > 0 && `Left out: ${leftOutText(run.leftOut)}.`,
          missingBy(run).length > 0 && `Readers miss: ${missingBy(run).join(', ')}.`,
          run.quotaRemaining !== null && `${run.quotaRemaining} credits left.`,
          html`Polled: ${at(run.ranAt)}; succeeded: ${at(run.succeededAt)}; next: ${at(run.nextAt)}.`,
        ],
      })),
      'Not polled yet.',
    ),
  })}${
    requests.length > 0 &&
    section({
      heading: 'Last requests',
      id: 'requests',
      note: 'Those with a fault first.',
      body: entryList(
        'Requests',
        requests.map(({ source, request, askedAt, refusal, finding }) => ({
          title: `${source}: ${request}`,
          lines: [
            fullWhen(iso(askedAt)),
            refusal !== null && `Not answered: ${sentence(refusal)}`,
            finding !== null && `In the answer: ${sentence(finding)}`,
          ],
        })),
      ),
    })
  }`;
}

function requestsTo(database: Database, name: string): Promise<AskedRequest[]> {
  return database('source_requests')
    .whereRaw('starts_with(source, ?)', [name])
    .orderByRaw('refusal is null and finding is null, asked_at desc, source, request')
    .limit(most)
    .select('source', 'request', 'asked_at as askedAt', 'refusal', 'finding');
}
