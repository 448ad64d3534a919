import { Command } from 'commander';
import { eventsSetAside, requeueSetAside, rowsSetAside } from '../ledger/sealing/set-aside.ts';
import { iso } from '../platform/clock.ts';
import { onDatabase } from './session.ts';
import type { ConfigOf, Say } from './verb.ts';

export function eventsVerb(config: ConfigOf, say: Say): Command {
  const asOwner = <T>(work: Parameters<typeof onDatabase<T>>[2]) =>
    onDatabase(config('migrate').database.ownerUrl, 'events', work);
  const verb = new Command('events').description('lists and puts back events that could not be sealed');
  verb
    .command('list')
    .description('lists the events and rows that are set aside, with the reasons')
    .action(async () => {
      const events = await asOwner(eventsSetAside);
      const rows = await asOwner(rowsSetAside);
      if (events.length + rows.length === 0) say('No event is set aside.');
      for (const { id, kind, subjectId, reason, setAsideAt } of events)
        say(`${id} ${iso(setAsideAt)} ${kind} event of ${subjectId}: ${reason}`);
      for (const { table, row, reason, setAsideAt } of rows)
        say(`${iso(setAsideAt)} ${table}, ${row}: ${reason}`);
    });
  verb
    .command('put-back')
    .description('puts them back to be sealed, after the cause is fixed')
    .action(async () => {
      const count = await asOwner(requeueSetAside);
      say(
        count === 0
          ? 'No event is set aside.'
          : `Put back ${count}. Those that still cannot be sealed are set aside again.`,
      );
    });
  return verb;
}
