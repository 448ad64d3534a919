import type { Static, TObject, TSchema } from 'typebox';
import {
  type BoardContext,
  type Endpoint,
  endpoint,
  keyOf,
  lifetimes,
  type Sport,
} from '../boards/endpoint.ts';
import { inOddsForm, type OddsForm, oddsParam } from '../boards/formats/odds-text.ts';
import { demoHistoryPlayed } from '../demo/progress.ts';
import { Type } from '../platform/type.ts';
import { tags as everyTag } from '../projections/tags.ts';
import { openIncidents } from '../status/state.ts';
import { layout, type Page } from './layout.ts';
import { loadingBanner, troubleBanner } from './parts/trouble.ts';
import type { Site } from './site.ts';
import { stylesheetHash } from './stylesheet.ts';
import { updatedMark } from './times.ts';

export interface View<P extends TObject = TObject> {
  site: Site;
  now: EpochMs;
  params: Static<P>;
  sports: ReadonlyMap<string, Sport>;
}

/** A page with ledger data, without the types of its parameters and data. It is validated, cached, and served like a board. */
export interface DataPage extends Pick<Endpoint, 'path' | 'params'> {
  /** Whether search engines may list it; default true. */
  listed?: boolean | undefined;
  /** Advertised lifetime of the answer, in seconds. */
  lifetime: number;
  /** As text, for tests. At least one. */
  examples: readonly Record<string, string>[];
  on(site: Site): Endpoint;
}

/** Lifetime of pages that show the loading progress of the demo data, in seconds. */
const loadingLifetime = 2;

/** Declaration of a page: path, parameters, data, and markup. Routes are built from the list of pages. */
interface PageDeclaration<P extends TObject, D> extends Pick<DataPage, 'path' | 'examples' | 'listed'> {
  params: P;
  /** Default {@link lifetimes}.board. */
  lifetime?: number;
  /** Default true. False for free-text parameters, so that nobody can fill the cache. */
  keep?: boolean;
  /** Tags that the data depends on; see `projections/tags.ts`. */
  tags(params: Static<P>): string[];
  /** Reads the data, usually the bodies of boards. @throws NotFound if a subject does not exist; SeeOther if another page has the answer */
  data(context: BoardContext, params: Static<P>): Promise<D>;
  render(data: D, view: View<P>): Page;
}

export function page<P extends TObject, D>(declaration: PageDeclaration<P, D>): DataPage {
  const { path, params, examples, listed, lifetime = lifetimes.board, keep } = declaration;
  const { tags, data, render } = declaration;
  const withOdds = Type.Object({ ...params.properties, odds: oddsParam });
  return {
    path,
    params,
    lifetime,
    examples,
    listed,
    on: (site) =>
      endpoint({
        path,
        params: withOdds as unknown as P,
        // Another release may render the same data differently.
        form: stylesheetHash,
        contentType: 'text/html; charset=utf-8',
        lifetime,
        tags: (effective) => [...tags(effective), everyTag.incidents],
        async render(context, effective) {
          const { now, sports } = context;
          const view = { site, now, params: effective, sports };
          const [shown, incidents, loaded] = await Promise.all([
            data(context, effective),
            openIncidents(context.database),
            site.demo ? demoHistoryPlayed(context.database, now) : 1,
          ]);
          const isLoading = loaded < 1;
          const { odds = 'american' } = effective as { odds?: OddsForm };
          const given = addressOf(path, params, effective);
          const text = inOddsForm(odds, () => {
            const rendered = render(shown, view);
            // A page found under several addresses uses one of them in its links.
            const address = given.includes('?') ? given : (rendered.path ?? given);
            return layout(
              {
                ...rendered,
                address,
                updatedAt: now,
                // Loading uses the whole capacity of the service, which checks report as trouble.
                trouble: isLoading ? loadingBanner(loaded) : troubleBanner(incidents, now),
              },
              site,
            );
          });
          return {
            text,
            // The entity tag does not cover the time of rendering.
            tagged: JSON.stringify({ query: effective, text: text.replace(updatedMark, '') }),
            // A kept page could be served once more after loading has ended.
            ...(isLoading ? { lifetime: loadingLifetime, mayKeep: false } : { mayKeep: keep ?? true }),
          };
        },
      }),
  };
}

function addressOf(path: string, { properties }: TObject, effective: object): string {
  const given = Object.entries(effective).filter(([name, value]) => {
    const { default: usual } = (properties as Record<string, TSchema & { default?: unknown }>)[name] ?? {};
    return name !== 'odds' && (path.includes(`:${name}`) || value !== usual);
  });
  return keyOf(path, Object.fromEntries(given));
}

/** Served even while everything else is unavailable, and the same until the next release. */
export interface FixedPage {
  path: string;
  /** Content-Security-Policy. Default: that of every page. */
  policy?: string;
  render(site: Site): Omit<Page, 'path'>;
}

export function fixedText(page: FixedPage, site: Site): string {
  return layout({ ...page.render(site), path: page.path }, site);
}

export async function all<T extends object>(pending: T): Promise<{ [Name in keyof T]: Awaited<T[Name]> }> {
  const entries = Object.entries(pending).map(async ([name, value]) => [name, await value] as const);
  return Object.fromEntries(await Promise.all(entries)) as { [Name in keyof T]: Awaited<T[Name]> };
}
