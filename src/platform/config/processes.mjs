// @ts-check

/** The processes of the Procfile. */
export const processes = /** @type {const} */ ([
  'web',
  'operator',
  'ingest',
  'sealing',
  'grading',
  'boards',
  'webhooks',
  'status',
]);

/**
 * Programs with settings: the processes, and `migrate`, the verb that runs under the database's owner. Other verbs read the settings of the
 * process whose work they do.
 */
export const processNames = /** @type {const} */ ([...processes, 'migrate']);

/** @typedef {(typeof processNames)[number]} ProcessName */
