import type { BetReading } from './bet.ts';
import { partMarkets } from './parts.ts';
import { bareMeanings, isSpread, isTeamTotal, isTotal, isUsualLine } from './plausible.ts';
import { isPlayerQuestion, playerBet } from './player-bets.ts';
import type { Said } from './said.ts';
import { areBothNamed, teamsMeant } from './teams-meant.ts';

/** What the text means in a game, by its market. */
export function* meanings(
  said: Said,
  game: number,
  line: number | null,
  unknown: { name: string } | undefined,
): Generator<{
  bet?: Omit<BetReading, 'oddsAmerican' | 'stakeUnits' | 'book'>;
  fault?: string;
  sure: boolean;
}> {
  const { sport, game: title, startsAt, moneylineWays, away, home } = said.day.games[game]!;
  const sure = said.spans.every(({ named }) => named.some((each) => each.game === game && each.sure));
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
      said.spans.flatMap(({ named }) =>
        named.filter((each) => each.game === game && each.role === 'player').map(({ name }) => name),
      ),
    ),
  ];
  const teamSpans = said.spans.filter(
    ({ named }) =>
      named.some((each) => each.game === game && each.role !== 'player') &&
      !named.some((each) => each.game === game && each.role === 'player'),
  );
  const fault = (text: string) => ({ fault: text, sure: false });
  const subjects = players.length > 0 ? players : unknown === undefined ? [] : [unknown.name];
  if (subjects.length > 0 || isPlayerQuestion(said, sport)) {
    if (subjects.length === 0) return yield fault('The text names a statistic and no player.');
    if (said.part !== undefined)
      return yield fault(
        'No words are known for a player in a part of a game: post it with its market and side.',
      );
    const meant = said.statistic?.bySport.get(sport) ?? [];
    if (meant.length === 0) return yield fault(`The text names ${subjects[0]} and no statistic of ${sport}.`);
    for (const market of meant.length > 1 && line !== null
      ? meant.filter((each) => isUsualLine(each, line))
      : meant)
      for (const subject of subjects)
        yield playerBet(said, sport, market, subject, line, bet) ??
          fault('The text names a player and neither over nor under a line.');
    return;
  }
  const part = said.part;
  if (part !== undefined && partMarkets(part, sport, 'moneyline') === undefined)
    return yield fault(`A game of ${sport} has no such part.`);
  const about = (market: string) =>
    part === undefined ? { market, subject: null } : partMarkets(part, sport, market, title)!;
  const picks = teamsMeant(said, game, teamSpans);
  if (said.market === 'btts') return yield bet('btts', said.answer ?? 'yes', null, title);
  if (said.side !== undefined) {
    if (line === null) return yield fault('The text has over or under without a line.');
    if (said.lines.some(({ isSigned }) => isSigned))
      return yield fault('The text has over or under and a spread.');
    const isPart = part !== undefined;
    const bothNamed = areBothNamed(game, teamSpans);
    const isBare = teamSpans.length > 0 && !bothNamed && said.market === undefined;
    const open = isBare
      ? bareMeanings(sport, line, isPart)
      : { total: isTotal(sport, line, isPart), team: false };
    const isTeam = said.market === 'team_total';
    if (said.market !== undefined && !isTeam && said.market !== 'total')
      return yield fault('The text names two markets.');
    if (!isTeam && open.total) {
      const { market, subject } = about('total');
      yield bet(market, said.side, line, subject);
    }
    if (isTeam ? isTeamTotal(sport, line) : open.team)
      for (const role of picks) {
        const { market, subject } = about('team_total');
        yield bet(market, `${role}_${said.side}`, line, subject);
      }
    return yield fault(
      isTeam && picks.length === 0
        ? 'A team total needs a team.'
        : `${line} is no line for such a bet in ${sport}.`,
    );
  }
  if (said.market === 'draw') {
    if (moneylineWays === 2) return yield fault(`${sport} has no draw to bet on.`);
    const { market, subject } = about('moneyline');
    return yield bet(market, 'draw', null, subject);
  }
  for (const role of picks) {
    if (said.market === 'double_chance') yield bet('double_chance', `${role}_or_draw`, null, title);
    else if (said.market === 'draw_no_bet') yield bet('draw_no_bet', role, null, title);
    else if (said.market === 'total' || said.market === 'team_total')
      yield fault('The text has a total without over or under.');
    else if (line !== null && said.lines.every(({ isSigned }) => isSigned)) {
      if (said.market === 'moneyline') yield fault('The text has a moneyline and a spread.');
      else if (sport === 'tennis' && Math.abs(line) <= 2.5 && !said.keys.includes('games'))
        yield fault(`${line} can be sets or games of tennis: write games, if they are meant.`);
      else if (!isSpread(sport, line, part !== undefined)) yield fault(`${line} is no spread of ${sport}.`);
      else {
        const { market, subject } = about('spread');
        yield bet(market, role, line, subject);
      }
    } else if (line !== null) yield fault(`Nothing says whether ${line} is over, under, or a spread.`);
    else if (said.market === 'spread') yield fault('The text has a spread without a line.');
    else if (said.market === 'moneyline' || said.odds.length > 0 || said.open.length > 0) {
      const { market, subject } = about('moneyline');
      yield bet(market, role, null, subject);
    }
  }
}
