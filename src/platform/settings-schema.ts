import { Type } from 'typebox';

const key32 = (description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$', description, secret: true });

const pair = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/;

/** Two figures: from the first on a check is degraded, from the second on it is down. */
const thresholds = (degraded: number, down: number, what: string) =>
  Type.String({
    pattern: pair.source,
    default: `${degraded},${down}`,
    description: `${what}: from the first figure on degraded, from the second on down.`,
    must: 'two figures with a comma between them, such as 60,300',
  });

/** Reads a `CHECK_` setting. */
export function readThresholds(setting: string): { degraded: number; down: number } {
  const [, degraded, down] = pair.exec(setting) ?? [];
  return { degraded: Number(degraded), down: Number(down) };
}
/** A sport key of The Odds API that is one of ours, or all soccer or tennis. */
const oddsSport =
  '(americanfootball_n(fl|caaf)|basketball_(nba|ncaab|wnba)|baseball_mlb|icehockey_nhl|mma_mixed_martial_arts|(soccer|tennis)_([a-z0-9_]+|\\*))';

/** A name, an IPv4 address or an IPv6 address in brackets, and a port. */
const allowedHost = '([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\]):[1-9][0-9]{0,4}';

/** PostgreSQL and Redis, and where the service listens. */
const stores = {
  DATABASE_URL: Type.String({
    pattern: '^postgres(ql)?://',
    description:
      'PostgreSQL 15 or newer: the truth. The service switches to the role `public_picks_service` on it.',
    secret: true,
  }),
  DATABASE_OWNER_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'The same database under the role that owns the tables; migrations run there. Default: `DATABASE_URL`.',
      secret: true,
    }),
  ),
  REDIS_URL: Type.String({
    pattern: '^rediss?://',
    description: 'Redis 6.2 or newer, or Valkey: queues and rendered boards; disposable.',
    secret: true,
  }),
  PORT: Type.Integer({
    minimum: 0,
    maximum: 65535,
    default: 3000,
    description: 'Port of the public site and API.',
  }),
  HOST: Type.String({ default: '0.0.0.0', description: 'Address on which the public port listens.' }),
  OPERATOR_PORT: Type.Integer({
    minimum: 0,
    maximum: 65535,
    default: 3001,
    description: "Port of the operator's side: posting, Bull Board, metrics.",
  }),
  OPERATOR_HOST: Type.String({
    default: '127.0.0.1',
    description: "Address on which the operator's port listens.",
  }),
  BASE_URL: Type.String({
    pattern: '^https?://[^/?#]+$',
    default: 'http://localhost:3000',
    description: 'The public address of the site, without a trailing slash; permalinks begin with it.',
  }),
  OPERATOR_TOKEN: Type.String({
    minLength: 16,
    description: "The bearer token of the operator's port.",
    secret: true,
  }),
  SECRET_KEY: key32('32 bytes in base64: encrypts webhook secrets.'),
};

/** The signed log. */
const log = {
  LEDGER_KEY: key32("32 bytes in base64: the seed of the log's Ed25519 signing key."),
  LEDGER_ORIGIN: Type.String({
    pattern: '^[^\\s+]{0,200}$',
    default: '',
    description:
      "The log's name. Where empty: `<host of BASE_URL>/ledger` at the first start. Kept in the database from then on.",
  }),
  CHECKPOINT_FILE: Type.String({
    default: '',
    description:
      'File outside the database that keeps the checkpoint published last: nothing that contradicts it is signed. Best on another disk, and backed up by itself.',
  }),
  WITNESSES: Type.String({
    default: '',
    description:
      'Witnesses that are asked to cosign every checkpoint (C2SP tlog-witness): `<verifier key> <address>`, comma separated.',
  }),
};

/** How the service runs and what it says of itself. */
const running = {
  DATA_DIR: Type.String({
    default: '.data',
    description: 'Folder of the embedded PostgreSQL and Redis, made secrets and notes of a running service.',
  }),
  DEMO: Type.Boolean({
    default: false,
    description:
      '`1`: fill and keep alive the demo ledger. Only with the embedded database, where `npm start` sets it.',
  }),
  SERVICE_CLOCK: Type.String({
    default: '',
    description:
      'ISO instant at which the service starts, to replay a past day; `<instant>@<real instant>` anchors it.',
  }),
  TRUST_PROXY: Type.Integer({
    minimum: 0,
    maximum: 10,
    default: 0,
    description: 'How many proxies stand in front: so many addresses of `X-Forwarded-For` are believed.',
  }),
  WEBHOOK_ALLOW_HOSTS: Type.String({
    pattern: `^$|^${allowedHost}(\\s*,\\s*${allowedHost})*$`,
    must: '`host:port`, separated by commas',
    default: '',
    description:
      'Hosts that webhooks may be sent to whatever their name, port and address: `host:port`, separated by commas. For tests and private installations.',
  }),
  LOG_LEVEL: Type.Union(
    ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'Least severe level that is logged.' },
  ),
  DEPLOY_ENVIRONMENT: Type.String({
    pattern: '^[a-z0-9-]{1,40}$',
    default: 'local',
    description: 'Name of this deployment, shown by `/api/version`.',
  }),
  HELP_LINE: Type.String({
    minLength: 3,
    maxLength: 80,
    default: '1-800-GAMBLER',
    description:
      'Where people find help with gambling: the line as it is said. On every page, card and feed.',
  }),
  HELP_LINE_NUMBER: Type.String({
    pattern: '^\\+?[0-9][0-9-]{1,24}$',
    default: '1-800-426-2537',
    description: 'The number of that line, to be dialled.',
  }),
  COMMIT: Type.String({
    pattern: '^[0-9a-zA-Z._-]{0,64}$',
    default: '',
    description: 'Build identifier, shown by `/api/version`; where empty, the commit of the checkout.',
  }),
  BULL_BOARD_ACTIONS: Type.Boolean({
    default: false,
    description: '`1`: Bull Board may retry, promote and remove jobs; else it is read-only.',
  }),
};

