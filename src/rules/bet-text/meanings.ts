import { marketIn } from '../markets/index.ts';
import { isQuestion, shapeOf } from '../markets/known.ts';
import { byLine } from '../markets/meant.ts';
import { inPeriod } from '../markets/periods.ts';
import type { BetReading } from './bet.ts';
import type { BetGame } from './day.ts';
import { areBothNamed, namesTwice, teamsMeant } from './names.ts';
import type { Parse, Span } from './parse.ts';
import { bareMeanings, isSpread, isStatLine, isTeamTotal, isTotal } from './plausible.ts';

/** The selection of a bet in a game, or why the text is none. */
type Meaning = Pick<BetReading, 'market' | 'subject' | 'side' | 'line'> | string;

const selection = (
  market: string,
  side: string,
  line: number | null,
  subject: string | null = null,
): Meaning => ({
  market,
  subject,
  side,
  line,
});

/** Returns the selections that the text can mean in a game, and the faults that exclude others. */
export function meanings(
  parse: Parse,
  game: number,
  line: number | null,
  unknown: { name: string } | undefined,
): Meaning[] {
  const each = parse.day.games[game]!;
  const isPlayer = ({ named }: Span) => named.some((one) => one.game === game && one.role === 'player');
  const players = new Set(
    parse.spans.flatMap(({ named }) =>
      named.flatMap((one) => (one.game === game && one.role === 'player' ? one.name : [])),
    ),
  );
  const subjects = players.size > 0 ? [...players] : unknown === undefined ? [] : [unknown.name];
  if (subjects.length > 0) return ofPlayers(parse, each.sport, subjects, line);
  if (parse.statistic.length > 0 && !parse.hasUnit) return ['The text names a statistic but no player.'];
  const teams = parse.spans.filter((span) => !isPlayer(span) && span.named.some((one) => one.game === game));
  return ofGame(parse, each, line, game, teams);
}

function ofPlayers(parse: Parse, sport: string, subjects: readonly string[], line: number | null): Meaning[] {
  if (parse.period !== undefined)
    return ['Player bets on part of a game cannot be read as text. Post the bet by market and side.'];
  if (parse.statistic.length === 0) return [`The text names ${subjects[0]} but no ${sport} statistic.`];
  if (parse.markets?.some((market) => market !== 'total') === true) return ['The text names two markets.'];
  const markets = line === null ? parse.statistic : byLine(sport, parse.statistic, line);
  return markets.flatMap((market) =>
    subjects.map(
      (subject) =>
        ofPlayer(parse, sport, market, subject, line) ??
        'The text names a player but no over or under with a line.',
    ),
  );
}

/** Returns the bet on a player in a market; undefined if the text lacks its side or line. */
function ofPlayer(
  parse: Parse,
  sport: string,
  market: string,
  subject: string,
  line: number | null,
): Meaning | undefined {
  const { side, answer = 'yes' } = parse;
  if (isQuestion(market)) {
    if (side !== undefined && line === 0.5)
      return selection(market, side === 'over' ? 'yes' : 'no', null, subject);
    return side === undefined && line === null ? selection(market, answer, null, subject) : undefined;
  }
  // `Doe TD` asks for a touchdown, `Doe HR` for a home run.
  if (side === undefined && line === null) {
    if (market === 'player_tds_over') return selection('player_anytime_td', answer, null, subject);
    return market === 'batter_home_runs' && parse.answer === undefined
      ? selection(market, 'over', 0.5, subject)
      : undefined;
  }
  const isSigned = parse.lines.some((each) => each.isSigned);
  if (side === undefined || line === null || isSigned || parse.answer !== undefined) return undefined;
  if (market === 'player_tds_over' && line === 0.5)
    return selection('player_anytime_td', side === 'over' ? 'yes' : 'no', null, subject);
  return isStatLine(sport, market, line) ? selection(market, side, line, subject) : undefined;
}

