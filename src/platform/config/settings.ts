import * as read from './kinds.ts';
import { type ProcessName, processes } from './processes.ts';

/** A setting. An absent or empty variable means the default; without one the value is undefined, or the setting is required. */
export interface Setting<T = unknown> {
  env: string;
  /** The processes that receive it. Default: all. Others can neither read nor require it. */
  usedBy?: readonly ProcessName[];
  read(text: string): T;
  /** Text for docs/settings.md, in Markdown. */
  about: string;
  /** As written in the environment. */
  default?: string;
  /** Another variable, whose value is the default. */
  defaultsTo?: string;
  required?: true;
  /** Required unless this other variable is set, which then makes it unread. */
  requiredUnless?: string;
  /** Never shown. */
  secret?: true;
}

function setting<T, const Rest extends Omit<Setting, 'env' | 'read'>>(
  env: string,
  read: Setting<T>['read'],
  rest: Rest,
) {
  return { env, read, ...rest };
}

/** Each is declared in `src/status/checks`. */
export const checkNames = [
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
  'twin-games',
  'feeds',
  'provider-answers',
  'fanout',
  'deliveries',
  'workers',
  'jobs',
  'jobs-waiting',
  'boards-lag',
  'boards',
  'status-worker',
] as const;

export type CheckName = (typeof checkNames)[number];

