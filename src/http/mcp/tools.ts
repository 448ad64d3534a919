// The tools of the MCP server. A tool reads boards through the cache, as their routes do, and shows some of their fields: it computes no
// figure. The fields of an answer are those of `output`, so what a tool can say is bounded by its declaration.

import type { Static, TObject, TSchema } from 'typebox';
import type { TypedBoard } from '../../boards/board.ts';
import { leaderboard } from '../../boards/cappers/leaderboard.ts';
import { capperPicks } from '../../boards/cappers/picks.ts';
import { rosterRow } from '../../boards/cappers/roster.ts';
import { standing } from '../../boards/cappers/standings.ts';
import { capperStats } from '../../boards/cappers/stats.ts';
import { keyOf } from '../../boards/endpoint.ts';
import { gamesToday, todayFeed } from '../../boards/feeds/today.ts';
import { count } from '../../boards/params.ts';
import { pickSchema } from '../../boards/pick.ts';
import { picksByGame } from '../../boards/picks/by-game.ts';
import { pickBoard } from '../../boards/picks/pick.ts';
import { recordSchema, verdictSchema } from '../../boards/record.ts';
import { search } from '../../boards/search/search.ts';
import { consensus } from '../../boards/sharp/consensus.ts';
import { groupSchema } from '../../boards/sharp/groups.ts';
import { counted } from '../../pages/figures.ts';
import { pickVerdicts } from '../../pages/parts/verdicts.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import type { Receipt } from '../../proof/receipt.ts';
import type { Verification } from '../../proof/verify-receipt.ts';
import { fieldsOf } from './shape.ts';

export interface Reads {
  /** Without a trailing slash. */
  baseUrl: string;
  /** @throws as `read` of the answers */
  board<B extends TObject>(board: TypedBoard<TObject, B>, params: object): Promise<Static<B>>;
  /** Returns a pick's receipt, verified with the keys that the log published itself. @throws NotFound */
  receipt(uuid: string): Promise<{ receipt: Receipt; verification: Verification }>;
}

export interface Tool {
  name: string;
  title: string;
  about: string;
  input: TObject;
  /** Fields of the answer; others are dropped. */
  output: TObject;
  answer(params: never, reads: Reads): Promise<Said>;
}

interface Said {
  /** The gist. Of strangers' text it may contain only handles, whose letters are limited. */
  sentence: string;
  content: object;
}

function tool<P extends TObject>(
  declaration: Omit<Tool, 'input' | 'answer'> & {
    input: P;
    answer(params: Static<P>, reads: Reads): Promise<Said>;
  },
): Tool {
  return declaration as unknown as Tool;
}

const url = Field.uri('The page that shows it.');
const linked = (schema: TObject, names: string) =>
  Type.Object({ ...fieldsOf(schema, names).properties, url });
const upTo = (maxItems: number, items: TSchema, description?: string) =>
  Type.Array(items, { maxItems, ...(description !== undefined && { description }) });

const pick = fieldsOf(
  pickSchema,
  `pickUuid capperHandle capperTier sport game startsAt market subject side line bet pick oddsAmerican stakeUnits postedAt status result
   netUnits closingOddsAmerican clvBps sealedInTime provenance verifyUrl`,
);

const recordFields = `record picks hitRatePct breakEvenPct unitsNet unitsStaked roiPct yieldPct yieldLowPct yieldHighPct clvMeanBps clvSample
   edgeMeanPct edgeSample importedPicks latePicks unchecked aboveMarket unseen`;
const record = fieldsOf(recordSchema, recordFields);

type Record = Static<typeof recordSchema>;

const signed = (value: number) => `${value < 0 ? '' : '+'}${value}`;

function recordWords({ record, unitsNet, yieldPct, yieldLowPct, yieldHighPct }: Record): string {
  const interval =
    yieldPct === null
      ? ''
      : `, yield ${signed(yieldPct)}%${yieldLowPct === null ? '' : ` (95% interval ${signed(yieldLowPct)}% to ${signed(yieldHighPct ?? 0)}%)`}`;
  return `${record}, ${signed(unitsNet)} units${interval}`;
}

const shownOf = (all: readonly unknown[], most: number) =>
  all.length > most ? ` Only the first ${most} are shown: narrow the question.` : '';

const most = 25;
const some = count(10, most, `Maximum number of answers, at most ${most}.`);

