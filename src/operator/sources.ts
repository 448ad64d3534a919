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
import { readRequests, type SourceRequest } from '../sources/source-requests.ts';
import { entryList, sentence } from './frame.ts';

/** Renders each source with the last answer of each feed, folded unless something is wrong, and the requests with a fault. */
export async function sourcesBody(database: Database, now: number): Promise<Html> {
  const runs = [...(await readRuns(database, '')).values()];
  const requests = await readRequests(database, '', now);
  const sections = sources.map((source) => {
    const { name, title, setting, offers } = source;
    const own = runs.filter((run) => sourceOf(run.source) === source);
    const failed = own.filter(({ ok }) => !ok).length;
    const isOpen = own.some((run) => !run.ok || missingBy(run).length > 0);
    const faulty = requests.filter(
      (one) => sourceOf(one.source) === source && (one.refusal ?? one.finding) !== null,
    );
    return section({
      heading: title,
      id: name,
      note: html`Offers ${Object.keys(offers).join(', ')}. Set by <code>${setting}</code>.`,
      body:
        own.length === 0
          ? empty(html`Not polled. <code>${setting}</code> turns it on.`)
          : html`<details${isOpen && html` open`}><summary>${counted(own.length, 'feed')}, ${failed === 0 ? 'all answer' : `${failed} ${failed === 1 ? 'fails' : 'fail'}`}</summary>
${entryList('Feeds', own.map(feedEntry))}</details>
${faulty.length > 0 && html`<h3>Requests with a fault</h3>${entryList('Requests', faulty.map(requestEntry))}`}`,
    });
  });
  return html`${pageHead({ eyebrow: 'Operator', title: 'Sources' })}${sections}`;
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

function requestEntry({ source, request, askedAt, refusal, finding }: SourceRequest) {
  return {
    title: `${source}: ${request}`,
    lines: [
      fullWhen(iso(askedAt)),
      refusal !== null && `Not answered: ${sentence(refusal)}`,
      finding !== null && `In the answer: ${sentence(finding)}`,
    ],
  };
}
