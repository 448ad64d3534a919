import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { signingKeys } from '../../ledger/publishing/identity.ts';
import type { Availability } from '../../platform/availability.ts';
import { iso } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import type { VerifierKey } from '../../proof/verifier-key.ts';
import type { LogKind } from '../../rules/vocabulary.ts';
import { described, type Route } from '../routes.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');

export const packageVersion = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
).version;

/**
 * Reads no data store.
 * @param logKind undefined until known
 * @param vaultRing see {@link followVaultRing}
 * @param startedAt the service's clock at the start of the process
 */
export function versionRoute(
  deployment: Config['deployment'],
  logKind: () => LogKind | undefined,
  vaultRing: () => string | undefined,
  startedAt: EpochMs,
): Route {
  const began = performance.now();
  const fixed = {
    version: packageVersion,
    commit: deployment.commit ?? checkedOutCommit(join(root, '.git')) ?? 'unknown',
    environment: deployment.environment,
  };
  return described({
    path: '/api/version',
    id: 'getVersion',
    section: 'status',
    about: 'The build that is running. It uses no data store.',
    answer: { schema: versionBody, untagged: true },
    examples: [{}],
    handle: () => ({
      body: {
        ...fixed,
        logKind: logKind() ?? null,
        vaultRing: vaultRing() ?? 'unknown',
        uptimeSeconds: Math.floor((performance.now() - began) / 1000),
        startedAt: iso(startedAt),
      },
    }),
  });
}

const versionBody = Type.Object(
  {
    version: Field.text("The service's version."),
    commit: Field.text('The build identifier.'),
    environment: Field.text('The name of the deployment.'),
    logKind: Type.Union([Type.Literal('live'), Type.Literal('replay'), Type.Literal('demo'), Type.Null()], {
      description:
        '`live`, `replay` (a simulated clock), or `demo` (made-up picks); null until the database has been reached.',
    }),
    vaultRing: Field.text(
      'Identifies the signing key. `unknown` until this process has read it from the log.',
    ),
    uptimeSeconds: Type.Integer({ minimum: 0 }),
    startedAt: Field.instant(),
  },
  { title: 'Version' },
);

const lookUpEveryMs = 60_000;

/** Keeps the {@link vaultRing} in memory, so that answers never wait for it. Undefined until it is read from the log. */
export function followVaultRing({
  database,
  availability,
  elapsedMs = () => performance.now(),
}: {
  database: Database;
  availability: Availability;
  /** For tests. */
  elapsedMs?: () => number;
}): () => string | undefined {
  let ring: string | undefined;
  let lookedUpAt = Number.NEGATIVE_INFINITY;
  const lookUp = async () => {
    lookedUpAt = elapsedMs();
    const keys = await availability.run(() => signingKeys(database));
    const current = keys.findLast(({ note, seq }) => note === null || seq !== null);
    ring = current === undefined ? undefined : vaultRing(current.key);
  };
  const due = () => elapsedMs() - lookedUpAt >= (ring === undefined ? 1000 : lookUpEveryMs);
  const lookUpIfDue = () => {
    // While the ledger is unavailable, the last value stays.
    if (due()) void lookUp().catch(() => {});
  };
  lookUpIfDue();
  return () => {
    lookUpIfDue();
    return ring;
  };
}

/** Returns a short name of a log's key: the first 8 hex digits of the SHA-256 of the public key. */
export function vaultRing({ publicKey }: VerifierKey): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 8);
}

/** Undefined if unknown. */
export function checkedOutCommit(gitDir: string): string | undefined {
  const head = read(join(gitDir, 'HEAD'));
  const ref = head?.match(/^ref: (.+)$/)?.[1];
  if (ref === undefined) return commitIn(head);
  const packed = read(join(gitDir, 'packed-refs'))
    ?.split('\n')
    .find((line) => line.endsWith(` ${ref}`));
  return commitIn(read(join(gitDir, ref))) ?? commitIn(packed);
}

function commitIn(text: string | undefined): string | undefined {
  return text?.match(/^[0-9a-f]{40,64}/)?.[0];
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
