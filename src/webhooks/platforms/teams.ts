import { type Answer, type Card, countWithin, oneLine, type Platform, type Tone } from './platform.ts';

/**
 * Size of a message in bytes, with room for what surrounds the cards. The limit is 28 KB
 * (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook).
 */
const maxBytes = 27_000;
const maxCards = 10;

/** Hosts and paths of workflows that post to a channel, and of the older connectors. */
const addresses: readonly { host: RegExp; path: RegExp }[] = [
  { host: /\.logic\.azure\.com$/, path: /^\/workflows\/[^/]+\/triggers\/[^/]+\/paths\/invoke/ },
  {
    host: /\.environment\.api\.powerplatform\.com$/,
    path: /^\/powerautomate\/automations\/direct\/(?:[^/]+\/)*workflows\/[^/]+\/triggers\/[^/]+\/paths\/invoke/,
  },
  { host: /\.webhook\.office\.com$/, path: /^\/webhookb2\// },
];

const colors: Record<Tone, string> = {
  news: 'Accent',
  good: 'Good',
  bad: 'Attention',
  neutral: 'Default',
};

export const teams: Platform = {
  name: 'teams',

  matches: ({ hostname, pathname }) =>
    addresses.some(({ host, path }) => host.test(hostname) && path.test(pathname)),

  rates: [{ times: 4, inMs: 1_000 }],

  encode(cards) {
    const containers = cards.slice(0, maxCards).map(containerOf);
    const count = Math.max(1, countWithin(containers, maxBytes, bytesOf));
    return { body: messageOf(containers.slice(0, count)), cards: count };
  },

  encodeAlert(heading, lines) {
    const rows = lines.map(({ head, text }) => paragraph([bold(head), run(` ${text}`)]));
    const count = countWithin(rows, maxBytes, bytesOf);
    const left = lines.length - count;
    const more = left === 0 ? [] : [paragraph([run(`... and ${left} more.`)])];
    return messageOf([paragraph([bold(heading)]), ...rows.slice(0, count), ...more]);
  },

  /** A connector answers 200 even if Teams refused the message, and gives the status of the refusal in a sentence. */
  statusOf({ status, body }: Answer) {
    const refusal = /^Webhook message delivery failed with error:.*?HTTP error (\d{3})/s.exec(body);
    return refusal === null ? status : Number(refusal[1]);
  },
};

/** A run of text in which neither Markdown nor mentions take effect (https://adaptivecards.io/explorer/TextRun.html). */
interface TextRun {
  type: 'TextRun';
  text: string;
  weight?: 'Bolder';
  color?: string;
  isSubtle?: true;
  selectAction?: { type: 'Action.OpenUrl'; url: string };
}

interface Paragraph {
  type: 'RichTextBlock';
  inlines: TextRun[];
}

interface Container {
  type: 'Container';
  separator: true;
  items: Paragraph[];
}

function containerOf({ title, lead, text, fields = [], tone, url, footer }: Card): Container {
  const notes = [
    ...(url === undefined
      ? []
      : [{ ...run('Verify'), selectAction: { type: 'Action.OpenUrl' as const, url } }]),
    ...(footer === undefined
      ? []
      : [{ ...run(url === undefined ? footer : ` · ${footer}`), isSubtle: true as const }]),
  ];
  const paragraphs = [
    [{ ...bold(title), ...(tone === undefined ? {} : { color: colors[tone] }) }],
    lead === undefined ? [] : [bold(lead)],
    [run(text)],
    fields.flatMap(({ name, value }, index) => [
      { ...run(`${index === 0 ? '' : ' · '}${name}: `), isSubtle: true as const },
      run(value),
    ]),
    notes,
  ];
  return {
    type: 'Container',
    separator: true,
    items: paragraphs.filter(({ length }) => length > 0).map(paragraph),
  };
}

function paragraph(inlines: TextRun[]): Paragraph {
  return { type: 'RichTextBlock', inlines };
}

function run(text: string): TextRun {
  return { type: 'TextRun', text: oneLine(text) };
}

function bold(text: string): TextRun {
  return { ...run(text), weight: 'Bolder' };
}

function messageOf(body: readonly (Container | Paragraph)[]): string {
  return JSON.stringify({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body,
        },
      },
    ],
  });
}

/** Returns the size in UTF-8 or UTF-16, whichever is larger: Teams may count a body without a charset in either. */
function bytesOf(element: object): number {
  const text = JSON.stringify(element);
  return Math.max(Buffer.byteLength(text), text.length * 2);
}
