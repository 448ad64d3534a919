import type { Config } from '../platform/config/config.ts';
import { everySetting, faultsMessage, misspelled, readSettings, variable } from '../platform/config/read.ts';
import { leagueFaults } from '../sources/league-faults.ts';

/** Exits with status 1 and a message if settings are wrong. Warns of names that look misspelled. */
export function exitOnWrongSettings(): void {
  for (const { sentence } of misspelled(process.env)) process.stderr.write(`${sentence}\n`);
  const faults = startFaults(process.env);
  if (faults.length === 0) return;
  process.stderr.write(`${faultsMessage(faults)}\n`);
  process.exit(1);
}

/** Returns the faults of the settings for `npm start`, which provides stores, and secrets for its own database. */
export function startFaults(environment: NodeJS.ProcessEnv): string[] {
  const isEmbedded = variable(environment, 'DATABASE_URL') === undefined;
  const required = everySetting
    .filter(({ required, requiredUnless }) => required || requiredUnless !== undefined)
    .map(({ env }) => env);
  const { values, faults } = readSettings(environment, { provided: isEmbedded ? required : ['REDIS_URL'] });
  if (faults.length === 0) faults.push(...leagueFaults((values as Pick<Config, 'sources'>).sources));
  const [port, operatorPort] = ['PORT', 'OPERATOR_PORT'].map((name) => {
    const number = Number(variable(environment, name) ?? Number.NaN);
    if (number === 0) faults.push(`${name} is 0 but npm start needs a port from 1 to 65535`);
    return number;
  });
  if (port === operatorPort) faults.push(`PORT and OPERATOR_PORT are both ${port} but must differ`);
  if (!isEmbedded && ['1', 'true'].includes(variable(environment, 'DEMO') ?? ''))
    faults.push(
      'DEMO is 1 but DATABASE_URL is set: demo data works only in the embedded database: unset one of them',
    );
  return faults;
}
