import { parseWitnessList, type Witness } from '../../proof/witness-list.ts';
import { faultsMessage, misspelt, readSettings } from './read.mjs';
import type { Setting, settings } from './settings.mjs';

/** The values of a declaration: those of settings that are neither required nor have a default may be undefined. */
type Values<Node> =
  Node extends Setting<infer Value>
    ? Node extends { default: string } | { required: true }
      ? Value
      : Value | undefined
    : { readonly [Name in keyof Node]: Values<Node[Name]> };

type Declared = Values<typeof settings>;

/** The values of all settings (`settings.mjs`), grouped by who uses them. Functions take the group, or the values, that they need. */
export interface Config extends Omit<Declared, 'database' | 'ledger'> {
  readonly database: Declared['database'] & { readonly ownerUrl: string };
  readonly ledger: Omit<Declared['ledger'], 'witnesses'> & { readonly witnesses: readonly Witness[] };
}

/** Settings are wrong; the message names each of them, one a line. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/**
 * Reads the settings from an environment.
 * @throws SettingsError that names every wrong setting
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const { values, faults } = readSettings(environment);
  const { database, ledger, ...rest } = values as Declared;
  let witnesses: Witness[] = [];
  try {
    witnesses = parseWitnessList(ledger.witnesses ?? '');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    faults.push(`WITNESSES: ${error.message}`);
  }
  if (faults.length > 0) throw new SettingsError(faultsMessage(faults));
  return {
    ...rest,
    database: { ...database, ownerUrl: database.ownerUrl ?? database.url },
    ledger: { ...ledger, witnesses },
  };
}

/** Reads the settings for an entry point: wrong ones end the process with status 1 and a message that names them. */
export function configOrExit(): Config {
  for (const { sentence } of misspelt(process.env)) process.stderr.write(`${sentence}\n`);
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
