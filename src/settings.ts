import type { Static } from 'typebox';
import { Type } from 'typebox';
import { createClock } from './clock.ts';
import { checker, faultsText } from './schema.ts';

const key32 = (description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$', description, secret: true });

/** A name, an IPv4 address or an IPv6 address in brackets, and a port. */
const allowedHost = '([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\]):[1-9][0-9]{0,4}';

/**
 * Every setting of the service: read once, from the environment, validated here, listed in the README (a test compares).
 * `npm start` fills in those of the embedded database and Redis.
 */
export const settingsSchema = Type.Object({
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
  LEDGER_KEY: key32("32 bytes in base64: the seed of the log's Ed25519 signing key."),
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
    description: 'Where people find help with gambling: the line as it is said. On every page and card.',
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
});

export type Settings = Static<typeof settingsSchema>;

/** The settings are wrong; the message says which and why, one a line. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

const check = checker(settingsSchema, { coerce: true });

/**
 * Reads and validates the settings from an environment. An empty variable counts as absent.
 * @throws SettingsError that names each wrong setting
 */
export function readSettings(environment: NodeJS.ProcessEnv = process.env): Settings {
  const given: Record<string, string> = {};
  for (const name of Object.keys(settingsSchema.properties)) {
    const value = environment[name]?.trim();
    if (value === undefined || value === '') continue;
    given[name] = name === 'DEMO' || name === 'BULL_BOARD_ACTIONS' ? flag(value) : value;
  }
  const checked = check(given);
  if (!checked.ok) throw new SettingsError(`wrong settings: ${faultsText(checked.faults)}`);
  try {
    createClock(checked.value.SERVICE_CLOCK);
  } catch (error) {
    throw new SettingsError(`wrong settings: SERVICE_CLOCK ${(error as Error).message}`);
  }
  const wrongHost = checked.value.WEBHOOK_ALLOW_HOSTS.split(',').find(
    (host) => host.trim() !== '' && !URL.canParse(`https://${host.trim()}`),
  );
  if (wrongHost !== undefined)
    throw new SettingsError(
      `wrong settings: WEBHOOK_ALLOW_HOSTS has no host and port in ${wrongHost.trim()}`,
    );
  return checked.value;
}

/** Reads the settings for an entry point: wrong ones end the process with the sentence that says which and why. */
export function settingsOrExit(): Settings {
  try {
    return readSettings();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function flag(value: string): string {
  return value === '1' ? 'true' : value === '0' ? 'false' : value;
}