/** What is an alarm, and who is told. */
const watch = {
  CHECK_DATABASE: thresholds(1, 4, 'Seconds that PostgreSQL takes to answer'),
  CHECK_REDIS: thresholds(1, 2, 'Seconds that Redis takes to answer'),
  CHECK_LAST_PICK: thresholds(43_200, 172_800, 'Seconds in which games could be bet on and no pick came'),
  CHECK_LAST_SETTLEMENT: thresholds(21_600, 86_400, 'Seconds without a settlement although games were over'),
  CHECK_SEALING: thresholds(60, 600, 'Seconds that an event waits for its place in the log'),
  CHECK_CLOSINGS: thresholds(
    120,
    600,
    'Seconds after the start that a pick with a closing price is not closed',
  ),
  CHECK_GRADINGS: thresholds(120, 900, 'Seconds that a pick with a known result is not settled'),
  CHECK_RESULTS: thresholds(
    43_200,
    604_800,
    'Seconds that a game with pending picks is over without a result',
  ),
  CHECK_BOARDS: thresholds(120, 900, 'Seconds that a board is beyond its lifetime, or behind the log'),
  CHECK_FEEDS: thresholds(3600, 21_600, "Seconds that a provider's feed fails or is late"),
  CHECK_FANOUT: thresholds(180, 900, 'Seconds since the last cycle of the webhook fanout'),
  CHECK_DELIVERIES: thresholds(600, 3600, 'Age in seconds of the oldest event not sent to a healthy webhook'),
  CHECK_JOBS_FAILED: thresholds(1, 20, 'Jobs of a queue that failed within 3 minutes or have stalled'),
  CHECK_JOBS_WAITING: thresholds(120, 600, 'Seconds that the first job of a queue waits'),
  CHECK_WORKERS: thresholds(15, 60, 'Seconds that a queue has no worker'),
  CHECK_CHECKPOINT: thresholds(120, 900, 'Seconds that sealed events are without a signed checkpoint'),
  CHECK_STATUS_WORKER: thresholds(60, 300, 'Seconds since the status worker last looked'),
  ALERT_WEBHOOK_URL: Type.String({
    pattern: '^(https?://[^\\s]+)?$',
    default: '',
    description: 'Incoming webhook of a Discord or Slack channel that is told of incidents.',
    secret: true,
  }),
  HEARTBEAT_URL: Type.String({
    pattern: '^(https?://[^\\s]+)?$',
    default: '',
    description: "Address of a dead man's switch: called every minute while no incident is open.",
    secret: true,
  }),
};

/** What comes in by itself. */
const sources = {
  ODDS_API_KEY: Type.String({
    pattern: '^[A-Za-z0-9_-]{0,100}$',
    default: '',
    description: 'Key of The Odds API (v4): prices and scores come in from there. Empty: off.',
    secret: true,
  }),
  ODDS_API_URL: Type.String({
    pattern: '^https?://[^/?#\\s]+$',
    default: 'https://api.the-odds-api.com',
    description: 'Where The Odds API answers.',
  }),
  ODDS_API_SPORTS: Type.String({
    pattern: `^${oddsSport}( ${oddsSport})*$`,
    default:
      'americanfootball_nfl americanfootball_ncaaf basketball_nba basketball_ncaab basketball_wnba baseball_mlb icehockey_nhl mma_mixed_martial_arts soccer_epl',
    description:
      'Sport keys of The Odds API, separated by spaces; `tennis_*` and `soccer_*` stand for all of their kind. Those out of season are not asked for.',
  }),
  ODDS_API_REGIONS: Type.String({
    pattern: '^[a-z0-9]{2,6}(,[a-z0-9]{2,6}){0,5}$',
    default: 'us',
    description: 'Regions of bookmakers at The Odds API, separated by commas; each one costs as much again.',
  }),
  ODDS_API_RESERVE: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 20,
    description: 'Credits of The Odds API that are never spent.',
  }),
  SCHEDULE_FEEDS: Type.String({
    pattern: '^([a-z0-9][a-z0-9_-]{0,39}=https?://\\S+( [a-z0-9][a-z0-9_-]{0,39}=https?://\\S+)*)?$',
    default: '',
    description: 'League schedules as .ics feeds: `sport=url`, separated by spaces. Empty: none.',
  }),
};

/** Of every process. */
const processes = {
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.String({
    pattern: '^(https?://\\S+)?$',
    default: '',
    description:
      'OTLP collector (HTTP) that traces are sent to, such as `http://localhost:4318`. Empty: off.',
  }),
  SHUTDOWN_SECONDS: Type.Integer({
    minimum: 1,
    maximum: 300,
    default: 10,
    description:
      'How long a process may take to close once it is told to end; then it ends with status 1 and says what hung.',
  }),
};

/**
 * Every setting of the service: read once, from the environment, validated here, listed in the README (a test compares).
 * `npm start` fills in those of the embedded database and Redis.
 */
export const settingsSchema = Type.Object({
  ...stores,
  ...log,
  ...running,
  ...watch,
  ...sources,
  ...processes,
});
