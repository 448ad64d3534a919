import { type PublicPick, selectionOf } from '../../../src/boards/pick.ts';

export const baseUrl = 'https://picks.example';
export const helpLine = '0808 80 20 133, “round the clock”; free';

/** Returns a newly posted pick. */
export function examplePick(changes: Partial<PublicPick> = {}): PublicPick {
  const pickUuid = changes.pickUuid ?? '0f8fad5b-d9cb-469f-a165-70867728950e';
  const pick = {
    pickUuid,
    id: 7,
    capperHandle: 'ada',
    capperTier: 'verified_sharp',
    capperVerified: true,
    sport: 'nfl',
    gameId: 3,
    game: 'Tundra Owls @ Delta Rays',
    startsAt: '2024-10-06T20:25:00.000Z',
    day: null,
    market: 'spread',
    subject: null,
    side: 'home',
    line: -3,
    pick: 'Rays -3',
    oddsAmerican: -110,
    oddsDecimal: 1.9091,
    stakeUnits: 1.5,
    postedAt: '2024-10-06T12:00:00.000Z',
    status: 'pending',
    half: false,
    result: null,
    settledAt: null,
    closingOddsAmerican: null,
    closingLine: null,
    clvCountedBps: null,
    clvBps: null,
    netUnits: null,
    hashStatus: 'sealed',
    source: 'north',
    provenance: 'live',
    priceCheck: null,
    postedBy: 'operator',
    sealedAt: null,
    sealedInTime: null,
    verifyUrl: `${baseUrl}/p/${pickUuid}`,
    ...changes,
  } satisfies Omit<PublicPick, 'bet'> & { bet?: string };
  return { ...pick, bet: changes.bet ?? selectionOf(pick) };
}

export const closed: Partial<PublicPick> = { closingOddsAmerican: -120, clvBps: 413 };

export const settled: Partial<PublicPick> = {
  ...closed,
  status: 'settled',
  result: 'win',
  settledAt: '2024-10-06T23:31:00.000Z',
  netUnits: 1.36,
};

/** Texts that break feeds, calendars, and tables without escaping. */
export const hostileTexts = [
  '<script>alert(1)</script>',
  ']]> & &amp; &lt; <![CDATA[',
  'line\r\none\rtwo\nthree\ttab',
  'controls \u0000\u0001\u001B\u007F\u0085\uFFFE\uFFFF end',
  'half a pair \uD83D and \uDC00',
  'right \u202Eto left\u202C \u2069 \u2067 עברית العربية',
  '👩‍👩‍👧‍👦🏳️‍🌈 é e\u0301 中文',
  'comma, semicolon; backslash\\ \\n colon: "quoted" \'single\'',
  '=HYPERLINK("http://x")',
  `${'long 🙂 '.repeat(42)}end`,
  ' ',
];
