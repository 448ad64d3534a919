import type { Static, TObject } from 'typebox';
import type { Database } from '../platform/database.ts';

export interface Sport {
  key: string;
  label: string;
  moneylineWays: 2 | 3;
  eventMinutes: number;
}

/** What a board's computation is given: a database to read, the instant it is computed for, and what the deployment says of itself. */
export interface BoardContext {
  database: Database;
  /** Epoch milliseconds. */
  now: number;
  /** Such as `https://picks.example`, without a trailing slash. */
  baseUrl: string;
  /** Where people find help with gambling: the line as it is said. */
  helpLine: string;
  /** The valid sports by key, in their order. */
  sports: ReadonlyMap<string, Sport>;
}

/** What a further format is made with. */
interface FormatContext<P extends TObject = TObject> extends Omit<BoardContext, 'database'> {
  /** The effective parameters. */
  params: Static<P>;
}

/** A further form of a board's answer at a path of its own, such as RSS: cached, validated and served as the board itself is. */
export interface BoardFormat<P extends TObject = TObject, B extends TObject = TObject> {
  /** Koa path; its `:name` segments are parameters of the board. */
  path: string;
  /** Such as `application/rss+xml; charset=utf-8`. */
  contentType: string;
  /** Lifetime in seconds that the answer advertises. */
  lifetime: number;
  /** The text, from the body and nothing else. */
  render(body: Static<B>, context: FormatContext<P>): string;
}

/** The tables of the interface in which boards stand, in that order. */
export const boardGroups = ['picks', 'sharp', 'cappers', 'feeds', 'status'] as const;

/**
 * A board says everything about itself. Routes, validation, caching, the OpenAPI document, the conformance tests and the README's
 * table are made from the list of boards.
 */
export interface Board<P extends TObject = TObject, B extends TObject = TObject> {
  /** Koa path; `:name` segments are parameters too. */
  path: string;
  group: (typeof boardGroups)[number];
  /** One sentence for the reference. */
  about: string;
  /** All parameters by name, with defaults and bounds; see `params.ts`. */
  params: P;
  /** Lifetime in seconds that the answer advertises (interface, section 4). */
  lifetime: number;
  /** What the body rests on; see `tags.ts`. New log entries bump tags, and an answer rendered before that is stale. */
  tags(params: Static<P>): string[];
  /** The parameters for which the board is computed ahead, as a reader would give them. */
  ahead?: Record<string, string>[];
  /** The schema of what `compute` gives. The envelope (`generatedAt`, `query`, and `count` beside a collection) is added to it. */
  body: B;
  /** The list in the body that `count` counts. */
  collection?: string & keyof Static<B>;
  /** Further formats of the same data. */
  formats?: readonly BoardFormat<P, B>[];
  /** Parameters, as texts, with which the tests call the board. At least one. */
  examples: Record<string, string>[];
  /** Whether an answer may be kept; default yes. For parameters of free text, so that nobody can fill the cache. */
  keep?(body: Static<B>): boolean;
  /**
   * Reads, applies a rule, shapes.
   * @throws NotFound for a capper, pick or other subject that does not exist
   */
  compute(context: BoardContext, params: Static<P>): Promise<Static<B>>;
}

/** Declares a board; the generics keep the types of its parameters and body. */
export function board<P extends TObject, B extends TObject>(declaration: Board<P, B>): Board<P, B> {
  return declaration;
}

/** The subject of a board does not exist; the message says which, for the reader. */
export class NotFound extends Error {
  override name = 'NotFound';
}
