import { failed, type Outcome, ok } from '../../jobs/outcome.ts';
import { type Lane, laneNames } from '../../jobs/webhooks.ts';
import { createLimiter, type Limiter } from '../../platform/limiter.ts';
import type { Logger } from '../../platform/logger.ts';
import { type DeliverDeps, deliver } from './deliver.ts';

/**
 * Subscriptions of a lane that are delivered to at once, over all pages: more than requests at once, so that those that wait for a busy host
 * do not keep others from their turn.
 */
const maxDelivering: Record<Lane, number> = { healthy: 512, slow: 512, chat: 128 };

export interface PageDeps extends DeliverDeps {
  log: Pick<Logger, 'error'>;
}

/** Delivers to a page of subscriptions. */
export type DeliverPage = (subscriptionIds: readonly number[], lane: Lane) => Promise<Outcome>;

/**
 * Makes what delivers pages. The subscriptions of a page do not wait for one another, and what fails one of them does not touch the others.
 * The outcome has a line for each: how many events it was sent and why that ended. It is `failed` where something was at fault on our side.
 */
export function createDeliverPage(deps: PageDeps): DeliverPage {
  const slots = Object.fromEntries(
    laneNames.map((lane) => [lane, createLimiter(maxDelivering[lane])]),
  ) as Record<Lane, Limiter>;
  return async (subscriptionIds, lane) => {
    const outcomes = await Promise.all(
      subscriptionIds.map(async (id) => {
        await slots[lane].acquire();
        try {
          if (deps.closing()) return { sent: 0, about: 'the process ends' };
          return described(await deliver(deps, id, lane));
        } catch (error) {
          deps.log.error({ err: error, subscriptionId: id }, 'a subscription could not be delivered to');
          return { sent: 0, about: 'error', fault: (error as Error).message };
        } finally {
          slots[lane].release();
        }
      }),
    );
    const figures = {
      subscriptions: subscriptionIds.length,
      sent: outcomes.reduce((sum, { sent }) => sum + sent, 0),
      ...Object.fromEntries(
        outcomes.map(({ about }, index) => [`subscription ${subscriptionIds[index]}`, about]),
      ),
    };
    const faults = outcomes.flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
    if (faults.length === 0) return ok(figures);
    return failed(`${faults.length} of ${subscriptionIds.length} subscriptions: ${faults[0]}`, figures);
  };
}

function described(outcome: Outcome): { sent: number; about: string; fault?: string } {
  const { sent, ended } = outcome.figures as { sent: number; ended?: string };
  if (outcome.outcome === 'cancelled') return { sent, about: outcome.reason };
  return { sent, about: `sent ${sent}: ${ended}` };
}