/** Reads a bet on the game or a part of it. */
function ofGame(
  parse: Parse,
  game: BetGame,
  line: number | null,
  at: number,
  spans: readonly Span[],
): Meaning[] {
  const { sport, moneylineWays } = game;
  const { period, side } = parse;
  const isPart = period !== undefined;
  const bothNamed = areBothNamed(at, spans);
  // `Over 1.5 home` is the total of a team.
  const isVenue = parse.venue !== undefined && (spans.length === 0 || bothNamed);
  const roles =
    spans.length === 0 && parse.venue !== undefined ? [parse.venue] : teamsMeant(parse, at, spans);
  const picks = roles.filter((role) => parse.venue === undefined || role === parse.venue);
  if (roles.length > 0 && picks.length === 0)
    return [`The text says ${parse.venue}, but names the other team.`];
  const market = namedMarket(parse, bothNamed);
  if (market.fault !== undefined) return [market.fault];
  const isSigned = parse.lines.some((each) => each.isSigned);
  const bet = (whole: string, on: string, points: number | null): Meaning => {
    const own = isPart ? inPeriod(sport, whole, period) : whole;
    if (own === undefined) return `${sport} games do not have that period.`;
    return selection(own, on, points, marketIn(sport, own) === undefined ? game.game : null);
  };
  if (line === null && side === undefined && namesTwice(parse, at, spans))
    return [
      'The text names one team twice, as bets on half-time and full-time do. Post the bet by market and side.',
    ];
  const shape = market.name === undefined ? undefined : shapeOf(sport, market.name);
  if (parse.answer !== undefined && shape !== 'yesNo') return [`${parse.answer} is no side of this bet.`];
  if (shape === 'yesNo')
    return [
      side !== undefined || line !== null
        ? 'The text names two markets.'
        : bet(market.name!, parse.answer ?? 'yes', null),
    ];
  if (side === 'over' || side === 'under') {
    if (line === null) return ['The text has over or under without a line.'];
    if (isSigned) return ['The text has both a spread and over or under.'];
    if (shape !== undefined && shape !== 'overUnder' && shape !== 'teamOverUnder')
      return ['The text names two markets.'];
    const isTeam = shape === 'teamOverUnder' || (isVenue && (market.name ?? 'total') === 'total');
    if (isTeam && picks.length === 0) return ['A team total needs a team.'];
    if (market.name !== undefined && market.name !== 'total' && !isTeam)
      return [
        !isVenue && (bothNamed || spans.length === 0)
          ? bet(market.name, side, line)
          : isVenue
            ? `${market.name} of one team cannot be read as text. Post the bet by market and side.`
            : `Name both teams: ${market.name} can be of the game or of one team.`,
      ];
    const isBare = spans.length > 0 && !bothNamed && market.name === undefined;
    const open = isBare
      ? bareMeanings(sport, line, isPart)
      : { total: isTotal(sport, line, isPart), team: false };
    const found = [
      ...(!isTeam && open.total ? [bet('total', side, line)] : []),
      ...((isTeam ? isTeamTotal(sport, line) : open.team)
        ? picks.map((role) => bet('team_total', `${role}_${side}`, line))
        : []),
    ];
    return found.length > 0 ? found : [`${line} is not a plausible line for this bet in ${sport}.`];
  }
  if (side === 'draw') {
    const isDraw = (market.name ?? 'moneyline') === 'moneyline' && moneylineWays === 3 && line === null;
    if (!isDraw) return [`${sport} has no bets on a draw.`];
    // `Gulls/draw` can be either.
    const orDraw = bothNamed ? [] : picks;
    return [
      bet('moneyline', 'draw', null),
      ...orDraw.map((role) => bet('double_chance', `${role}_or_draw`, null)),
    ];
  }
  if (parse.isTotal) return ['The text has a total without over or under.'];
  return picks.map((role): Meaning => {
    switch (shape ?? (line === null ? 'team' : 'spread')) {
      case 'teamOrDraw':
        return bet(market.name!, `${role}_or_draw`, null);
      case 'spread': {
        if (line === null) return 'The text has a spread without a line.';
        if (!isSigned) return `${line} can be an over, an under, or a spread. Say which.`;
        if (sport === 'tennis' && Math.abs(line) <= 2.5 && !parse.hasUnit)
          return `${line} can mean sets or games. For games, add the word games.`;
        if (sport === 'soccer' && parse.hasUnit)
          return `${parse.tokens[parse.lines[0]!.at]!.raw} goals can be an over or under, or a handicap. Say which.`;
        return isSpread(sport, line, isPart)
          ? bet(market.name ?? 'spread', role, line)
          : `${line} is not a plausible spread in ${sport}.`;
      }
      case 'team': {
        if (line !== null) return 'The text has both a moneyline and a spread.';
        if (isOutright(parse))
          return `${parse.raw(parse.leagues[0]!.from, parse.leagues[0]!.to)} beside a team can mean the winner of the competition. Write it first, as in NFL: Gulls ML.`;
        const isPriced = parse.odds.length > 0 || parse.open.length > 0;
        if (market.name === undefined && !isPriced)
          return 'The text names no market. Write ML, a spread, or over or under with a line.';
        return parse.hasUnit
          ? 'The text has a unit, but no line.'
          : bet(market.name ?? 'moneyline', role, null);
      }
      default:
        return 'The text has a total without over or under.';
    }
  });
}

/** Returns the one market that the words name. A winner without an opponent can be that of a competition. */
function namedMarket(parse: Parse, bothNamed: boolean): { name?: string; fault?: string } {
  if (parse.markets === undefined) return {};
  const [name, ...others] = parse.markets.filter((market) => !(bothNamed && market === 'outrights'));
  if (others.length === 0) return name === undefined ? {} : { name };
  return {
    fault: `The winner can be that of the game or of the competition. For the game, write ML.`,
  };
}

/** Reports whether a league stands right behind a team or beside the word for a winner: `Gulls NFL winner`. */
function isOutright(parse: Parse): boolean {
  return parse.leagues.some(({ from, to }) => {
    const isBehindTeam = parse.spans.some((span) => span.to === from);
    const before = parse.keys[from - 1] === 'the' ? from - 2 : from - 1;
    return isBehindTeam || [before, to].some((at) => /^(?:win|wins|winner)$/.test(parse.keys[at] ?? ''));
  });
}
