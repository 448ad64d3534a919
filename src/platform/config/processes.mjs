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
 * Who reads settings: the processes, and `migrate`, the verb that works under the database's owner. Other verbs read those of the process
 * whose work they do.
 */
export const processNames = /** @type {const} */ ([...processes, 'migrate']);

/** @typedef {(typeof processNames)[number]} ProcessName */
