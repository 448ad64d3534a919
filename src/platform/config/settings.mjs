// @ts-check

import {
  allowedHosts,
  anyText,
  calendars,
  checkpointPlace,
  checkThresholds,
  clockSetting,
  filesPlace,
  flag,
  headerLine,
  helpLine,
  key32,
  listOf,
  matching,
  namedTokens,
  oneOf,
  optionalList,
  poolSizes,
  postgresAddress,
  redisNodes,
  redisSentinels,
  signerAddress,
  siteAddress,
  sourceUrls,
  storeAddress,
  tokenOf,
  webAddress,
  webAddresses,
  wholeNumber,
  witnessList,
} from './kinds.mjs';
import { processes } from './processes.mjs';

/** @typedef {import('./processes.mjs').ProcessName} ProcessName */

/**
 * A setting. An absent or empty variable takes the default; without one the value is undefined, or the setting is required.
 * @template [T=unknown]
 * @typedef {object} Setting
 * @property {string} env the environment variable
 * @property {readonly ProcessName[]} [usedBy] the processes that use it, and so get it. Default: all. Others can neither read it nor miss it
 * @property {(text: string) => T} read
 * @property {string} about for the README, in Markdown
 * @property {string} [default] as it would be written in the environment
 * @property {true} [required]
 * @property {string} [requiredUnless] required unless this other variable is set; then it is not read
 * @property {true} [secret] it is never shown
 */

/** The names of the checks, each declared in `src/status/checks/<name>.ts`. */
export const checkNames = /** @type {const} */ ([
  'database',
  'redis',
  'last-pick',
  'last-settlement',
  'sealing',
  'events-set-aside',
  'checkpoint',
  'closings',
  'gradings',
  'results',
  'disputed-scores',
  'feeds',
  'fanout',
  'deliveries',
  'workers',
  'jobs',
  'jobs-waiting',
  'boards-lag',
  'boards',
  'cdn',
  'log-files',
  'status-worker',
]);

/** @typedef {(typeof checkNames)[number]} CheckName */

/**
 * Every setting of the service, grouped by who uses it: the shape of `Config`. The README's table is made from here.
 *
 * Plain JavaScript without packages, so that `npm start` can check the settings before it installs any.
 */
