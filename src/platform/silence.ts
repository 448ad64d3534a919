import type pg from 'pg';
import { connectionProbe } from './postgres-probe.ts';
import { singleFlight } from './single-flight.ts';

const doubting = singleFlight<boolean>();

/**
 * Breaks a connection whose server is silent: a host that vanished or a frozen server resets nothing, and TCP would wait for a quarter of
 * an hour. A statement may take its time while its server answers others.
 * @param address of the server
 * @param answer to the statement that was sent last
 * @param doubtMs milliseconds without it after which the server is doubted; it then has half as many to answer a new connection
 */
export function watchSilence(
  connection: pg.Client,
  address: string,
  answer: Promise<unknown>,
  doubtMs: number,
): void {
  let waiting = true;
  let timer: NodeJS.Timeout;
  const doubt = async () => {
    const answers = await doubting(address, () =>
      connectionProbe(address, doubtMs / 2)().then(
        () => true,
        () => false,
      ),
    );
    if (!waiting) return;
    if (answers) timer = setTimeout(doubt, doubtMs).unref();
    else
      socketOf(connection).destroy(Object.assign(new Error('PostgreSQL is silent'), { code: 'ETIMEDOUT' }));
  };
  timer = setTimeout(doubt, doubtMs).unref();
  const done = () => {
    waiting = false;
    clearTimeout(timer);
  };
  answer.then(done, done);
}

function socketOf(connection: pg.Client): { destroy(error: Error): void } {
  return (connection as unknown as { connection: { stream: { destroy(error: Error): void } } }).connection
    .stream;
}
