import type { Payload } from './payloads.ts';

/** The chat platform's limits on one message. */
const mostEmbeds = 10;
const mostCharacters = 6000;

interface Field {
  name: string;
  value: string;
  inline: true;
}

interface Embed {
  title: string;
  description: string;
  url: string;
  color: number;
  fields: Field[];
  footer: { text: string };
  timestamp: string;
}

/** A message to a channel of the chat platform, and how many events it tells of. */
export interface ChatMessage {
  body: string;
  events: number;
}

/** The first of a list of events, as many as one message can hold: at least one. */
export function chatMessage(payloads: readonly Payload[]): ChatMessage {
  const embeds: Embed[] = [];
  let characters = 0;
  for (const payload of payloads.slice(0, mostEmbeds)) {
    const embed = embedOf(payload);
    characters += lengthOf(embed);
    if (embeds.length > 0 && characters > mostCharacters) break;
    embeds.push(embed);
  }
  // Whatever a pick's text says, nobody is called by it.
  return { body: JSON.stringify({ embeds, allowed_mentions: { parse: [] } }), events: embeds.length };
}

/** The address at which a channel takes messages and answers when it has stored them. */
export function chatUrl(url: string): string {
  const waiting = new URL(url);
  waiting.searchParams.set('wait', 'true');
  return waiting.href;
}

const colors: Record<string, number> = { win: 0x2e7d32, loss: 0xc62828, push: 0x757575, void: 0x757575 };
const postedColor = 0x1565c0;

/** Its longest texts, escaped, stay far below what the platform takes of each: 256 of a title, 4096 of a description. */
function embedOf(payload: Payload): Embed {
  const { pick } = payload;
  const fields = [
    field('Sport', pick.sport.toUpperCase()),
    field('Market', pick.market),
    field('Odds', american(pick.oddsAmerican)),
    field('Stake', `${pick.stakeUnits} u`),
  ];
  const common = {
    description: `**${escaped(pick.pick)}**\n${escaped(pick.game)}`,
    url: pick.verifyUrl,
    footer: { text: `${pick.capperTier.replace('_', ' ')} · entry ${payload.seq} of the log` },
  };
  if (payload.event === 'pick.posted')
    return {
      title: `New pick by ${escaped(pick.capperHandle)}`,
      ...common,
      color: postedColor,
      fields,
      timestamp: pick.postedAt,
    };
  const { result, closingOddsAmerican, settledAt } = payload.settlement;
  if (closingOddsAmerican !== null) fields.push(field('Closing odds', american(closingOddsAmerican)));
  return {
    title: `${result.toUpperCase()} for ${escaped(pick.capperHandle)}`,
    ...common,
    color: colors[result] ?? postedColor,
    fields,
    timestamp: settledAt,
  };
}

function field(name: string, value: string): Field {
  return { name, value: escaped(value), inline: true };
}

function american(odds: number): string {
  return odds > 0 ? `+${odds}` : String(odds);
}

/** So that the platform shows text as it stands: no markup, no links, no emoji. It drops a backslash before any punctuation. */
function escaped(text: string): string {
  return text.replace(/[\\`*_~|<>#[\]():@&-]/g, '\\$&');
}

/** What the platform counts of an embed. */
function lengthOf({ title, description, fields, footer }: Embed): number {
  const texts = [title, description, footer.text, ...fields.flatMap(({ name, value }) => [name, value])];
  return texts.reduce((sum, text) => sum + text.length, 0);
}
