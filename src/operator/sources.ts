import { counted } from '../pages/figures.ts';
import { type Html, html } from '../pages/html.ts';
import { empty, pageHead, section } from '../pages/parts/section.ts';
import { fullWhen } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { leftOutText } from '../sources/answer.ts';
import { impactOf, impactsOfFailure } from '../sources/impact.ts';
import { sourceOf, sources } from '../sources/index.ts';
import { readRuns, type SourceRun } from '../sources/runs.ts';
import type { SourceRequest } from '../sources/source-requests.ts';
import { entryList, sentence } from './frame.ts';

/** Maximum number of requests listed for a source. */
const most = 100;

/** Renders each source with the last answer of each feed and the last requests, which are folded unless something is wrong. */
export async function sourcesBody(database: Database): Promise<Html> {
  const runs = [...(await readRuns(database, '')).values()];
  const sections = sources.map(async ({ name, title, setting, offers }) => {
    const own = runs.filter(({ source }) => sourceOf(source)?.name === name);
    const failed = own.filter(({ ok }) => !ok).length;
    const requests = await requestsTo(database, name);
    return section({
      heading: title,
      id: name,
      note: html`Offers ${Object.keys(offers).join(', ')}. Set by <code>${setting}</code>.`,
      body: html`${
        own.length === 0
          ? empty(html`Not polled. <code>${setting}</code> turns it on.`)
          : folded(
              `${counted(own.length, 'feed')}, ${failed === 0 ? 'all answer' : `${failed} ${failed === 1 ? 'fails' : 'fail'}`}`,
              entryList('Feeds', own.map(feedEntry)),
              own.some((run) => !run.ok || missingBy(run).length > 0),
            )
      }${
        requests.length > 0 &&
        folded(
          'Last requests, those with a fault first',
          entryList('Requests', requests.map(requestEntry)),
          requests.some(({ refusal, finding }) => refusal !== null || finding !== null),
        )
      }`,
    });
  });
  return html`${pageHead({ eyebrow: 'Operator', title: 'Sources' })}${await Promise.all(sections)}`;
}

function folded(summary: string, body: Html, isOpen: boolean): Html {
  return html`<details${isOpen && html` open`}><summary>${summary}</summary>
${body}</details>
`;
}

function feedEntry(run: SourceRun) {
  const at = (instant: number | null) => (instant === null ? 'never' : fullWhen(iso(instant)));
  return {
    title: `${run.source}: ${run.ok ? 'answers' : `failed ${counted(run.failures, 'time')} in a row`}`,
    lines: [
      sentence(run.message),
      Object.keys(run.leftOut).length > 0 && `Left out: ${leftOutText(run.leftOut)}.`,
      missingBy(run).length > 0 && `Readers miss: ${missingBy(run).join(', ')}.`,
      run.quotaRemaining !== null && `${run.quotaRemaining} credits left.`,
      html`Polled: ${at(run.ranAt)}; succeeded: ${at(run.succeededAt)}; next: ${at(run.nextAt)}.`,
    ],
  };
}

/** Returns the data that readers miss because of a feed: all that it offers if it fails, otherwise what its last answer left out. */
function missingBy({ source, ok, leftOut }: SourceRun): string[] {
  const missing = ok ? Object.keys(leftOut).map(impactOf) : impactsOfFailure(source);
  return [...new Set(missing.filter((impact) => impact !== undefined))];
}

type AskedRequest = Pick<SourceRequest, 'source' | 'request' | 'askedAt' | 'refusal' | 'finding'>;

function requestEntry({ source, request, askedAt, refusal, finding }: AskedRequest) {
  return {
    title: `${source}: ${request}`,
    lines: [
      fullWhen(iso(askedAt)),
      refusal !== null && `Not answered: ${sentence(refusal)}`,
      finding !== null && `In the answer: ${sentence(finding)}`,
    ],
  };
}

function requestsTo(database: Database, name: string): Promise<AskedRequest[]> {
  return database('source_requests')
    .whereRaw('starts_with(source, ?)', [name])
    .orderByRaw('refusal is null and finding is null, asked_at desc, source, request')
    .limit(most)
    .select('source', 'request', 'asked_at as askedAt', 'refusal', 'finding');
}
