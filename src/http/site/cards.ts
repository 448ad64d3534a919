import { type Answers, Basis } from '../../answers/answers.ts';
import { entityTag } from '../../answers/coded.ts';
import { capperClv } from '../../boards/cappers/clv.ts';
import { leaderboard } from '../../boards/cappers/leaderboard.ts';
import { capperStats } from '../../boards/cappers/stats.ts';
import { capperStreak } from '../../boards/cappers/streaks.ts';
import { lifetimes } from '../../boards/endpoint.ts';
import { type OddsForm, oddsFormOf, oddsText } from '../../boards/formats/odds-text.ts';
import { selectionText } from '../../boards/formats/pick-text.ts';
import { pickClosing } from '../../boards/picks/closing.ts';
import { pickBoard, recordWindows } from '../../boards/picks/pick.ts';
import { pickConfidence, podBoard } from '../../boards/picks/pod.ts';
import { enoughLive } from '../../boards/record.ts';
import { type Badge, badgeSvg } from '../../cards/badge.ts';
import { type Card, createCards } from '../../cards/cards.ts';
import { shownLeaders } from '../../cards/leaders-card.ts';
import { verdictLabel, verdictTone } from '../../pages/parts/verdict.ts';
import { pickVerdicts } from '../../pages/parts/verdicts.ts';
import { logKindOf, type Site } from '../../pages/site.ts';
import { type Answer, nameIn } from '../answer.ts';
import type { Route } from '../routes.ts';

export function cardRoutes({ answers, site }: { answers: Answers; site: Site }): Route[] {
  const cards = createCards();
  const everyCard = () => ({
    notice: `21+ · Gambling problem? Call ${site.helpLine.name}`,
    logKind: logKindOf(site),
  });

  async function pickCard(uuid: string, odds: OddsForm, basis: Basis): Promise<Card> {
    const [{ pickHash, ...pick }, { index }, { edgePct }] = await Promise.all([
      answers.body(pickBoard, { uuid }, basis),
      answers.body(pickConfidence, { uuid }, basis),
      answers.body(pickClosing, { uuid }, basis),
    ]);
    return { pick, pickHash, confidence: index, edgePct, odds, ...everyCard() };
  }

  async function podCard(odds: OddsForm, basis: Basis): Promise<Card> {
    const { day, pick } = await answers.body(podBoard, {}, basis);
    return pick === null
      ? { day, ...everyCard() }
      : { ...(await pickCard(pick.pickUuid, odds, basis)), podDay: day };
  }

  async function capperCard(handle: string, basis: Basis): Promise<Card> {
    const live = await answers.body(capperStats, { handle, provenance: 'live' }, basis);
    const isLive = live.lifetime.picks >= enoughLive;
    const provenance = isLive ? 'live' : 'all';
    const [{ handle: name, tier, verified, verdict, lifetime }, close, { kind, length }] = await Promise.all([
      isLive ? live : answers.body(capperStats, { handle }, basis),
      answers.body(capperClv, { handle, provenance, last_n: '1' }, basis),
      answers.body(capperStreak, { handle }, basis),
    ]);
    // Streaks include imported picks.
    const streak = isLive ? { kind: null, length: 0 } : { kind, length };
    return {
      handle: name,
      tier,
      verified,
      verdict,
      record: lifetime,
      provenance,
      close,
      streak,
      ...everyCard(),
    };
  }

  async function leaderboardCard(basis: Basis): Promise<Card> {
    const { windows } = await answers.body(recordWindows, { provenance: 'live' }, basis);
    const provenance = windows.all.picks >= enoughLive ? 'live' : 'all';
    const { cappers } = await answers.body(leaderboard, { limit: String(shownLeaders), provenance }, basis);
    return { leaders: cappers, provenance, ...everyCard() };
  }

  async function answer(key: string, ip: string, cardOf: (basis: Basis) => Promise<Card>): Promise<Answer> {
    const basis = new Basis();
    const card = await cardOf(basis);
    const etag = `"${cards.version(card)}"`;
    // Boards may have changed without changing the picture.
    const known = answers.memory.any(key);
    return {
      // The card may change once the log's kind is known.
      ...(site.logKind === undefined ? {} : { key, keep: basis.keep }),
      type: 'image/png',
      etag,
      headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' },
      body: known?.etag === etag ? known.body : () => cards.png(card, (work) => answers.inTurn(ip, work)),
    };
  }

  async function badge(key: string, badgeOf: (basis: Basis) => Promise<Badge>): Promise<Answer> {
    const basis = new Basis();
    const body = badgeSvg(await badgeOf(basis));
    return {
      key,
      keep: basis.keep,
      type: 'image/svg+xml',
      etag: entityTag(body),
      body,
      headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' },
    };
  }

  async function pickBadge(uuid: string, basis: Basis): Promise<Badge> {
    const pick = await answers.body(pickBoard, { uuid }, basis);
    const verdicts = pickVerdicts(pick);
    const tones = verdicts.slice(0, 3).map(({ tone }) => tone);
    const isGood = tones.slice(0, 2).every((tone) => tone === 'good');
    const subject = `${pick.capperHandle}: ${selectionText(pick)} ${oddsText(pick.oddsAmerican)}`;
    return {
      subject,
      finding: verdicts
        .slice(0, 2)
        .map(({ word }) => word.toLowerCase())
        .join(', '),
      tone: tones.includes('bad') ? 'bad' : isGood ? 'good' : 'neutral',
      title: `${subject}, ${pick.game}. ${verdicts.map(({ name, word }) => `${name}: ${word}.`).join(' ')}`,
    };
  }

  async function capperBadge(handle: string, basis: Basis): Promise<Badge> {
    const { handle: name, verdict } = await answers.body(capperStats, { handle }, basis);
    const label = verdictLabel(verdict);
    return {
      subject: `${name} on Public Picks`,
      finding: label.toLowerCase(),
      tone: ({ gain: 'good', cost: 'bad', even: 'neutral' } as const)[verdictTone(verdict)],
      title: `${name}: ${label}. ${verdict.sentence}`,
    };
  }

  const image = (path: string, handle: Route['handle']): Route => ({
    method: 'GET',
    path,
    handle,
    lifetime: lifetimes.board,
  });

  return [
    image('/p/:uuid/card.png', async ({ params, search, ip }) => {
      const odds = oddsFormOf(search.get('odds'));
      const uuid = nameIn(params.uuid, 'pick');
      const key = `/p/${uuid}/card.png?odds=${odds}`;
      return answer(key, ip, (basis) => pickCard(uuid, odds, basis));
    }),
    image('/c/:handle/card.png', async ({ params, ip }) => {
      const handle = nameIn(params.handle, 'capper');
      return answer(`/c/${handle}/card.png`, ip, (basis) => capperCard(handle, basis));
    }),
    image('/leaderboard/card.png', ({ ip }) => answer('/leaderboard/card.png', ip, leaderboardCard)),
    image('/pod/card.png', ({ search, ip }) => {
      const odds = oddsFormOf(search.get('odds'));
      return answer(`/pod/card.png?odds=${odds}`, ip, (basis) => podCard(odds, basis));
    }),
    image('/badge/p/:uuid.svg', ({ params }) => {
      const uuid = nameIn(params.uuid, 'pick');
      return badge(`/badge/p/${uuid}.svg`, (basis) => pickBadge(uuid, basis));
    }),
    image('/badge/c/:handle.svg', ({ params }) => {
      const handle = nameIn(params.handle, 'capper');
      return badge(`/badge/c/${handle}.svg`, (basis) => capperBadge(handle, basis));
    }),
  ];
}
