import { readFileSync } from 'node:fs';
import pg from 'pg';
import { type Login, logins } from '../../migrations/rights.ts';
import { auditSnapshot, unexpected } from '../../src/ledger/audit/audit.ts';
import { auditCatalog } from '../../src/ledger/audit/catalog.ts';
import {
  auditCapperKeys,
  auditDerived,
  auditStarts,
  auditWorkLists,
} from '../../src/ledger/audit/derived.ts';
import { auditPicks } from '../../src/ledger/audit/picks.ts';
import { latestCheckpoint } from '../../src/ledger/publishing/published.ts';
import type { Transaction } from '../../src/platform/database.ts';
import { auditMissingChoices } from '../../src/projections/pick-of-the-day.ts';
import { auditProjections } from '../../src/projections/rebuild.ts';
import { auditStatusDays } from '../../src/status/history.ts';
import { auditWebhookEvents } from '../../src/webhooks/messages/events.ts';
import { asLogin, expectedOfTests, type TestDatabase } from '../support/database.ts';
import type { World } from './world.ts';

/** An attack through a login, in one transaction. */
export interface Attack {
  /** The row of the table that counts it, such as `delete from picks`. */
  kind: string;
  login: Login | 'owner';
  statements: string[];
  /** The documented consequence if neither the database, nor sealing, nor the audit objects. */
  remains?: Remains;
  /** The owner's attack: changes of the schema are reverted before the audit, so that only stored data can reveal it. */
  covered?: boolean;
  /** The checkpoint store was forged with the log, so that the audit compares the log with itself. */
  storeToo?: boolean;
  /** Runs in the same transaction after the attack, as the service would. */
  afterwards?: (transaction: Transaction) => Promise<unknown>;
}

/** The party that detects an attack, or the reason that it cannot be prevented, with the sentence of docs/security.md. */
export interface Remains {
  result: 'found by strangers' | 'inherent';
  sentence: string;
}

export interface Outcome {
  attack: Attack;
  /** `none`: the statement changes nothing, so nothing was tried. */
  result: 'refused' | 'set aside' | 'found by audit' | Remains['result'] | 'unnoticed' | 'none';
  /** The right, constraint, or check that refused it; the table of the audit's first finding; the sentence of docs/security.md. */
  by: string;
}

export interface Attacker {
  attempt(attack: Attack): Promise<Outcome>;
  close(): Promise<void>;
}

export async function createAttacker(stores: TestDatabase, { checkpointFile }: World): Promise<Attacker> {
  const clients = new Map<string, pg.Client>();
  let refusedGrants = 0;
  for (const login of [...logins, 'owner'] as const) {
    const connectionString = login === 'owner' ? stores.ownerUrl : asLogin(stores.ownerUrl, login);
    const client = new pg.Client({ connectionString, application_name: `attacker ${login}` });
    client.on('error', () => {});
    client.on('notice', (notice) => {
      // privilege_not_granted: PostgreSQL only warns about a GRANT without the right to grant.
      if (notice.code === '01007') refusedGrants += 1;
    });
    await client.connect();
    clients.set(login, client);
  }
  const kept = readFileSync(checkpointFile, 'utf8');

  async function firstFinding(
    transaction: Transaction,
    { covered, storeToo }: Attack,
  ): Promise<string | undefined> {
    const sources = [
      auditPicks(transaction, () => {}),
      auditWorkLists(transaction),
      auditProjections(transaction),
      auditMissingChoices(transaction),
      auditWebhookEvents(transaction),
      auditStatusDays(transaction),
      auditStarts(transaction),
      auditCapperKeys(transaction),
      ...(covered ? [] : [unexpected(auditCatalog(transaction), { expected: expectedOfTests })]),
      auditDerived(transaction),
    ];
    const note = storeToo ? (await latestCheckpoint(transaction))!.note : kept;
    const { difference } = await auditSnapshot(transaction, note, {});
    if (difference !== null) return difference.table;
    for (const source of sources) for await (const { table } of source) return table;
    return undefined;
  }

  async function attempt(attack: Attack): Promise<Outcome> {
    const client = clients.get(attack.login)!;
    refusedGrants = 0;
    try {
      await client.query('begin');
      let last: pg.QueryResult | undefined;
      for (const statement of attack.statements) last = await client.query(statement);
      if (['INSERT', 'UPDATE', 'DELETE'].includes(last?.command ?? '') && last!.rowCount === 0)
        return { attack, result: 'none', by: '' };
      await client.query('set constraints all immediate');
    } catch (error) {
      return { attack, result: 'refused', by: refusedBy(error as pg.DatabaseError, attack) };
    } finally {
      await client.query('rollback; reset all; discard temp').catch(() => {});
    }
    if (refusedGrants > 0) return { attack, result: 'refused', by: 'right' };
    return again(attack);
  }

  /** Repeats a successful attack as the owner, in a transaction that can be audited. */
  async function again(attack: Attack): Promise<Outcome> {
    const transaction = await stores.owner.transaction();
    try {
      try {
        if (attack.login !== 'owner') {
          const [row] = await transaction('login_roles').where({ login: attack.login }).select('role');
          await transaction.raw('set local role ??', [row.role]);
        }
        for (const statement of attack.statements) await transaction.raw(statement.replaceAll('?', '\\?'));
        await transaction.raw('reset role');
        await attack.afterwards?.(transaction);
      } catch (error) {
        return { attack, result: 'refused', by: refusedBy(error as pg.DatabaseError, attack) };
      }
      const aside: { kind: string } | undefined = await transaction('events_set_aside').first('kind');
      if (aside !== undefined) return { attack, result: 'set aside', by: `sealing: ${aside.kind}` };
      const table = await firstFinding(transaction, attack);
      if (table !== undefined) return { attack, result: 'found by audit', by: table };
      const { remains } = attack;
      return remains === undefined
        ? { attack, result: 'unnoticed', by: '' }
        : { attack, result: remains.result, by: remains.sentence };
    } finally {
      await transaction.rollback();
    }
  }

  return {
    attempt,
    async close() {
      for (const client of clients.values()) await client.end();
    },
  };
}

/** Returns what refused a statement. @throws the error itself if the statement is wrong rather than refused */
function refusedBy(error: pg.DatabaseError, { statements }: Attack): string {
  const { code = '', constraint, message } = error;
  if (code === '42501') return 'right';
  if (code === '23001') return 'append-only';
  if (code.startsWith('PP')) return `check ${code}`;
  if (code.startsWith('23')) return `constraint ${constraint ?? message}`;
  if (code.startsWith('22')) return 'type';
  if (code === '42P01' && /"forged"/.test(message)) return 'PostgreSQL (42P01)';
  if (
    [
      '0A000',
      '25001',
      '25006',
      '42939',
      '42809',
      '428C9',
      '55000',
      '55006',
      '55P02',
      '58P01',
      '0LP01',
      '2BP01',
      '3F000',
      '42704',
      '42883',
      '42P07',
    ].includes(code)
  )
    return `PostgreSQL (${code})`;
  if (
    error instanceof TypeError ||
    error instanceof RangeError ||
    /was sealed|before it was|is not stored/.test(message)
  )
    return 'sealing';
  throw new Error(`${statements.join('; ')}: ${message} (${code})`, { cause: error });
}