export const settings = /** @type {const} */ ({
  database: {
    url: {
      env: 'DATABASE_URL',
      read: postgresAddress,
      required: true,
      secret: true,
      about:
        'PostgreSQL 15 or newer, the source of truth, under the login of the process: each has one of its own ([docs/schema.sql](docs/schema.sql)). `npm start` takes the address of the owner as well, and makes the logins. Several servers of a failover group: `postgres://user:password@one:5432,two:5432/picks?target_session_attrs=read-write`.',
    },
    replicaUrl: {
      env: 'DATABASE_REPLICA_URL',
      usedBy: ['web', 'boards'],
      read: postgresAddress,
      secret: true,
      about:
        'A streaming standby of it, which boards, exports and the published log are read from once it has what the primary has; where it lags or is away they are read from the primary. Without a user: that of `DATABASE_URL`, with its password. Default: off.',
    },
    pools: {
      env: 'DATABASE_POOLS',
      usedBy: processes,
      read: poolSizes({
        web: 10,
        operator: 5,
        ingest: 4,
        sealing: 4,
        grading: 4,
        boards: 4,
        webhooks: 6,
        status: 4,
      }),
      default: '',
      about:
        'Connections to PostgreSQL at most, by process: `web:20,webhooks:10`. Default: web 10, webhooks 6, operator 5, the others 4. A web process has 7 more. Each process logs an error when one of each may open more than the server takes.',
    },
    ownerUrl: {
      env: 'DATABASE_OWNER_URL',
      usedBy: ['migrate'],
      read: postgresAddress,
      secret: true,
      about:
        'The same database under the role that owns the tables and has CREATEROLE, past any pooler: for `migrate` alone. Default: `DATABASE_URL`.',
    },
    passwords: {
      env: 'DATABASE_PASSWORDS',
      usedBy: ['migrate'],
      read: matching(
        /^[a-z]+:[\w.~+/=-]{16,}(,[a-z]+:[\w.~+/=-]{16,})*$/,
        '<login>:<password>, separated by commas, with passwords of 16 or more letters, digits or ._~+/=-',
      ),
      secret: true,
      about:
        'Passwords of the logins, which `migrate` sets: `web:<password>,operator:<password>,...`. Default: `npm start` derives them from the password of the owner, `migrate` leaves them as they are.',
    },
  },
  redis: {
    url: {
      env: 'REDIS_URL',
      usedBy: processes,
      read: storeAddress(['redis', 'rediss']),
      required: true,
      secret: true,
      about:
        'Redis 6.2 or newer, or Valkey: queues and rendered boards. Its contents are disposable, and what is true waits for it no longer than two seconds ([0054](docs/decisions/0054-redis-may-go.md)). `rediss:` is with TLS.',
    },
    cacheUrl: {
      env: 'REDIS_CACHE_URL',
      usedBy: ['web', 'boards', 'status'],
      read: storeAddress(['redis', 'rediss']),
      secret: true,
      about:
        'Another Redis for rendered boards, so that they do not share memory with the queues. Default: the one of `REDIS_URL`.',
    },
    sentinels: {
      env: 'REDIS_SENTINELS',
      usedBy: processes,
      read: redisSentinels,
      secret: true,
      about:
        'Sentinels that know the primary, separated by commas: `<host>:<port>`, or `:<password>@<host>:<port>`. `REDIS_URL` then gives user, password, database and TLS; its host is not used. Default: none.',
    },
    clusterNodes: {
      env: 'REDIS_CLUSTER_NODES',
      usedBy: processes,
      read: redisNodes,
      secret: true,
      about:
        'Nodes through which a Redis Cluster is found, separated by commas: `<host>:<port>`. `REDIS_URL` then gives user, password and TLS. Default: no cluster.',
    },
  },
  http: {
    port: {
      env: 'PORT',
      usedBy: ['web'],
      read: wholeNumber(0, 65535),
      default: '3000',
      about: 'Port of the public site and API.',
    },
    host: {
      env: 'HOST',
      usedBy: ['web'],
      read: anyText,
      default: '0.0.0.0',
      about: 'Address that the public port listens on.',
    },
    concurrency: {
      env: 'WEB_CONCURRENCY',
      usedBy: ['web'],
      read: wholeNumber(1, 64),
      default: '1',
      about:
        'Number of processes that share the public port. Each has its own memory of answers and its own connections to PostgreSQL.',
    },
    cacheMb: {
      env: 'WEB_CACHE_MB',
      usedBy: ['web'],
      read: wholeNumber(8, 4096),
      default: '16',
      about:
        'Memory in MB for what each web process keeps so as not to make it again: half for answers, the other half for exports with sitemaps and for cards. A site with many readers and memory to spare is given more.',
    },
    fastPath: {
      env: 'FAST_PATH',
      usedBy: ['web'],
      read: flag,
      default: '1',
      about:
        '`0`: Node parses every request, also those that memory can answer. They then take about twice the processor time. A tracer (`OTEL_EXPORTER_OTLP_ENDPOINT`) turns it off too.',
    },
    trustProxy: {
      env: 'TRUST_PROXY',
      usedBy: ['web'],
      read: wholeNumber(0, 10),
      default: '0',
      about: 'Number of proxies in front: how many addresses of `X-Forwarded-For` are trusted.',
    },
  },
  site: {
    baseUrl: {
      env: 'BASE_URL',
      usedBy: ['web', 'operator', 'ingest', 'sealing', 'boards', 'webhooks', 'status'],
      read: siteAddress,
      default: 'http://localhost:3000',
      about: 'Public address of the site, without a trailing slash. Permalinks begin with it.',
    },
    securityContact: {
      env: 'SECURITY_CONTACT',
      usedBy: ['web'],
      read: matching(
        /^(mailto:[^\s@]+@|https:\/\/|tel:\+)\S+$/,
        'an address such as mailto:security@picks.example or https://picks.example/security',
      ),
      about:
        'Where to report a vulnerability, for `/.well-known/security.txt`: `mailto:`, `https:` or `tel:`. Default: `mailto:security@<host of BASE_URL>`.',
    },
    helpLine: {
      env: 'HELP_LINE',
      usedBy: ['web', 'boards'],
      read: helpLine,
      default: '1-800-GAMBLER',
      about:
        'Problem gambling help line on every page, card, and feed: a telephone number, with a name before it if you like, such as `GamCare 0808 8020 133`. Capital letters are dialed as on a keypad.',
    },
    demo: {
      env: 'DEMO',
      usedBy: ['web', 'operator', 'ingest', 'sealing', 'status', 'migrate'],
      read: flag,
      default: '0',
      about:
        '`1`: fill the ledger with demo data and keep adding to it. Embedded database only; `npm start` sets it.',
    },
  },
  cdn: {
    purgeUrls: {
      env: 'CDN_PURGE_URL',
      usedBy: ['boards', 'status'],
      read: webAddresses,
      default: '',
      secret: true,
      about:
        'Addresses of the purge endpoints of caches in front, separated by spaces. Each gets a POST with the changed tags in `Surrogate-Key` and in the body ([0052](docs/decisions/0052-caches-in-front.md)). Default: off.',
    },
    purgeHeader: {
      env: 'CDN_PURGE_HEADER',
      usedBy: ['boards', 'status'],
      read: headerLine,
      secret: true,
      about: 'A header of these requests, such as `Authorization: Bearer …` or `Fastly-Key: …`.',
    },
  },
  operator: {
    port: {
      env: 'OPERATOR_PORT',
      usedBy: ['operator'],
      read: wholeNumber(0, 65535),
      default: '3001',
      about: "Operator's port: posting, Bull Board, metrics.",
    },
    host: {
      env: 'OPERATOR_HOST',
      usedBy: ['operator'],
      read: anyText,
      default: '127.0.0.1',
      about: "Address that the operator's port listens on.",
    },
    token: {
      env: 'OPERATOR_TOKEN',
      usedBy: ['operator'],
      read: tokenOf(16),
      required: true,
      secret: true,
      about: "Bearer token of the operator's port, 16 characters or more. Who has it is called `operator`.",
    },
    tokens: {
      env: 'OPERATOR_TOKENS',
      usedBy: ['operator'],
      read: namedTokens,
      secret: true,
      about:
        'Further operators, each with a name and a token of their own: `ada:<token>,bram:<token>`. Changes are recorded by name.',
    },
    queueActions: {
      env: 'BULL_BOARD_ACTIONS',
      usedBy: ['operator'],
      read: flag,
      default: '0',
      about: '`1`: Bull Board may retry, promote and remove jobs. Default: read-only.',
    },
  },
  ledger: {
    key: {
      env: 'LEDGER_KEY',
      usedBy: ['sealing', 'operator'],
      read: key32,
      requiredUnless: 'LEDGER_SIGNER',
      secret: true,
      about: "32 bytes in base64: seed of the log's Ed25519 signing key.",
    },
    signer: {
      env: 'LEDGER_SIGNER',
      usedBy: ['sealing', 'operator'],
      read: signerAddress,
      about:
        'What signs in place of `LEDGER_KEY`, which is then not read: a command, `unix:/path` or `http://127.0.0.1:port` ([docs/signer.md](docs/signer.md)).',
    },
    origin: {
      env: 'LEDGER_ORIGIN',
      usedBy: ['sealing', 'operator'],
      read: matching(/^[^\s+]{1,200}$/, 'a name of 1 to 200 characters without spaces or plus signs'),
      about:
        "The log's name. Default: `<host of BASE_URL>/ledger` at the first start, kept in the database from then on.",
    },
    checkpointStore: {
      env: 'CHECKPOINT_STORE',
      usedBy: ['sealing', 'migrate'],
      read: checkpointPlace,
      secret: true,
      about:
        'What keeps the newest checkpoint outside the database: nothing that contradicts it is published. The path of a file, best on another disk and with a backup of its own; with sealing workers on several hosts a `postgres://` address outside the failover group.',
    },
    files: {
      env: 'LOG_FILES',
      usedBy: ['sealing'],
      read: filesPlace,
      about:
        'Where the published log is kept as files, for a web server or a CDN: a folder, or `s3://<bucket>/<prefix>` in an S3-compatible store that knows conditional writes ([0053](docs/decisions/0053-the-log-as-files.md)). Default: none are written.',
    },
    filesKey: {
      env: 'LOG_FILES_S3_KEY',
      usedBy: ['sealing'],
      read: matching(/^[^\s:]{1,128}:\S{8,}$/, '<access key id>:<secret access key> or file:<path>'),
      secret: true,
      about:
        'Key to the bucket: `<access key id>:<secret access key>`, or `file:<path>`: a JSON file in the format of the AWS `credential_process`, with `AccessKeyId`, `SecretAccessKey` and optionally `SessionToken`. The file is read for each request, so temporary credentials work. The key must be allowed to list the bucket, and to get, put and delete objects under the prefix.',
    },
    witnesses: {
      env: 'WITNESSES',
      usedBy: ['sealing'],
      read: witnessList,
      default: '',
      about:
        'Witnesses that are asked to cosign every checkpoint (C2SP tlog-witness): `<verifier key> <address>`, separated by commas.',
    },
    witnessQuorum: {
      env: 'WITNESS_QUORUM',
      usedBy: ['sealing'],
      read: wholeNumber(0, 99),
      default: '0',
      about:
        'Cosignatures that a checkpoint needs before it is published. That a pick was known before its game is claimed only with 1 or more.',
    },
  },
  webhooks: {
    secretKey: {
      env: 'SECRET_KEY',
      usedBy: ['web', 'webhooks'],
      read: key32,
      required: true,
      secret: true,
      about: '32 bytes in base64: encrypts the secrets and target addresses of webhooks.',
    },
    allowedHosts: {
      env: 'WEBHOOK_ALLOW_HOSTS',
      usedBy: ['web', 'webhooks'],
      read: allowedHosts,
      default: '',
      about:
        'Hosts that webhooks may be sent to whatever their name, port and address: `host:port`, separated by commas. For tests and private installations.',
    },
  },
  sources: {
    espn: {
      leagues: {
        env: 'ESPN_LEAGUES',
        usedBy: ['ingest'],
        read: optionalList(
          /\s+/,
          /^(all|nba|wnba|ncaab|nfl|ncaaf|mlb|nhl|ufc|soccer\/[a-z0-9_]+(\.[a-z0-9_]+)+)$/,
          "all, or leagues separated by spaces: nba, wnba, ncaab, nfl, ncaaf, mlb, nhl, ufc, and soccer competitions by ESPN's name, such as soccer/eng.1",
        ),
        default: '',
        about:
          "Leagues whose schedules and scores come from ESPN's public scoreboard, separated by spaces: `nba`, `wnba`, `ncaab`, `nfl`, `ncaaf`, `mlb`, `nhl`, `ufc`, `soccer/<competition>` as ESPN names it, or `all`. Needs no key; it is not documented, so a league turns itself off when its answers change. Default: off.",
      },
    },
    footballData: {
      key: {
        env: 'FOOTBALL_DATA_KEY',
        usedBy: ['ingest'],
        read: matching(/^[A-Za-z0-9_-]{1,100}$/, 'a token of letters, digits, hyphens and underscores'),
        secret: true,
        about:
          'Token of football-data.org (v4), a further source of soccer scores, with the 90 minutes apart from what follows. Default: off.',
      },
    },
    oddsApi: {
      key: {
        env: 'ODDS_API_KEY',
        usedBy: ['ingest'],
        read: matching(/^[A-Za-z0-9_-]{1,100}$/, 'a key of letters, digits, hyphens and underscores'),
        secret: true,
        about: 'Key of The Odds API (v4), which prices and scores are fetched from. Default: off.',
      },
      sports: {
        env: 'ODDS_API_SPORTS',
        usedBy: ['ingest'],
        read: listOf(
          /\s+/,
          /^((americanfootball_nfl|basketball_nba|baseball_mlb)(_preseason)?|americanfootball_ncaaf|basketball_(ncaab|wnba)|icehockey_nhl|mma_mixed_martial_arts|(soccer|tennis)_([a-z0-9_]+|\*))$/,
          'sport keys of The Odds API separated by spaces, such as basketball_nba soccer_*',
        ),
        default:
          'americanfootball_nfl americanfootball_ncaaf basketball_nba basketball_ncaab basketball_wnba baseball_mlb icehockey_nhl mma_mixed_martial_arts soccer_epl',
        about:
          'Sport keys of The Odds API, separated by spaces; `tennis_*` and `soccer_*` stand for every competition. Those out of season are not fetched.',
      },
      regions: {
        env: 'ODDS_API_REGIONS',
        usedBy: ['ingest'],
        read: listOf(
          ',',
          /^(us|us2|us_dfs|us_ex|uk|eu|fr|se|au)$/,
          'regions of The Odds API separated by commas: us, us2, us_dfs, us_ex, uk, eu, fr, se, au',
          9,
        ),
        default: 'us',
        about:
          'Bookmaker regions of The Odds API, separated by commas: `us`, `us2`, `us_dfs`, `us_ex`, `uk`, `eu`, `fr`, `se`, `au`. Each one costs the same credits again.',
      },
      bookmakers: {
        env: 'ODDS_API_BOOKMAKERS',
        usedBy: ['ingest'],
        read: optionalList(
          ',',
          /^[a-z0-9][a-z0-9_]{1,39}$/,
          'bookmaker keys of The Odds API separated by commas, such as pinnacle,draftkings',
          40,
        ),
        default: '',
        about:
          'Bookmakers of The Odds API by key, separated by commas, in place of regions: every ten of them cost as much as a region.',
      },
    },
    urls: {
      env: 'SOURCE_URLS',
      usedBy: ['ingest'],
      read: sourceUrls({
        espn: 'https://site.api.espn.com',
        'football-data': 'https://api.football-data.org',
        'odds-api': 'https://api.the-odds-api.com',
      }),
      default: '',
      about:
        'Addresses of APIs reached through a proxy: `<source>=<address>`, separated by spaces, for `espn`, `football-data`, and `odds-api`. Default: the public address of each.',
    },
    schedules: {
      env: 'SCHEDULE_FEEDS',
      usedBy: ['ingest'],
      read: calendars,
      default: '',
      secret: true,
      about:
        'League schedules as .ics feeds: `sport=url`, separated by spaces. `sport@zone=url` names the time zone of times without one, such as `nfl@America/New_York=webcal://…`; `sport,away-first=url` says that `A vs B` names the away team first (`home-first`: the home team).',
    },
  },
  status: {
    checks: {
      env: 'CHECKS',
      usedBy: ['status', 'web'],
      read: checkThresholds(checkNames),
      default: '',
      about:
        'Thresholds of checks that differ from their defaults: `<check>:<degraded>,<down>`, separated by spaces, such as `closings:120,600 deliveries:600,3600`. The checks are listed below.',
    },
    alertUrl: {
      env: 'ALERT_WEBHOOK_URL',
      usedBy: ['status'],
      read: webAddress,
      secret: true,
      about:
        'Incoming webhook of a Discord, Slack or Microsoft Teams channel that incidents are reported to.',
    },
    heartbeatUrl: {
      env: 'HEARTBEAT_URL',
      usedBy: ['status'],
      read: webAddress,
      secret: true,
      about: "Address of a dead man's switch, called every minute while no incident is open.",
    },
  },
  deployment: {
    environment: {
      env: 'DEPLOY_ENVIRONMENT',
      usedBy: ['web', 'status'],
      read: matching(/^[a-z0-9-]{1,40}$/, 'a name of 1 to 40 lower-case letters, digits and hyphens'),
      default: 'local',
      about: 'Name of this deployment, shown by `/api/version`.',
    },
    commit: {
      env: 'COMMIT',
      usedBy: ['web'],
      read: matching(/^[0-9a-zA-Z._-]{1,64}$/, '1 to 64 letters, digits, dots, hyphens and underscores'),
      about: 'Build identifier, shown by `/api/version`. Default: the commit of the checkout.',
    },
  },
  process: {
    logLevel: {
      env: 'LOG_LEVEL',
      read: oneOf(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']),
      default: 'info',
      about: 'Least severe level that is logged.',
    },
    shutdownSeconds: {
      env: 'SHUTDOWN_SECONDS',
      read: wholeNumber(1, 300),
      default: '10',
      about:
        'Seconds that a process may take to shut down. After that it exits with status 1 and logs what hung.',
    },
    healthPort: {
      env: 'HEALTH_PORT',
      usedBy: ['ingest', 'sealing', 'grading', 'boards', 'webhooks', 'status'],
      read: wholeNumber(1, 65535),
      about:
        'Port on which a worker answers `/healthz` and `/readyz`; each process needs its own. Default: none.',
    },
    clock: {
      env: 'SERVICE_CLOCK',
      read: clockSetting,
      about:
        'ISO instant at which the service starts, to replay a past day; `<instant>@<real instant>` anchors it.',
    },
    tracesUrl: {
      env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      usedBy: processes,
      read: webAddress,
      secret: true,
      about: 'OTLP collector (HTTP) for traces, such as `http://localhost:4318`. Default: off.',
    },
    dataDir: {
      env: 'DATA_DIR',
      usedBy: [],
      read: anyText,
      default: '.data',
      about:
        'Folder of the embedded PostgreSQL, generated secrets, logs, and the state of a running service.',
    },
  },
});
