import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Type } from 'typebox';
import { iso } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { type Route, route } from './routes.ts';

const root = resolve(import.meta.dirname, '..', '..');

/** The service's own version. */
export const packageVersion = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
).version;

/**
 * `/api/version`: the build that runs here, read from no data store.
 * @param ledgerKey the Ed25519 seed, 32 bytes in base64
 * @param startedAt the service's clock when the process started, in epoch milliseconds
 */
export function versionRoute(deployment: Config['deployment'], ledgerKey: string, startedAt: number): Route {
  const began = performance.now();
  const fixed = {
    version: packageVersion,
    commit: deployment.commit ?? checkedOutCommit(join(root, '.git')) ?? 'unknown',
    environment: deployment.environment,
    vaultRing: vaultRing(ledgerKey),
  };
  return route({
    method: 'GET',
    path: '/api/version',
    reference: {
      id: 'getVersion',
      section: 'status',
      about: 'The build that runs here, read from no data store.',
      answer: { schema: versionBody, untagged: true },
      examples: [{}],
    },
    handle: () => ({
      body: {
        ...fixed,
        uptimeSeconds: Math.floor((performance.now() - began) / 1000),
        startedAt: iso(startedAt),
      },
    }),
  });
}

const versionBody = Type.Object(
  {
    version: Type.String({ description: "The service's version." }),
    commit: Type.String({ description: 'The build identifier.' }),
    environment: Type.String({ description: 'The name of the deployment.' }),
    vaultRing: Type.String({ description: 'Names the signing key: it changes when the key does.' }),
    uptimeSeconds: Type.Integer({ minimum: 0 }),
    startedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Version' },
);

/**
 * A short name of the key ring that this deployment signs with: it changes when the key does. The first 8 hexadecimal digits of the
 * SHA-256 of the log's public key, so it gives nothing away.
 * @param ledgerKey the Ed25519 seed, 32 bytes in base64
 */
export function vaultRing(ledgerKey: string): string {
  // PKCS #8 for Ed25519 (RFC 8410): a fixed head, then the seed.
  const head = Buffer.from('302e020100300506032b657004220420', 'hex');
  const der = Buffer.concat([head, Buffer.from(ledgerKey, 'base64')]);
  const publicKey = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return createHash('sha256').update(raw).digest('hex').slice(0, 8);
}

/** The commit that a repository's folder has checked out; undefined where that cannot be told. */
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
