import { signed } from '../../boards/formats/odds-text.ts';
import { marketName } from '../../boards/formats/pick-facts.ts';
import type { Card, Field, Tone } from '../platforms/platform.ts';
import type { Payload } from './payloads.ts';

const tones: Record<string, Tone> = { win: 'good', loss: 'bad', push: 'neutral', void: 'neutral' };

/** What a chat channel is shown of an event. */
export function cardOf(payload: Payload): Card {
  const { pick } = payload;
  const fields: Field[] = [
    { name: 'Sport', value: pick.sport.toUpperCase() },
    { name: 'Market', value: marketName(pick.market) },
    { name: 'Odds', value: signed(pick.oddsAmerican) },
    { name: 'Stake', value: `${pick.stakeUnits} u` },
  ];
  const common = {
    lead: pick.pick,
    text: pick.game,
    url: pick.verifyUrl,
    footer: `${pick.capperTier.replace('_', ' ')} · entry ${payload.seq} of the log`,
  };
  if (payload.event === 'pick.posted')
    return {
      title: `New pick by ${pick.capperHandle}`,
      ...common,
      tone: 'news',
      fields,
      timestamp: pick.postedAt,
    };
  const { result, closingOddsAmerican, settledAt } = payload.settlement;
  if (closingOddsAmerican !== null) fields.push({ name: 'Closing odds', value: signed(closingOddsAmerican) });
  return {
    title: `${result.toUpperCase()} for ${pick.capperHandle}`,
    ...common,
    tone: tones[result] ?? 'news',
    fields,
    timestamp: settledAt,
  };
}
