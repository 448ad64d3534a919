import { hostname } from 'node:os';
import { Command } from 'commander';
import { startWitness, type WitnessOptions } from '../monitor/witness.ts';
import { formatVerifierKey } from '../proof/verifier-key.ts';
import { collect, port, untilStopped, type Verb } from './verb.ts';

/** `witness`: runs a minimal witness until SIGINT or SIGTERM. */
export const witnessVerb: Verb = (_config, say) =>
  new Command('witness')
    .description('runs a witness that cosigns consistent checkpoints of logs')
    .requiredOption('--log <key>', 'verifier key of a log to cosign; repeatable', collect, [])
    .option('--port <port>', 'port to listen on', port, 4000)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--state <file>', 'file for its key and the checkpoints it has cosigned', 'witness.json')
    .option('--name <name>', 'name of the witness, used at the first start', `${hostname()}/witness`)
    .action(async (options: WitnessOptions) => {
      const witness = await startWitness(options);
      say(`WITNESSES="${formatVerifierKey(witness.key)} ${witness.address}"`);
      await untilStopped();
      await witness.close();
    });
