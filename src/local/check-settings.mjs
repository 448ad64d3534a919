// @ts-check

// Checks the settings for `npm start` before anything is installed, fetched, or started. Plain JavaScript without packages: it runs on a
// fresh clone, with whatever Node the machine has (20 or newer).

import { everySetting, faultsMessage, misspelled, readSettings, variable } from '../platform/config/read.mjs';

/** @typedef {import('../platform/config/read.mjs').Environment} Environment */

/** Exits with status 1 and a message if settings are wrong. Warns of names that look misspelled. */
export function exitOnWrongSettings() {
  for (const { sentence } of misspelled(process.env)) process.stderr.write(`${sentence}\n`);
  const faults = startFaults(process.env);
  if (faults.length === 0) return;
  process.stderr.write(`${faultsMessage(faults)}\n`);
  process.exit(1);
}

/**
 * Returns the faults of the settings for `npm start`, which provides stores, and secrets for its own database.
 * @param {Environment} environment
 * @returns {string[]}
 */
export function startFaults(environment) {
  const isEmbedded = variable(environment, 'DATABASE_URL') === undefined;
  const required = everySetting
    .filter(({ required, requiredUnless }) => required || requiredUnless !== undefined)
    .map(({ env }) => env);
  const { faults } = readSettings(environment, { provided: isEmbedded ? required : ['REDIS_URL'] });
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
