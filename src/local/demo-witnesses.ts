import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProgress } from '../demo/progress.ts';
import {
  ledgerOrigin,
  type OriginConfig,
  openSigner,
  type SigningConfig,
  signingKeys,
} from '../ledger/publishing/identity.ts';
import { startWitness } from '../monitor/witness.ts';
import type { Config } from '../platform/config/config.ts';
import { openDatabase } from '../platform/database.ts';
import { formatVerifierKey } from '../proof/verifier-key.ts';

const names = ['witness-one.demo', 'witness-two.demo'];

/** File in `DATA_DIR` with the verifier keys of the demo's witnesses. */
export const witnessKeysFile = 'demo-witness-keys';

export type DemoWitnesses = Awaited<ReturnType<typeof startDemoWitnesses>>;

/**
 * Starts the demo's two witnesses in this process. They answer like any witness, but take the time from the clock of the demo's log. They
 * accept the log's current keys.
 * @param url of the database, with the login of the sealing worker
 */
export async function startDemoWitnesses(
  url: string,
  {
    site,
    ledger,
    process: { dataDir },
  }: {
    site: OriginConfig;
    ledger: SigningConfig & Pick<OriginConfig, 'origin'>;
    process: Pick<Config['process'], 'dataDir'>;
  },
) {
  const database = openDatabase(url, { connections: names.length, name: 'public-picks witnesses' });
  const origin = await ledgerOrigin(database, { ...site, ...ledger });
  const { key } = await openSigner(origin, ledger);
  const known = (await signingKeys(database)).map(({ vkey }) => vkey);
  const now = async () => {
    const until = await readProgress(database);
    if (until === undefined) throw new Error('the demo has not begun');
    return until;
  };
  const witnesses = await Promise.all(
    names.map((name) =>
      startWitness({
        name,
        now,
        port: 0,
        host: '127.0.0.1',
        log: [...new Set([formatVerifierKey(key), ...known])],
        state: join(dataDir, `${name}.json`),
      }),
    ),
  );
  const keys = witnesses.map((witness) => formatVerifierKey(witness.key));
  writeFileSync(join(dataDir, witnessKeysFile), keys.map((each) => `${each}\n`).join(''));
  return {
    /** Settings of the processes that ask the witnesses. */
    settings: {
      WITNESSES: witnesses.map(({ address }, index) => `${keys[index]} ${address}`).join(','),
      WITNESS_QUORUM: String(names.length),
    },
    async close() {
      await Promise.all(witnesses.map((witness) => witness.close()));
      await database.destroy();
    },
  };
}
