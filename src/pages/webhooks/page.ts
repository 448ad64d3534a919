import type { TObject, TSchema } from 'typebox';
import {
  optionalCapper,
  optionalMarket,
  optionalPlayer,
  optionalSport,
  optionalTeam,
  optionalTier,
} from '../../boards/params.ts';
import { Type } from '../../platform/type.ts';
import { tags } from '../../projections/tags.ts';
import { payloadSchemas } from '../../webhooks/messages/payloads.ts';
import { type FilterChoices, filterChoices } from '../../webhooks/subscriptions/filters.ts';
import { curly, type Html, html } from '../html.ts';
import { layout, type Page } from '../layout.ts';
import { page } from '../page.ts';
import { code, facts, table } from '../parts/lists.ts';
import { fold, pageHead, section } from '../parts/section.ts';
import type { Site } from '../site.ts';
import { type FormState, subscribeForm } from './form.ts';
import { managementSamples, verifySamples } from './samples.ts';

export interface SubscribedView {
  id: number;
  secret: string;
  target_url: string;
}

const settled = payloadSchemas['pick.settled'];

export const webhooksPage = page({
  path: '/webhooks',
  params: Type.Object({
    capper_handle: optionalCapper,
    sport: optionalSport,
    market: optionalMarket,
    tier: optionalTier,
    team: optionalTeam,
    player: optionalPlayer,
  }),
  tags: () => [tags.world],
  examples: [{}, { capper_handle: '{handle}', sport: '{sport}' }, { market: 'total', tier: 'elite' }],
  data: ({ database }) => filterChoices(database),
  render: (choices, { site, params }) => webhooksView(site, choices, { given: params }),
});