/** Every setting of the service, grouped as in `Config`. `npm run docs` generates docs/settings.md from it. */
export const settings = {
  database: {
    url: setting('DATABASE_URL', read.postgresAddress, {
      required: true,
      secret: true,
      about:
        "PostgreSQL 15 or newer, which holds everything. Each process logs in under a role of its own; its rights are in [schema.sql](schema.sql). `npm start` takes the owner's address and creates the logins. List the hosts of a failover group like this: `postgres://user:password@one:5432,two:5432/picks?target_session_attrs=read-write`.",
    }),
    replicaUrl: setting('DATABASE_REPLICA_URL', read.postgresAddress, {
      usedBy: ['web', 'boards'],
      secret: true,
      about:
        'A streaming standby. Boards, exports, and the published log are read from it, and from the primary while it lags or is down. Without a user in the address, the user and password of `DATABASE_URL` apply. Default: none.',
    }),
    pools: setting(
      'DATABASE_POOLS',
      read.poolSizes({
        web: 10,
        operator: 5,
        ingest: 4,
        sealing: 4,
        grading: 4,
        boards: 4,
        webhooks: 6,
        status: 4,
      }),
      {
        usedBy: processes,
        default: '',
        about:
          'Limits on open PostgreSQL connections, by process: `web:20,webhooks:10`. Default: web 10, webhooks 6, operator 5, others 4. Each web process opens up to 7 more. A process logs an error if one process of each kind could open more connections than the server allows.',
      },
    ),
    ownerUrl: setting('DATABASE_OWNER_URL', read.postgresAddress, {
      usedBy: ['migrate'],
      defaultsTo: 'DATABASE_URL',
      secret: true,
      about:
        'The same database under the role that owns the tables and has `CREATEROLE`, connected directly and not through a pooler. Only `migrate` uses it. Default: `DATABASE_URL`.',
    }),
    passwords: setting(
      'DATABASE_PASSWORDS',
      read.matching(
        /^[a-z]+:[\w.~+/=-]{16,}(,[a-z]+:[\w.~+/=-]{16,})*$/,
        '<login>:<password>, separated by commas, with passwords of 16 or more letters, digits, or ._~+/=-',
      ),
      {
        usedBy: ['migrate'],
        secret: true,
        about:
          "Passwords that `migrate` gives the logins: `web:<password>,operator:<password>,...`. Default: `npm start` derives them from the owner's password; `migrate` keeps the current ones.",
      },
    ),
  },
  redis: {
    url: setting('REDIS_URL', read.redisAddress, {
      usedBy: processes,
      required: true,
      secret: true,
      about:
        'Redis 6.2 or newer, or Valkey, for queues and rendered boards. Its data is disposable: the service rebuilds it, and an outage never delays a ledger write by more than 2 s. Use `rediss:` for TLS.',
    }),
    cacheUrl: setting('REDIS_CACHE_URL', read.redisAddress, {
      usedBy: ['web', 'boards', 'status'],
      secret: true,
      about:
        'A separate Redis for rendered boards, so that they do not compete with the queues for memory. Default: `REDIS_URL`.',
    }),
    sentinels: setting('REDIS_SENTINELS', read.redisSentinels, {
      usedBy: processes,
      secret: true,
      about:
        'Sentinels, as `<host>:<port>` or `:<password>@<host>:<port>`, separated by commas. Append `/<name>` if they know the primary by another name than `mymaster`. `REDIS_URL` then supplies user, password, database, and TLS; its host is ignored. Default: none.',
    }),
    clusterNodes: setting('REDIS_CLUSTER_NODES', read.redisNodes, {
      usedBy: processes,
      secret: true,
      about:
        'Some nodes of a Redis Cluster, as `<host>:<port>`, separated by commas; the others are discovered. `REDIS_URL` then supplies user, password, and TLS. Default: none.',
    }),
  },
  http: {
    port: setting('PORT', read.wholeNumber(0, 65535), {
      usedBy: ['web'],
      default: '3000',
      about: 'Port of the public site and API.',
    }),
    host: setting('HOST', read.anyText, {
      usedBy: ['web'],
      default: '0.0.0.0',
      about: 'Address that the public port listens on.',
    }),
    concurrency: setting('WEB_CONCURRENCY', read.wholeNumber(1, 64), {
      usedBy: ['web'],
      default: '1',
      about:
        'Number of web processes that share the public port. Each has its own cache and its own PostgreSQL connections.',
    }),
    cacheMb: setting('WEB_CACHE_MB', read.wholeNumber(8, 4096), {
      usedBy: ['web'],
      default: '16',
      about:
        'In-memory cache of each web process, in MB: answers, cards, exports, and sitemaps. Raise it on a busy site with memory to spare.',
    }),
    fastPath: setting('FAST_PATH', read.flag, {
      usedBy: ['web'],
      default: '1',
      about:
        '`0` turns off the fast path, which answers cached requests before Node parses them and halves their CPU time. It is always off while traces are on (`OTEL_EXPORTER_OTLP_ENDPOINT`).',
    }),
    trustProxy: setting('TRUST_PROXY', read.wholeNumber(0, 10), {
      usedBy: ['web'],
      default: '0',
      about:
        'Number of reverse proxies in front of the service, and so the number of `X-Forwarded-For` entries to trust.',
    }),
  },
  site: {
    baseUrl: setting('BASE_URL', read.siteAddress, {
      usedBy: ['web', 'operator', 'ingest', 'sealing', 'boards', 'webhooks', 'status'],
      default: 'http://localhost:3000',
      about: 'Public address of the site, without a trailing slash. Permalinks start with it.',
    }),
    securityContact: setting(
      'SECURITY_CONTACT',
      read.matching(
        /^(mailto:[^\s@]+@|https:\/\/|tel:\+)\S+$/,
        'an address such as mailto:security@picks.example or https://picks.example/security',
      ),
      {
        usedBy: ['web'],
        about:
          'Where to report a vulnerability, shown in `/.well-known/security.txt`: a `mailto:`, `https:`, or `tel:` address. Default: `mailto:security@<host of BASE_URL>`.',
      },
    ),
    helpLine: setting('HELP_LINE', read.helpLine, {
      usedBy: ['web', 'boards'],
      default: '1-800-GAMBLER',
      about:
        'Problem gambling help line shown on every page, card, and feed: a telephone number, optionally after a name, such as `GamCare 0808 8020 133`. Capital letters in the number are dialed as on a keypad.',
    }),
    demo: setting('DEMO', read.flag, {
      usedBy: ['web', 'operator', 'ingest', 'sealing', 'boards', 'status', 'migrate'],
      default: '0',
      about:
        '`1` fills the ledger with demo data and keeps adding to it. Works only with the embedded database, where `npm start` sets it.',
    }),
  },
  cdn: {
    purgeUrls: setting('CDN_PURGE_URL', read.webAddresses, {
      usedBy: ['boards', 'status'],
      default: '',
      secret: true,
      about:
        'Purge endpoints of the caches in front, separated by spaces. The service POSTs the changed tags to each, in `Surrogate-Key` and in the body. Default: none.',
    }),
    purgeHeader: setting('CDN_PURGE_HEADER', read.headerLine, {
      usedBy: ['boards', 'status'],
      secret: true,
      about: 'A header to send with purge requests, such as `Authorization: Bearer …` or `Fastly-Key: …`.',
    }),
  },
  operator: {
    port: setting('OPERATOR_PORT', read.wholeNumber(0, 65535), {
      usedBy: ['operator'],
      default: '3001',
      about: 'Port for operators: posting, Bull Board, metrics.',
    }),
    host: setting('OPERATOR_HOST', read.anyText, {
      usedBy: ['operator'],
      default: '127.0.0.1',
      about: "Address that the operator's port listens on.",
    }),
    tokens: setting('OPERATOR_TOKEN', read.operatorTokens, {
      usedBy: ['operator'],
      required: true,
      secret: true,
      about:
        "Tokens for the operator's port, at least 16 characters each: one token, whose holder is recorded as `operator`, or a list of operators by name, `ada:<token>,bram:<token>`.",
    }),
  },
  ledger: {
    key: setting('LEDGER_KEY', read.key32, {
      usedBy: ['sealing', 'operator'],
      requiredUnless: 'LEDGER_SIGNER',
      secret: true,
      about:
        "Seed of the log's Ed25519 signing key: 32 bytes in base64. Required unless `LEDGER_SIGNER` is set.",
    }),
    signer: setting('LEDGER_SIGNER', read.signerAddress, {
      usedBy: ['sealing', 'operator'],
      about:
        'An external signer to use instead of `LEDGER_KEY`: a command, `unix:/path`, or `http://127.0.0.1:port`. See [signer.md](signer.md).',
    }),
    origin: setting(
      'LEDGER_ORIGIN',
      read.matching(/^[^\s+]{1,200}$/, 'a name of 1 to 200 characters without spaces or plus signs'),
      {
        usedBy: ['sealing', 'operator'],
        about:
          'Name of the log. The first start stores it in the database. Default: `<host of BASE_URL>/ledger`.',
      },
    ),
    checkpointStore: setting('CHECKPOINT_STORE', read.fileOrPostgres, {
      usedBy: ['sealing', 'migrate'],
      secret: true,
      about:
        'Where to keep the newest checkpoint outside the database: the service publishes nothing that contradicts it. A file path, preferably on another disk and backed up separately; or, with sealing workers on several hosts, a `postgres://` address outside the failover group.',
    }),
    publishPrices: setting('PUBLISH_PRICES', read.flag, {
      usedBy: ['web', 'sealing'],
      default: '0',
      about:
        '`1` publishes every stored price, at `/ledger/prices/<entry>` and in `LOG_FILES`, so that anyone can recompute closings and price checks. Only if the provider of the prices allows it: see [operations.md](operations.md#publishing-prices). `npm start` sets it for the demo.',
    }),
    files: setting('LOG_FILES', read.folderOrBucket, {
      usedBy: ['sealing'],
      about:
        "Where to write the published log as files for a web server or CDN: a folder, or `s3://<bucket>/<prefix>` in an S3-compatible store that supports conditional writes. Append `?region=<region>&endpoint=<address>` for a store other than Amazon's in `us-east-1`. Default: nowhere.",
    }),
    dataFiles: setting('DATA_FILES', read.anyText, {
      usedBy: ['web', 'sealing'],
      about:
        'Folder for the record of past months as Parquet files, which `/data` lists. The sealing worker writes them, to `LOG_FILES` too. The web process reads the same folder. `npm start` uses `files` in `DATA_DIR`. Default: no files are written.',
    }),
    filesKey: setting(
      'LOG_FILES_S3_KEY',
      read.matching(/^[^\s:]{1,128}:\S{8,}$/, '<access key id>:<secret access key>'),
      {
        usedBy: ['sealing'],
        secret: true,
        about:
          'Credentials for the bucket: `<access key id>:<secret access key>`. The key must be allowed to list the bucket, and to get, put, and delete objects under the prefix.',
      },
    ),
    witnesses: setting('WITNESSES', read.witnessList, {
      usedBy: ['sealing'],
      default: '',
      about:
        'Witnesses to ask for a cosignature of every checkpoint (C2SP tlog-witness): `<verifier key> <address>`, separated by commas.',
    }),
    witnessQuorum: setting('WITNESS_QUORUM', read.wholeNumber(0, 99), {
      usedBy: ['sealing'],
      default: '0',
      about:
        'Cosignatures that a checkpoint needs before it is published. The site claims that a pick was public before its game only with 1 or more.',
    }),
    auditExpected: setting(
      'AUDIT_EXPECTED',
      read.listOf(/\s*,\s*/, /^[a-z_]+ \S.*$/, 'names of findings, separated by commas'),
      {
        usedBy: ['sealing'],
        default: '',
        about:
          'Findings of an audit that you expect, such as what a PostgreSQL provider adds to the catalog: `role rdsadmin,extension pg_stat_statements,status_days day 2026-01-02`. `*` matches anything. The audit prints them as remarks.',
      },
    ),
  },
  webhooks: {
    secretKey: setting('SECRET_KEY', read.key32, {
      usedBy: ['web', 'webhooks'],
      required: true,
      secret: true,
      about: 'Encrypts webhook secrets and target addresses: 32 bytes in base64.',
    }),
    allowedHosts: setting('WEBHOOK_ALLOW_HOSTS', read.allowedHosts, {
      usedBy: ['web', 'webhooks'],
      default: '',
      about:
        'Hosts exempt from the checks on webhook targets, as `host:port`, separated by commas. For tests and private installations.',
    }),
  },
  sources: {
    espn: {
      leagues: setting(
        'ESPN_LEAGUES',
        read.listOf(
          /\s+/,
          /^(all|[a-z0-9]{2,20}|soccer\/[a-z0-9_]+(\.[a-z0-9_]+)+)$/,
          "all, or leagues separated by spaces: nba, wnba, ncaab, nfl, ncaaf, mlb, nhl, ufc, and soccer competitions by ESPN's name, such as soccer/eng.1",
        ),
        {
          usedBy: ['ingest'],
          default: '',
          about:
            "Leagues to take schedules and scores for from ESPN's public scoreboard, separated by spaces: `nba`, `wnba`, `ncaab`, `nfl`, `ncaaf`, `mlb`, `nhl`, `ufc`, others that have a file, `soccer/<competition>` by ESPN's name, or `all`. Needs no key. The API is undocumented, so a league turns itself off when its answers change shape. Default: off.",
        },
      ),
      url: setting('ESPN_URL', read.apiAddress, {
        usedBy: ['ingest'],
        default: 'https://site.api.espn.com',
        about:
          "Address of ESPN's API, or of a proxy in front of it. If ESPN refuses all other requests, events are also looked up under `/v2/sports` at `https://sports.core.api.espn.com`, or at the proxy.",
      }),
    },
    footballData: {
      key: setting(
        'FOOTBALL_DATA_KEY',
        read.matching(/^[A-Za-z0-9_-]{1,100}$/, 'a token of letters, digits, hyphens, and underscores'),
        {
          usedBy: ['ingest'],
          secret: true,
          about:
            'Token for football-data.org (v4), a second source of soccer scores that reports the 90 minutes separately from extra time. Default: off.',
        },
      ),
      url: setting('FOOTBALL_DATA_URL', read.apiAddress, {
        usedBy: ['ingest'],
        default: 'https://api.football-data.org',
        about: 'Address of football-data.org, or of a proxy in front of it.',
      }),
    },
    oddsApi: {
      key: setting(
        'ODDS_API_KEY',
        read.matching(/^[A-Za-z0-9_-]{1,100}$/, 'a key of letters, digits, hyphens, and underscores'),
        {
          usedBy: ['ingest'],
          secret: true,
          about: 'Key for The Odds API (v4), the source of prices and scores. Default: off.',
        },
      ),
      url: setting('ODDS_API_URL', read.apiAddress, {
        usedBy: ['ingest'],
        default: 'https://api.the-odds-api.com',
        about: 'Address of The Odds API, or of a proxy in front of it.',
      }),
      sports: setting(
        'ODDS_API_SPORTS',
        read.listOf(
          /\s+/,
          /^[a-z0-9]+_([a-z0-9_]+|\*)$/,
          'sport keys of The Odds API separated by spaces, such as basketball_nba soccer_*',
        ),
        {
          usedBy: ['ingest'],
          default:
            'americanfootball_nfl americanfootball_ncaaf basketball_nba basketball_ncaab basketball_wnba baseball_mlb icehockey_nhl mma_mixed_martial_arts soccer_epl tennis_*',
          about:
            'Sport keys of The Odds API, separated by spaces. `tennis_*` and `soccer_*` match every competition. Sports out of season are not fetched.',
        },
      ),
      regions: setting(
        'ODDS_API_REGIONS',
        read.listOf(
          ',',
          /^(us|us2|us_dfs|us_ex|uk|eu|fr|se|au)$/,
          'regions of The Odds API separated by commas: us, us2, us_dfs, us_ex, uk, eu, fr, se, au',
          9,
        ),
        {
          usedBy: ['ingest'],
          default: 'us',
          about:
            'Bookmaker regions of The Odds API, separated by commas: `us`, `us2`, `us_dfs`, `us_ex`, `uk`, `eu`, `fr`, `se`, `au`. Each region costs the same number of credits.',
        },
      ),
      bookmakers: setting(
        'ODDS_API_BOOKMAKERS',
        read.listOf(
          ',',
          /^[a-z0-9][a-z0-9_]{1,39}$/,
          'bookmaker keys of The Odds API separated by commas, such as pinnacle,draftkings',
          40,
        ),
        {
          usedBy: ['ingest'],
          default: '',
          about:
            'Bookmaker keys of The Odds API to fetch instead of regions, separated by commas. Every ten bookmakers cost as much as one region.',
        },
      ),
    },
    schedules: setting('SCHEDULE_FEEDS', read.calendars, {
      usedBy: ['ingest'],
      default: '',
      secret: true,
      about:
        'League schedules as .ics feeds: `<sport>=<address>`, separated by spaces. `nfl@America/New_York=webcal://…` sets the time zone for times without one. `nfl,away-first=…` says that `A vs B` names the away team first (`home-first`: the home team).',
    }),
  },
  status: {
    checks: setting('CHECKS', read.checkThresholds(checkNames), {
      usedBy: ['status', 'web'],
      default: '',
      about:
        'Thresholds to override, as `<check>:<degraded>,<down>`, separated by spaces: `closings:120,600 deliveries:600,3600`. See [the checks](#checks) for names and defaults.',
    }),
    alertUrl: setting('ALERT_WEBHOOK_URL', read.webAddress, {
      usedBy: ['status'],
      secret: true,
      about:
        'Incoming webhook of a Discord, Slack, or Microsoft Teams channel, or `https://api.telegram.org/bot<token>/sendMessage?chat_id=<ID>` of a Telegram chat, that receives alerts. Default: none.',
    }),
    heartbeatUrl: setting('HEARTBEAT_URL', read.webAddress, {
      usedBy: ['status'],
      secret: true,
      about: "Address of a dead man's switch, called every minute while no incident is open. Default: none.",
    }),
  },
  deployment: {
    environment: setting(
      'DEPLOY_ENVIRONMENT',
      read.matching(/^[a-z0-9-]{1,40}$/, 'a name of 1 to 40 lowercase letters, digits, and hyphens'),
      {
        usedBy: ['web', 'status'],
        default: 'local',
        about: 'Name of this deployment, shown in `/api/version` and alerts.',
      },
    ),
    commit: setting(
      'COMMIT',
      read.matching(/^[0-9a-zA-Z._-]{1,64}$/, '1 to 64 letters, digits, dots, hyphens, and underscores'),
      {
        usedBy: ['web'],
        about: 'Build identifier, shown in `/api/version`. Default: the commit of the checkout.',
      },
    ),
  },
  process: {
    logLevel: setting(
      'LOG_LEVEL',
      read.oneOf(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']),
      {
        default: 'info',
        about: 'Least severe level to log: `silent`, `fatal`, `error`, `warn`, `info`, `debug`, or `trace`.',
      },
    ),
    shutdownSeconds: setting('SHUTDOWN_SECONDS', read.wholeNumber(1, 300), {
      default: '10',
      about:
        'Seconds that a process may take to shut down. After that it logs what is still running and exits with status 1.',
    }),
    healthPort: setting('HEALTH_PORT', read.wholeNumber(1, 65535), {
      usedBy: ['ingest', 'sealing', 'grading', 'boards', 'webhooks', 'status'],
      about:
        'Port on which a worker serves `/healthz` and `/readyz`, on all addresses. Workers on one host need different ports. Default: none.',
    }),
    clock: setting('SERVICE_CLOCK', read.clockSetting, {
      about:
        "Instant (ISO 8601) at which the service's clock starts, to replay a past day. `<instant>@<real instant>` ties it to the real time at which the clock showed it. Default: the real time.",
    }),
    tracesUrl: setting('OTEL_EXPORTER_OTLP_ENDPOINT', read.webAddress, {
      usedBy: processes,
      secret: true,
      about: 'OTLP collector (HTTP) for traces, such as `http://localhost:4318`. Default: off.',
    }),
    dataDir: setting('DATA_DIR', read.anyText, {
      usedBy: [],
      default: '.data',
      about:
        'Folder for the embedded PostgreSQL, generated secrets, logs, and the state of a running service.',
    }),
  },
};
