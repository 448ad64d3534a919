import type { BetReading } from './bet.ts';
import type { Parse } from './parse.ts';
import { partMarkets } from './parts.ts';
import { bareMeanings, isSpread, isTeamTotal, isTotal, isUsualLine } from './plausible.ts';
import { isPlayerQuestion, playerBet } from './player-bets.ts';
import { areBothNamed, teamsMeant } from './teams-meant.ts';

/** Yields the bets that the text can mean in a game, or the faults that exclude them. */
export function* meanings(
  parse: Parse,
  game: number,
  line: number | null,
  unknown: { name: string } | undefined,
): Generator<{
  bet?: Omit<BetReading, 'oddsAmerican' | 'stakeUnits' | 'book'>;
  fault?: string;
  sure: boolean;
}> {
  const { sport, game: title, startsAt, moneylineWays, away, home } = parse.day.games[game]!;
  const sure = parse.spans.every(({ named }) => named.some((each) => each.game === game && each.sure));
  const bet = (market: string, side: string, points: number | null, subject: string | null = null) => ({
    bet: {
      sport,
      game: title,
      startsAt,
      away: away.name,
      home: home.name,
      market,
      subject,
      side,
      line: points,
    },
    sure,
  });
  const players = [
    ...new Set(
      parse.spans.flatMap(({ named }) =>
        named.filter((each) => each.game === game && each.role === 'player').map(({ name }) => name),
      ),
    ),
  ];
  const teamSpans = parse.spans.filter(
    ({ named }) =>
      named.some((each) => each.game === game && each.role !== 'player') &&
      !named.some((each) => each.game === game && each.role === 'player'),
  );
  const fault = (text: string) => ({ fault: text, sure: false });
  const subjects = players.length > 0 ? players : unknown === undefined ? [] : [unknown.name];
  if (subjects.length > 0 || isPlayerQuestion(parse, sport)) {
    if (subjects.length === 0) return yield fault('The text names a statistic but no player.');
    if (parse.part !== undefined)
      return yield fault(
        'Player bets on part of a game cannot be read as text. Post the bet by market and side.',
      );
    const meant = parse.statistic?.bySport.get(sport) ?? [];
    if (meant.length === 0) return yield fault(`The text names ${subjects[0]} but no ${sport} statistic.`);
    for (const market of meant.length > 1 && line !== null
      ? meant.filter((each) => isUsualLine(each, line))
      : meant)
      for (const subject of subjects)
        yield playerBet(parse, sport, market, subject, line, bet) ??
          fault('The text names a player but no over or under with a line.');
    return;
  }
  const part = parse.part;
  if (part !== undefined && partMarkets(part, sport, 'moneyline') === undefined)
    return yield fault(`${sport} games do not have that period.`);
  const about = (market: string) =>
    part === undefined ? { market, subject: null } : partMarkets(part, sport, market, title)!;
  const picks = teamsMeant(parse, game, teamSpans);
  if (parse.market === 'btts') return yield bet('btts', parse.answer ?? 'yes', null, title);
  if (parse.side !== undefined) {
    if (line === null) return yield fault('The text has over or under without a line.');
    if (parse.lines.some(({ isSigned }) => isSigned))
      return yield fault('The text has both a spread and over or under.');
    const isPart = part !== undefined;
    const bothNamed = areBothNamed(game, teamSpans);
    const isBare = teamSpans.length > 0 && !bothNamed && parse.market === undefined;
    const open = isBare
      ? bareMeanings(sport, line, isPart)
      : { total: isTotal(sport, line, isPart), team: false };
    const isTeam = parse.market === 'team_total';
    if (parse.market !== undefined && !isTeam && parse.market !== 'total')
      return yield fault('The text names two markets.');
    if (!isTeam && open.total) {
      const { market, subject } = about('total');
      yield bet(market, parse.side, line, subject);
    }
    if (isTeam ? isTeamTotal(sport, line) : open.team)
      for (const role of picks) {
        const { market, subject } = about('team_total');
        yield bet(market, `${role}_${parse.side}`, line, subject);
      }
    return yield fault(
      isTeam && picks.length === 0
        ? 'A team total needs a team.'
        : `${line} is not a plausible line for this bet in ${sport}.`,
    );
  }
  if (parse.market === 'draw') {
    if (moneylineWays === 2) return yield fault(`${sport} has no bets on a draw.`);
    const { market, subject } = about('moneyline');
    return yield bet(market, 'draw', null, subject);
  }
  for (const role of picks) {
    if (parse.market === 'double_chance') yield bet('double_chance', `${role}_or_draw`, null, title);
    else if (parse.market === 'draw_no_bet') yield bet('draw_no_bet', role, null, title);
    else if (parse.market === 'total' || parse.market === 'team_total')
      yield fault('The text has a total without over or under.');
    else if (line !== null && parse.lines.every(({ isSigned }) => isSigned)) {
      if (parse.market === 'moneyline') yield fault('The text has both a moneyline and a spread.');
      else if (sport === 'tennis' && Math.abs(line) <= 2.5 && !parse.keys.includes('games'))
        yield fault(`${line} can mean sets or games. For games, add the word games.`);
      else if (!isSpread(sport, line, part !== undefined))
        yield fault(`${line} is not a plausible spread in ${sport}.`);
      else {
        const { market, subject } = about('spread');
        yield bet(market, role, line, subject);
      }
    } else if (line !== null) yield fault(`${line} can be an over, an under, or a spread. Say which.`);
    else if (parse.market === 'spread') yield fault('The text has a spread without a line.');
    else if (parse.market === 'moneyline' || parse.odds.length > 0 || parse.open.length > 0) {
      const { market, subject } = about('moneyline');
      yield bet(market, role, null, subject);
    }
  }
}