export function webhooksView({ baseUrl }: Site, filters: FilterChoices, form: FormState = {}): Page {
  const { subscribe, manage } = managementSamples(baseUrl);
  const body = html`${pageHead({
    eyebrow: 'For developers',
    title: 'Webhooks',
    lead: 'Get every pick when it is posted and again when it settles. Signed, in order, free, and without signup.',
  })}${section({
    heading: 'Subscribe',
    id: 'subscribe-section',
    body: html`${subscribeForm(filters, form)}
<p>You get the subscription’s ID and a secret. The secret is shown only once. It signs what you receive, and you need it to change or
delete the subscription.</p>
<p>A response with a status from 200 to 299 accepts an event. Limits per IP address: five new subscriptions an hour, and 100 that are active.
<a href="/privacy">What we store, and for how long</a></p>
<p>To subscribe from a program, send JSON:</p>
${code('curl', subscribe.code, subscribe.id)}`,
  })}${section({
    heading: 'Events',
    id: 'deliveries',
    body: html`<p>Each event is a <code>POST</code> with a JSON body. Without filters you receive every pick. Filters are by capper, sport, market, tier, team, player, and event.</p>
${table(
  ['Event', 'When'],
  [
    [html`<code>pick.posted</code>`, 'A capper posted a pick'],
    [
      html`<code>pick.settled</code>`,
      html`A pick settled as a win, loss, push, or void: a second event for the same <code>pickUuid</code>`,
    ],
    [html`<code>ping</code>`, 'You sent a ping'],
  ],
  { kind: 'plain', scroll: 'Event types' },
)}
${fold('Body', html`<h3>Body</h3>${fieldTable(settled, 'Fields of the body')}`)}${fold(
  'Body: pick',
  html`<h3>pick</h3>${fieldTable(settled.properties.pick, 'Fields of pick')}`,
)}${fold(
  'Body: settlement',
  html`<h3>settlement</h3>${fieldTable(settled.properties.settlement, 'Fields of settlement')}`,
)}<p>The <code>webhooks</code> section of the <a href="/openapi.json">OpenAPI document</a> has JSON Schemas of the bodies. We may add
fields; existing ones keep their names and meanings.</p>
${fold(
  'Headers',
  html`<h3>Headers</h3>${table(
    ['Header', 'Value'],
    [
      ['X-Service-Event', 'The event'],
      [
        'X-Service-Signature',
        html`<code>sha256=</code> followed by the HMAC-SHA256 of the raw body in hex, keyed with the secret`,
      ],
      ['webhook-id', 'The same for every attempt to deliver an event, so you can recognize duplicates'],
      ['webhook-timestamp', 'Time of the attempt, in seconds since 1970'],
      [
        'webhook-signature',
        html`<code>v1,</code> followed by the HMAC-SHA256 of ID, timestamp, and body, joined by periods, in base64`,
      ],
    ].map(([name, value]) => [html`<code>${name}</code>`, value]),
    { kind: 'plain', scroll: 'Headers of a delivery' },
  )}`,
)}`,
  })}${section({
    heading: 'Check the signature',
    id: 'signature',
    body: html`<p>The key is the 64-character secret as written; do not decode it. Sign the raw body byte for byte, before parsing
it, and compare in constant time. <code>X-Service-Signature</code> proves that the body came from us. The three other headers follow
<a href="https://www.standardwebhooks.com/">Standard Webhooks</a>, whose libraries also reject replays of old
deliveries.</p>
${verifySamples.map((sample) => code(sample.title, sample.code, sample.id))}`,
  })}${section({
    heading: 'Order and retries',
    id: 'order',
    body: fold(
      'Rules',
      html`<ul class="prose">
<li>We send events once a minute in ledger order, at most 50 per subscription. The rest follow a minute later. You do not receive imported
picks, or events from before you subscribed.</li>
<li>A response with status 200 to 299 within 10 seconds counts as received. We do not follow redirects, and we read at most 4 KiB of
the response.</li>
<li>After any other response, or none, we stop and retry the same event a minute later, so order is kept.
We honor <code>Retry-After</code> up to an hour.</li>
<li>After five failures in a row the subscription is disabled. A success resets the count. When you resume it, it continues where it
stopped and no event is lost. <code>{"from": "head"}</code> skips the events in between.</li>
<li>Delivery is at least once. You get an event twice only if your response did not reach us, or if one of our processes was killed
before it stored your response: at most one event each time. Drop a <code>webhook-id</code> that you have handled.</li>
</ul>`,
    ),
  })}${section({
    heading: 'Manage',
    id: 'manage',
    body: html`<p><a href="/webhooks/manage">Manage a subscription</a> with its ID and secret: see recent deliveries, pause, resume, resend,
rotate, or delete. From a program:</p>
${code('curl', manage.code, manage.id)}${fold(
  'What each command does',
  html`<ul class="prose">
<li>The list needs only the e-mail address. It shows receivers’ hosts, but not secrets or full URLs.</li>
<li>We keep delivery attempts for 30 days: time, event, status, and duration. We do not keep the bodies of your responses.</li>
<li>A ping is a signed test event. It never counts as a failure. Each action is limited to five an hour.</li>
<li><code>pause</code> stops a subscription without losing events. <code>resume</code> continues where it stopped, or at
<code>{"from": …}</code>: <code>"head"</code>, a <code>seq</code>, or a time. Events since that point are sent again with their
original <code>webhook-id</code>.</li>
<li><code>resend</code> with <code>{"delivery_id": "msg_…"}</code> sends one event again, out of order.</li>
<li><code>POST ${baseUrl}/api/webhooks/$ID/rotate</code> returns a new secret. <code>X-Service-Signature</code> uses it immediately.
<code>webhook-signature</code> carries both signatures for 24 hours, so a receiver that checks it can switch without missing events.
If the old secret leaked, <code>{"overlap_seconds": 0}</code> retires it now. Managing needs the new secret immediately.</li>
<li>Revoked subscriptions, and those that stay disabled, are deleted after 30 days.</li>
</ul>`,
)}`,
  })}${section({
    heading: 'Chat channels',
    id: 'chat',
    body: html`<p>Enter the webhook URL of a channel in Discord (<code>discord.com</code> or <code>discordapp.com</code>), Slack
(<code>hooks.slack.com/services/…</code>), or Microsoft Teams (a workflow’s URL), and picks appear there as messages, up to ten per message. The URL itself is the credential, so these deliveries have no signature and no event header. We show it
to nobody and store it encrypted.</p>
<p>Telegram: create a bot with <code>@BotFather</code>, which gives you its token, and add the bot to the chat.<br>
After someone has written there, the chat’s ID is in <code>https://api.telegram.org/bot&lt;token&gt;/getUpdates</code> as
<code>chat.id</code>; a public channel’s is its <code>@name</code>. Enter
<code>https://api.telegram.org/bot&lt;token&gt;/sendMessage?chat_id=&lt;ID&gt;</code>.</p>`,
  })}`;
  return {
    title: 'Webhooks',
    about: 'Get picks delivered when they are posted and when they settle: signed, in order, and free.',
    path: '/webhooks',
    under: '/webhooks',
    body,
  };
}

/** Shown once after subscribing. Must not be cached. */
export function subscribedPage({ id, secret, target_url }: SubscribedView, site: Site): string {
  const body = html`${pageHead({
    eyebrow: 'Webhooks',
    title: 'You are subscribed',
    lead: `${new URL(target_url).host} will receive picks, starting with the next one.`,
  })}${section({
    heading: 'Save this',
    id: 'credentials',
    body: html`${facts([
      ['ID', html`<code id="subscription-id">${id}</code>`],
      ['Secret', html`<code id="subscription-secret">${secret}</code>`],
    ])}
<p><strong>Copy the secret now.</strong> It is shown only once. It signs what you receive, and you need it to change or delete the
subscription.</p>
<p><a href="/webhooks">How to check signatures, and more about webhooks</a> · <a href="/webhooks/manage">Manage this subscription</a></p>`,
  })}`;
  return layout(
    { title: 'Subscribed', about: 'A new webhook subscription.', body, under: '/webhooks' },
    site,
  );
}

function fieldTable(schema: TObject, label: string): Html {
  const rows = Object.entries(schema.properties as Record<string, TSchema & { description?: string }>);
  return table(
    ['Field', 'Type', 'Meaning'],
    rows.map(([name, property]) => [
      html`<code>${name}</code>`,
      typeOf(property),
      curly((property.description ?? meanings[name] ?? '').replaceAll('`', '')),
    ]),
    { kind: 'plain', scroll: label },
  );
}

/** Descriptions of fields whose schema has none. */
const meanings: Record<string, string> = {
  event: 'pick.posted or pick.settled, same as the header X-Service-Event.',
  delivered_at: 'Time of this attempt.',
  settlement: 'Only with pick.settled.',
  verifyUrl: 'Permalink of the pick.',
  settledAt: 'Time it settled.',
  priceCheck: 'Whether the odds were on offer when it was posted, and what they were compared with.',
};

function typeOf(schema: TSchema): string {
  const { type, format, anyOf } = schema as { type?: string; format?: string; anyOf?: TSchema[] };
  if ('enum' in schema) return 'string';
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ');
  return format === undefined ? (type ?? '') : `${type}, ${format}`;
}