export const tools: readonly Tool[] = [
  tool({
    name: 'find',
    title: 'Find cappers, games, and picks',
    about:
      'Searches by handle, team, game, sport, market, tier, pick UUID, or record number. Start here if you have only a name.',
    input: Type.Object({ query: { ...search.params.properties.q } }),
    output: Type.Object({
      cappers: upTo(10, linked(rosterRow, 'handle tier verified sports picks verdict')),
      games: upTo(10, linked(search.body.properties.games.items, 'id sport game startsAt day status')),
      picks: upTo(10, pick),
      pages: upTo(5, Type.Object({ title: Field.text(), url })),
      suggestion: search.body.properties.suggestion,
    }),
    async answer({ query }, { board, baseUrl }) {
      const found = await board(search, { q: query });
      const { cappers, games, picks, pages } = found;
      return {
        sentence: `Found ${counted(cappers.length, 'capper')}, ${counted(games.length, 'game')}, and ${counted(picks.length, 'pick')}.`,
        content: {
          ...found,
          cappers: cappers.map((one) => ({ ...one, url: `${baseUrl}/c/${one.handle}` })),
          games: games.map((one) => ({ ...one, url: `${baseUrl}/game/${one.id}` })),
          pages: pages.map(({ title, path }) => ({ title, url: baseUrl + path })),
        },
      };
    },
  }),
  tool({
    name: 'capper',
    title: 'A capper’s verdict and record',
    about:
      'The verdict on a capper (skill, luck, or too few picks to say), lifetime and 30-day records with 95% intervals, and records by sport. Quote the verdict with any figure: records of few picks say little.',
    input: Type.Object(
      pickedParams(capperStats.params, ['handle', 'sport', 'market', 'provenance']),
    ) as typeof capperStats.params,
    output: Type.Object({
      ...linked(capperStats.body, 'handle tier verified verdict').properties,
      lifetime: record,
      last30d: record,
      bySport: upTo(12, Type.Object({ sport: Field.text(), verdict: verdictSchema, ...record.properties })),
    }),
    async answer(params, { board, baseUrl }) {
      const stats = await board(capperStats, params);
      const { handle, verdict, lifetime } = stats;
      return {
        sentence: `${handle}: ${verdict.word}. ${verdict.sentence} Lifetime: ${recordWords(lifetime)}.`,
        content: { ...stats, url: `${baseUrl}/c/${handle}` },
      };
    },
  }),
  tool({
    name: 'capper_picks',
    title: 'A capper’s picks',
    about: 'The picks of a capper, settled or not, newest first, in pages.',
    input: Type.Object({
      ...pickedParams(capperPicks.params, ['handle', 'sport', 'market', 'result', 'month', 'cursor']),
      limit: some,
    }) as typeof capperPicks.params,
    output: Type.Object({
      picks: upTo(most, pick),
      nextCursor: capperPicks.body.properties.nextCursor,
      verdict: verdictSchema,
      url,
    }),
    async answer(params, { board, baseUrl }) {
      const page = await board(capperPicks, params);
      return {
        sentence: `${counted(page.picks.length, 'pick')}${page.nextCursor === null ? '' : ', and more with `nextCursor`'}. Verdict on these: ${page.verdict.word}.`,
        content: { ...page, url: `${baseUrl}/c/${params.handle}` },
      };
    },
  }),
  tool({
    name: 'leaderboard',
    title: 'Leaderboard',
    about:
      'Cappers ranked by the low end of the 95% interval of their shrunk yield, so that luck does not lead. Filters: window, sport, market, tier.',
    input: Type.Object({
      ...pickedParams(leaderboard.params, ['window', 'sport', 'market', 'tier', 'provenance']),
      limit: some,
    }) as typeof leaderboard.params,
    output: Type.Object({
      cappers: upTo(
        most,
        linked(
          standing,
          `rank handle tier verified verdict ${recordFields} shrunkPct shrunkLowPct shrunkHighPct chancePct`,
        ),
      ),
      url,
    }),
    async answer(params, { board, baseUrl }) {
      const { cappers } = await board(leaderboard, params);
      const leaders = cappers
        .slice(0, 3)
        .map((one) => `${one.handle} (${one.verdict.word}): ${recordWords(one)}`);
      return {
        sentence:
          cappers.length === 0 ? 'No capper has a settled pick here.' : `Leading: ${leaders.join('; ')}.`,
        content: {
          cappers: cappers.map((one) => ({ ...one, url: `${baseUrl}/c/${one.handle}` })),
          url: baseUrl + keyOf('/leaderboard', { ...params, limit: undefined }),
        },
      };
    },
  }),
  tool({
    name: 'consensus',
    title: 'Consensus now',
    about:
      'Sides that two or more elite or verified sharp cappers took in the last 6 hours, most cappers first. Agreement is not a forecast.',
    input: Type.Object({}),
    output: Type.Object({
      groups: upTo(
        20,
        Type.Object({
          ...fieldsOf(
            groupSchema,
            `sport game startsAt market subject side lineMin lineMax bestOddsAmerican capperCount opposingCount consensusPct
             totalStakeUnits`,
          ).properties,
          cappers: upTo(
            10,
            fieldsOf(groupSchema.properties.cappers.items, 'handle tier pickUuid oddsAmerican'),
          ),
        }),
      ),
      url,
    }),
    async answer(_, { board, baseUrl }) {
      const { groups } = await board(consensus, {});
      return {
        sentence: `${counted(groups.length, 'side')} with active consensus.${shownOf(groups, 20)}`,
        content: { groups, url: `${baseUrl}/sharp` },
      };
    },
  }),
  tool({
    name: 'games_today',
    title: 'Today’s games',
    about: 'Games of today (Eastern Time) that have picks, with the number of picks, cappers, and markets.',
    input: gamesToday.params,
    output: Type.Object({
      day: gamesToday.body.properties.day,
      games: upTo(
        50,
        linked(
          gamesToday.body.properties.games.items,
          'gameId sport game startsAt pickCount capperCount marketCount',
        ),
      ),
    }),
    async answer(params, { board, baseUrl }) {
      const { day, games } = await board(gamesToday, params);
      return {
        sentence: `${counted(games.length, 'game')} with picks on ${day}.${shownOf(games, 50)}`,
        content: { day, games: games.map((one) => ({ ...one, url: `${baseUrl}/game/${one.gameId}` })) },
      };
    },
  }),
  tool({
    name: 'picks_today',
    title: 'Tonight’s picks',
    about:
      'Picks on games of today (Eastern Time), by start. Filters: sport, capper_handle, market, team. Ask for `capper` to know what a capper’s picks are worth.',
    input: todayFeed.params,
    output: Type.Object({ day: todayFeed.body.properties.day, picks: upTo(most, pick), url }),
    async answer(params, { board, baseUrl }) {
      const { day, picks } = await board(todayFeed, params);
      return {
        sentence: `${counted(picks.length, 'pick')} on games of ${day}.${shownOf(picks, most)}`,
        content: { day, picks, url: `${baseUrl}/` },
      };
    },
  }),
  tool({
    name: 'game_picks',
    title: 'Picks on a game',
    about: 'Picks on games of a name, such as `Gulls @ Foxes`, newest first, and the number on each side.',
    input: Type.Object({
      ...pickedParams(picksByGame.params, ['sport', 'game']),
      limit: some,
    }) as typeof picksByGame.params,
    output: Type.Object({
      picks: upTo(most, pick),
      sides: upTo(50, fieldsOf(picksByGame.body.properties.sides.items, 'market subject side count')),
    }),
    async answer(params, { board }) {
      const found = await board(picksByGame, params);
      const all = found.sides.reduce((sum, { count }) => sum + count, 0);
      return { sentence: `${counted(found.picks.length, 'pick')} of ${all}.`, content: found };
    },
  }),
  tool({
    name: 'receipt',
    title: 'A pick’s receipt',
    about:
      'One pick with its four verdicts (in the log, before the start, price, posted by) and the check of its proof. This service checks itself here; `verifyCommand` checks it independently.',
    input: pickBoard.params,
    output: Type.Object({
      pick,
      verdicts: upTo(
        4,
        Type.Object({
          name: Field.text(),
          word: Field.text(),
          meaning: Field.text('What the word means.'),
        }),
      ),
      proof: Type.Enum(['ok', 'failed', 'unhashed'], {
        description:
          '`ok`: every hash leads to the signed log. `unhashed`: the pick is not sealed yet. `failed`: do not rely on it.',
      }),
      failed: Field.orNull.text('The step that failed.'),
      pickHash: Field.orNull.text('SHA-256 of the pick as sealed.'),
      receiptUrl: Field.uri(),
      verifyCommand: Field.text(
        'Verifies it elsewhere. Replace <key> with the log’s key from another source than this service.',
      ),
    }),
    async answer({ uuid }, { board, receipt, baseUrl }) {
      const shown = await board(pickBoard, { uuid });
      const { verification } = await receipt(uuid);
      const { proof, failed } = verification;
      const verdicts = pickVerdicts(shown);
      return {
        sentence: `Proof: ${proof}. ${verdicts.map(({ name, word }) => `${name}: ${word}`).join('. ')}.`,
        content: {
          pick: shown,
          verdicts,
          proof,
          failed: failed === null ? null : `${failed.step}: ${failed.detail}`,
          pickHash: shown.pickHash,
          receiptUrl: `${baseUrl}/api/picks/${uuid}/receipt`,
          verifyCommand: `npx public-picks verify ${baseUrl}/p/${uuid} --key <key>`,
        },
      };
    },
  }),
];

function pickedParams(params: TObject, names: readonly string[]) {
  const properties = params.properties as { [name: string]: TSchema };
  return Object.fromEntries(names.map((name) => [name, properties[name] as TSchema]));
}
