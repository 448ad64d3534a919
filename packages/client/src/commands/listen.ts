import { randomBytes } from 'node:crypto';
import { ApiError, callsOf, type Operations } from '../api.ts';
import { eventsOf, type PickEvent } from '../events.ts';
import { signDelivery } from '../webhook.ts';
import { type Command, untilStopped, VerbRefused } from './command.ts';

interface ListenOptions {
  forward: string;
  secret?: string;
  capper?: string;
  sport?: string;
  after?: number;
}

const timeoutMs = 10_000;

/** `listen`: sends the events of the stream to a program on this machine, as webhooks. */
export const listenCommand: Command = {
  argument: { name: 'address', about: 'address of the site, such as https://picks.example' },
  options: {
    forward: {
      value: '<url>',
      about: 'where to send them, such as http://localhost:3000/hook',
      required: true,
    },
    secret: { value: '<secret>', about: 'signs the deliveries; default: a new one, which is printed' },
    capper: { value: '<handle>', about: 'only picks by this capper' },
    sport: { value: '<sport>', about: 'only picks of this sport' },
    after: {
      value: '<seq>',
      about: 'start after this index in the log; -1 starts at the beginning; default: new events only',
      read(text) {
        if (!/^(-1|\d{1,15})$/.test(text)) throw new RangeError('It must be an index in the log, or -1.');
        return Number(text);
      },
    },
  },
  async run(address, options: ListenOptions, say, warn) {
    const { forward, capper: capper_handle, sport, after } = options;
    const secret = options.secret ?? randomBytes(32).toString('hex');
    for (const url of [address, forward])
      if (!URL.canParse(url)) throw new VerbRefused(`${url} is not a URL.`);
    await signDelivery(secret, { event: '', id: '', timestamp: 0, body: '' }).catch(() => {
      throw new VerbRefused('--secret is not base64 after whsec_.');
    });
    if (options.secret === undefined) say(`Secret: ${secret}`);
    say(`Forwarding events of ${address} to ${forward}`);
    const stop = new AbortController();
    void untilStopped().then(() => stop.abort());
    const service = { address };
    const params = {
      ...(capper_handle !== undefined && { capper_handle }),
      ...(sport !== undefined && { sport }),
      ...(after !== undefined && { after }),
    };
    const onRetry = ({ message }: Error, waitMs: number) =>
      warn(`${message} Connecting again in ${Math.ceil(waitMs / 1000)} s.`);
    try {
      for await (const event of eventsOf(service, params, { signal: stop.signal, onRetry })) {
        // Closings are in the stream, but not delivered to webhooks.
        if (event.event === 'closed') continue;
        const check = await callsOf(service)
          .getPick({ uuid: event.pick.pickUuid })
          .then(({ priceCheck }) => priceCheck)
          .catch(() => null);
        say(await forwarded(forward, secret, event, check));
      }
    } catch (error) {
      if (error instanceof ApiError) throw new VerbRefused(error.message);
      throw error;
    }
    return 0;
  },
};

/** Sends an event. @returns a line about it */
async function forwarded(
  url: string,
  secret: string,
  event: Exclude<PickEvent, { event: 'closed' }>,
  priceCheck: Operations['getPick']['answer']['priceCheck'],
): Promise<string> {
  const { seq, pick } = event;
  const name = `pick.${event.event}`;
  const now = Date.now();
  const common = { event: name, webhook_id: '0', delivered_at: new Date(now).toISOString(), seq, pick };
  const body = JSON.stringify({
    ...common,
    ...(event.event === 'posted' ? { priceCheck } : settled(event, priceCheck)),
  });
  const delivery = { event: name, id: `msg_0_${seq}`, timestamp: Math.floor(now / 1000), body };
  const headers = await signDelivery(secret, delivery);
  const about = `${name} ${seq} ${pick.capperHandle}: ${pick.pick}`;
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return `${status} ${about}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `--- ${about} (${(cause as Error | undefined)?.message ?? message})`;
  }
}

/** Returns the part of a webhook's body that a settlement adds. */
function settled({ at, settlement }: Extract<PickEvent, { event: 'settled' }>, priceCheck: unknown) {
  const { result, half, closingOddsAmerican } = settlement;
  return { settlement: { result, half, settledAt: at, closingOddsAmerican, priceCheck } };
}
