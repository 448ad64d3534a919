// @ts-check

// What `npm start` asks of the settings before it installs, fetches or starts anything. Plain JavaScript without packages: it runs on a
// fresh clone, under whatever Node the machine has (20 or newer).

import { everySetting, faultsMessage, misspelled, readSettings, variable } from '../platform/config/read.mjs';

/** @typedef {import('../platform/config/read.mjs').Environment} Environment */

/** Ends the process with status 1 where settings are wrong, with a message that names them; warns of names that look misspelled. */
export function exitOnWrongSettings() {
  for (const { sentence } of misspelled(process.env)) process.stderr.write(`${sentence}\n`);
  const faults = startFaults(process.env);
  if (faults.length === 0) return;
  process.stderr.write(`${faultsMessage(faults)}\n`);
  process.exit(1);
}

/**
 * What is wrong with the settings for `npm start`, which brings stores of its own and, for its own database, makes the secrets too.
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
    faults.push('DEMO is 1 but DATABASE_URL is set: demo data lives in the embedded database only');
  return faults;
}
