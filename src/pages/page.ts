import type { Static, TObject } from 'typebox';
import type { BoardContext, Sport } from '../boards/board.ts';
import type { Page } from './layout.ts';
import type { Site } from './site.ts';

/** What a page is rendered with, beside its data. */
export interface View<P extends TObject = TObject> {
  site: Site;
  /** The instant that the data is of, in epoch milliseconds. */
  now: number;
  /** The effective parameters. */
  params: Static<P>;
  /** The valid sports by key, in their order. */
  sports: ReadonlyMap<string, Sport>;
}

/**
 * A page says its path, its parameters, its view data and its markup. It is cached, validated and served as boards are: the routes
 * are made from the list of pages.
 */
// biome-ignore lint/suspicious/noExplicitAny: the list holds pages of every kind of data
export interface DataPage<P extends TObject = TObject, D = any> {
  /** Koa path; `:name` segments are parameters too. */
  path: string;
  /** All parameters by name, with defaults and bounds, as of a board. */
  params: P;
  /** Lifetime in seconds that the answer advertises. */
  lifetime: number;
  /** What the data rests on; see `boards/tags.ts`. */
  tags(params: Static<P>): string[];
  /** Parameters, as texts, with which the tests call the page. At least one. */
  examples: Record<string, string>[];
  /**
   * Reads what the page shows: boards' bodies, nearly always.
   * @throws NotFound for a subject that does not exist
   */
  data(context: BoardContext, params: Static<P>): Promise<D>;
  /** The markup, from the data and nothing else. */
  render(data: D, view: View<P>): Page;
}

/** Declares a page; the generics keep the types of its parameters and data. */
export function page<P extends TObject, D>(declaration: DataPage<P, D>): DataPage<P, D> {
  return declaration;
}

/** A page that needs no ledger: it is there while everything else is away. */
export interface FixedPage {
  path: string;
  /** Lifetime in seconds that the answer advertises. */
  lifetime: number;
  render(site: Site): Page;
}
