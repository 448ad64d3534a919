// HTTPS receivers of webhooks: `fork('webhook-receivers.ts')`, then a message of {@link Start}, answered with {@link Started}. Each round
// is a message of {@link Round}, answered with {@link Arrived} when all its requests have arrived. At any time, `report` is answered with
// what has arrived so far.

import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '../support/authority.ts';

export interface Start {
  receivers: number;
}

export interface Started {
  /** The certificate of their authority, in PEM. */
  ca: string;
  ports: number[];
}

export interface Round {
  /** Requests to wait for, excluding those to receivers that hang. */
  wanted: number;
  /** Milliseconds that a receiver takes to answer. */
  answerMs?: number;
  /** The number of receivers, the first ones, that never answer. */
  hanging?: number;
}

export interface Arrived {
  /** `Date.now()` when the first and the last of them arrived. */
  first: number;
  last: number;
  /** Requests, and those under a repeated `webhook-id`. */
  count: number;
  repeated: number;
}

let round: Round = { wanted: Number.POSITIVE_INFINITY };
let seen = new Set<string>();
let count = 0;
let repeated = 0;
let first = 0;
let last = 0;

function report(): void {
  process.send?.({ first, last, count, repeated } satisfies Arrived);
}

function arrive(id: string): void {
  count += 1;
  if (count === 1) first = Date.now();
  if (seen.has(id)) repeated += 1;
  else seen.add(id);
  last = Date.now();
  if (seen.size === round.wanted) report();
}

async function start({ receivers }: Start): Promise<Started> {
  const authority = await createAuthority('Receivers of a bench');
  const certificate = await authority.issue('localhost');
  const ports = Array.from({ length: receivers }, async (_, index) => {
    const server = createServer(certificate, (request, response) => {
      request.resume().once('end', () => {
        if (index < (round.hanging ?? 0)) return;
        arrive(String(request.headers['webhook-id']));
        const answer = () => response.writeHead(204).end();
        if (round.answerMs === undefined) answer();
        else setTimeout(answer, round.answerMs);
      });
    });
    server.on('secureConnection', (socket) => socket.on('error', () => socket.destroy()));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return (server.address() as AddressInfo).port;
  });
  return { ca: authority.certificate, ports: await Promise.all(ports) };
}

process.on('message', async (message: Start | Round | 'report') => {
  if (message === 'report') return report();
  if ('receivers' in message) return process.send?.(await start(message));
  round = message;
  seen = new Set();
  count = 0;
  repeated = 0;
  return undefined;
});
