import type { Static } from 'typebox';
import { parseWitnessList } from '../proof/witness-list.ts';
import { createClock } from './clock.ts';
import { checker, faultsText } from './schema.ts';
import { readThresholds, settingsSchema } from './settings-schema.ts';

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
  for (const [name, value] of Object.entries(checked.value)) {
    if (!name.startsWith('CHECK_')) continue;
    const { degraded, down } = readThresholds(String(value));
    if (degraded > down) throw new SettingsError(`wrong settings: ${name} is degraded later than it is down`);
  }
  try {
    parseWitnessList(checked.value.WITNESSES);
  } catch (error) {
    throw new SettingsError(`wrong settings: WITNESSES ${(error as Error).message}`);
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
