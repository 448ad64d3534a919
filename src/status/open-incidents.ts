import type { Database } from '../platform/database.ts';
import type { Incident } from './incidents.ts';

/** An incident that goes on, as pages show it. */
export type OpenIncident = Pick<Incident, 'check' | 'status' | 'openedAt'>;

/** The incidents that go on, the worst first, then the oldest. */
export async function openIncidents(database: Database): Promise<OpenIncident[]> {
  return database('status_incidents')
    .whereNull('closed_at')
    .orderByRaw("status <> 'down', opened_at, check_name")
    .select('check_name as check', 'status', 'opened_at as openedAt');
}
