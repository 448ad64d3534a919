import { sportTag } from '../boards/formats/pick-text.ts';
import { marketNamed } from '../rules/markets/index.ts';

/** Labels of the API's values. {@link plain} formats values without one. */
export const labels = {
  odds: { american: 'American', decimal: 'Decimal' },
  tier: { elite: 'Elite', verified_sharp: 'Verified sharp', listed: 'Listed' },
  result: { win: 'Win', loss: 'Loss', push: 'Push', void: 'Void', pending: 'Pending' },
  provenance: { live: 'Live', imported: 'Imported' },
  window: { '7d': '7 days', '30d': '30 days', '90d': '90 days', all: 'All time' },
  gameStatus: { scheduled: 'Scheduled', final: 'Final', postponed: 'Postponed', cancelled: 'Canceled' },
  entry: {
    posted: 'Posted',
    closed: 'Closed',
    settled: 'Settled',
    key: 'Signing key announced',
    notice: 'Notice',
  },
  subscription: {
    active: 'Active',
    paused: 'Paused',
    disabled: 'Disabled after repeated failures',
    revoked: 'Deleted',
  },
  attemptError: {
    refused: 'Address refused',
    dns: 'DNS lookup failed',
    connect: 'Connection failed',
    'connect-timeout': 'Connection timed out',
    tls: 'TLS failed',
    reset: 'Connection reset',
    timeout: 'Response timed out',
    protocol: 'Not an HTTP response',
    http: 'Rejected',
    busy: 'Not sent: the host was busy',
  },
  side: {
    home: 'Home',
    away: 'Away',
    draw: 'Draw',
    over: 'Over',
    under: 'Under',
    home_over: 'Home team over',
    home_under: 'Home team under',
    away_over: 'Away team over',
    away_under: 'Away team under',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

/** The value in words if it has no label. */
export function labelOf(of: keyof typeof labels, value: string): string {
  return new Map<string, string>(Object.entries(labels[of])).get(value) ?? plain(value);
}

/** Their number if there are more than four. */
export function sportTags(keys: readonly string[]): string {
  return keys.length > 4 ? `${keys.length} sports` : keys.map(sportTag).join(', ');
}

export function marketLabel(name: string): string {
  return plain(marketNamed(name)?.label ?? name);
}

export function aboutLabel({ market, subject }: { market: string; subject: string | null }): string {
  return subject === null ? marketLabel(market) : `${subject}: ${marketLabel(market).toLowerCase()}`;
}

export function plain(slug: string): string {
  const words = slug.replaceAll('_', ' ').trim();
  return words === '' ? slug : `${words[0]?.toUpperCase()}${words.slice(1)}`;
}
