export const processes = [
  'web',
  'operator',
  'ingest',
  'sealing',
  'grading',
  'boards',
  'webhooks',
  'status',
] as const;

/**
 * Programs with settings: the processes, and `migrate`, the verb that runs under the database's owner. Other verbs read the settings of the
 * process whose work they do.
 */
export const processNames = [...processes, 'migrate'] as const;

export type ProcessName = (typeof processNames)[number];
