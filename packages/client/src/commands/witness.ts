import { hostname } from 'node:os';
import { startWitness, type WitnessOptions } from '../../../../src/monitor/witness.ts';
import { formatVerifierKey } from '../../../../src/proof/verifier-key.ts';
import { type Command, port, untilStopped } from './command.ts';

/** `witness`: runs a witness until SIGINT or SIGTERM. */
export const witnessCommand: Command = {
  options: {
    log: {
      value: '<address or key>',
      about: 'a log to cosign: the address of its site, or its verifier key',
      many: true,
      required: true,
    },
    port: { value: '<port>', about: 'port to listen on; default: 4000', default: 4000, read: port },
    host: { value: '<address>', about: 'address to listen on; default: 127.0.0.1', default: '127.0.0.1' },
    state: {
      value: '<file>',
      about: 'file for its key and the checkpoints it has cosigned; default: witness.json',
      default: 'witness.json',
    },
    name: {
      value: '<name>',
      about: 'name of the witness, used at the first start; default: <host>/witness',
      default: `${hostname()}/witness`,
    },
  },
  async run(_argument, options: WitnessOptions, say) {
    const witness = await startWitness(options);
    say(`WITNESSES="${formatVerifierKey(witness.key)} ${witness.address}"`);
    await untilStopped();
    await witness.close();
    return 0;
  },
};
