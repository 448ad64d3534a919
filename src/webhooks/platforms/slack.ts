import { alertText, type Card, clip, countWithin, type Platform } from './platform.ts';

/** Limits of a Slack message and its blocks (https://docs.slack.dev/reference/block-kit/blocks). */
const maxBlocks = 50;
const max = { header: 150, text: 3000, fields: 10, field: 2000, alert: 4000 };

/** Each of at most three blocks. */
const maxCards = Math.min(10, Math.floor(maxBlocks / 3));

/** Characters per message. Slack documents no limit for all blocks together, but refuses 11,000. */
const maxCharacters = 9000;

export const slack: Platform = {
  name: 'slack',

  /** Addresses in `/workflows/` and `/triggers/` start a workflow with its own variables and accept no messages. */
  matches: ({ hostname, pathname }) =>
    (hostname === 'hooks.slack.com' || hostname === 'hooks.slack-gov.com') &&
    pathname.startsWith('/services/'),

  rates: [{ times: 1, inMs: 1_000 }],

  encode(cards) {
    const encoded = cards
      .slice(0, maxCards)
      .map((card) => ({ title: titleOf(card), blocks: blocksOf(card) }));
    const count = Math.max(1, countWithin(encoded, maxCharacters, charactersOf));
    const taken = encoded.slice(0, count);
    const body = {
      // Shown in notifications and read by screen readers.
      text: taken.map(({ title }) => title).join('\n'),
      blocks: taken.flatMap(({ blocks }) => blocks),
      unfurl_links: false,
    };
    return { body: JSON.stringify(body), cards: count };
  },

  encodeAlert: (heading, lines) =>
    JSON.stringify({
      text: alertText(heading, lines, { escaped, bold: ['*', '*'], max: max.alert }),
      unfurl_links: false,
    }),
};

interface Text {
  type: 'plain_text' | 'mrkdwn';
  text: string;
  emoji?: false;
}

type Block =
  | { type: 'header'; text: Text }
  | { type: 'section'; text: Text; fields?: Text[] }
  | { type: 'context'; elements: Text[] };

function blocksOf(card: Card): Block[] {
  const { lead, text, fields, url, footer } = card;
  const notes = [
    ...(url === undefined ? [] : [linkTo(url)]),
    ...(footer === undefined ? [] : [plainText(footer, max.field)]),
  ];
  return [
    { type: 'header', text: plainText(card.title, max.header) },
    {
      type: 'section',
      text: plainText(lead === undefined ? text : `${lead}\n${text}`, max.text),
      ...(fields === undefined
        ? {}
        : {
            fields: fields
              .slice(0, max.fields)
              .map(({ name, value }) => plainText(`${name}: ${value}`, max.field)),
          }),
    },
    ...(notes.length === 0 ? [] : [{ type: 'context' as const, elements: notes }]),
  ];
}

function titleOf({ title }: Card): string {
  return clip(title, max.header, escaped);
}

function linkTo(url: string): Text {
  return { type: 'mrkdwn', text: `<${escaped(url).replaceAll('|', '%7C')}|Verify>` };
}

/** Untrusted text goes where Slack reads no markup. */
function plainText(text: string, longest: number): Text {
  return { type: 'plain_text', text: clip(text, longest, escaped), emoji: false };
}

/** Angle brackets enclose mentions, links, and commands (https://docs.slack.dev/messaging/formatting-message-text#escaping). */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function charactersOf({ title, blocks }: { title: string; blocks: readonly Block[] }): number {
  return title.length + blocks.flatMap(textsOf).reduce((sum, { text }) => sum + text.length, 0);
}

function textsOf(block: Block): Text[] {
  switch (block.type) {
    case 'header':
      return [block.text];
    case 'section':
      return [block.text, ...(block.fields ?? [])];
    case 'context':
      return block.elements;
  }
}
