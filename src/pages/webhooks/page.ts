import type { TObject, TSchema } from 'typebox';
import { Type } from '../../platform/type.ts';
import { tags } from '../../projections/tags.ts';
import { payloadSchemas } from '../../webhooks/messages/payloads.ts';
import { type FilterChoices, filterChoices } from '../../webhooks/subscriptions/filters.ts';
import { type Html, html } from '../html.ts';
import { layout, type Page } from '../layout.ts';
import { page } from '../page.ts';
import { fold, pageHead, section } from '../parts/section.ts';
import type { Site } from '../site.ts';
import { type FormState, subscribeForm } from './form.ts';
import { managementSamples, type Sample, verifySamples } from './samples.ts';

/** What the page shows after a subscription with its form. */
export interface SubscribedView {
  id: number;
  secret: string;
  target_url: string;
}

const settled = payloadSchemas['pick.settled'];

/** `/webhooks`: how to subscribe, what is delivered, how to check it. */
export const webhooksPage = page({
  path: '/webhooks',
  params: Type.Object({}),
  tags: () => [tags.world],
  examples: [{}],
  data: ({ database }) => filterChoices(database),
  render: (choices, { site }) => webhooksView(site, choices),
});

/** The same with what was typed into its form. */
export function webhooksView({ baseUrl }: Site, filters: FilterChoices, form: FormState = {}): Page {
  const { subscribe, manage } = managementSamples(baseUrl);
  const body = html`${pageHead({
    eyebrow: 'For programs',
    title: 'Webhooks',
    lead: 'Every pick, delivered to you when it is posted and again when it settles. Signed, in order, free, without signup.',
  })}${section({
    heading: 'Subscribe',
    id: 'subscribe-section',
    body: html`${subscribeForm(filters, form)}
<p>The answer has the subscription’s id and its secret. The secret is shown once and cannot be shown again: it signs what you receive and
is what you change or revoke the subscription with.</p>
<p>We send the receiver a <code>webhook.verify</code> at once. Answer it with any status from 200 to 299, as every event: that proves
that it takes deliveries. A subscription whose receiver takes nothing within a day is deleted. Limits: five subscriptions an hour and ten
that wait for proof from one internet address; 20 active ones for one e-mail address and 50 for one receiving host, of those that are
proven. <a href="/privacy">What we store, and for how long</a></p>
<p>A program subscribes with JSON:</p>
${fold('With curl', shown(subscribe))}`,
  })}${section({
    heading: 'What is delivered',
    id: 'deliveries',
    body: html`<p>A <code>POST</code> with a JSON body for each event. Leave both filters out to receive every capper and every sport.</p>
<section class="scroll" tabindex="0" aria-label="Events"><table class="plain">
<thead><tr><th scope="col">Event</th><th scope="col">When</th></tr></thead>
<tbody>
<tr><td><code>pick.posted</code></td><td>A verified capper posted a pick</td></tr>
<tr><td><code>pick.settled</code></td><td>A pick graded to win, loss, push or void: a second event for the same <code>pickUuid</code></td></tr>
<tr><td><code>ping</code></td><td>You asked for it</td></tr>
<tr><td><code>webhook.verify</code></td><td>You subscribed; up to five times, until it is answered</td></tr>
</tbody>
</table></section>
${fold('The body', html`<h3>Body</h3>${fieldTable(settled, 'Fields of the body')}`)}${fold(
  'pick, in the body',
  html`<h3>pick</h3>${fieldTable(settled.properties.pick, 'Fields of pick')}`,
)}${fold(
  'settlement, in the body',
  html`<h3>settlement</h3>${fieldTable(settled.properties.settlement, 'Fields of settlement')}`,
)}<p>The bodies are described as JSON Schema in the section <code>webhooks</code> of <a href="/openapi.json">the API’s description</a>. More
fields may be added; those that are here keep their names and meaning.</p>
${fold(
  'The headers',
  html`<h3>Headers</h3><section class="scroll" tabindex="0" aria-label="Headers of a delivery"><table class="plain">
<thead><tr><th scope="col">Header</th><th scope="col">Value</th></tr></thead>
<tbody>
<tr><td><code>X-Service-Event</code></td><td>The event</td></tr>
<tr><td><code>X-Service-Signature</code></td><td><code>sha256=</code> and, in hex, HMAC-SHA256 of the raw body, keyed with the secret</td></tr>
<tr><td><code>webhook-id</code></td><td>The same for every attempt of one event, so that a receiver recognizes a repetition</td></tr>
<tr><td><code>webhook-timestamp</code></td><td>When the attempt was made, in seconds since 1970</td></tr>
<tr><td><code>webhook-signature</code></td><td><code>v1,</code> and, in base64, HMAC-SHA256 of id, timestamp and body with full stops between them</td></tr>
</tbody>
</table></section>`,
)}`,
  })}${section({
    heading: 'Check the signature',
    id: 'signature',
    body: html`<p>The key is the secret as it is written, 64 characters; do not decode it. Sign the body as it came, byte for byte, before anything parses
it, and compare in constant time. <code>X-Service-Signature</code> says that we made the body. The three other headers follow
<a href="https://www.standardwebhooks.com/">Standard Webhooks</a>, whose libraries also refuse an old delivery that somebody sends
again.</p>
${verifySamples.map((sample) => fold(sample.title, shown(sample)))}`,
  })}${section({
    heading: 'Order and retries',
    id: 'order',
    body: fold(
      'The rules',
      html`<ul class="prose">
<li>Events go out once a minute, in the order of the ledger, at most 50 for each subscription. The rest follows a minute later. Nothing
from before you subscribed is sent, and nothing that was imported.</li>
<li>Any answer from 200 to 299 within 10 seconds counts as received. Redirects are not followed, and no more than 4 KiB of the answer is
read.</li>
<li>At any other answer, or none, we stop there. The same event comes first a minute later, and nothing overtakes it.
<code>Retry-After</code> is obeyed, up to an hour.</li>
<li>After five failures in a row the subscription is disabled. One success in between clears the count. Resume it, and it goes on where it
stopped: nothing is lost. <code>{"from": "head"}</code> passes over what happened meanwhile.</li>
<li>An event comes at least once. It comes twice only where your answer did not reach us: tell by <code>webhook-id</code>.</li>
</ul>`,
    ),
  })}${section({
    heading: 'Manage',
    id: 'manage',
    body: html`<p><a href="/webhooks/manage">Manage a subscription here</a>, with its id and secret: its last attempts, pause, resume, resend,
rotate, delete. A program does the same:</p>
${fold('With curl', shown(manage))}${fold(
  'What each of these does',
  html`<ul class="prose">
<li>The list needs only the e-mail address. It shows hosts, but neither secrets nor the rest of your receiver’s address.</li>
<li>Attempts are kept for 30 days: when, what, which status, how long. Your answers’ bodies are not kept.</li>
<li>A ping is a signed event of its own. It never counts as a failure. Every action: five an hour.</li>
<li><code>pause</code> stops a subscription, and nothing is lost. <code>resume</code> goes on where it stopped, or, with
<code>{"from": …}</code>, at <code>"head"</code>, at a <code>seq</code> or at an instant. What was sent since that point is sent again under its
old <code>webhook-id</code>.</li>
<li><code>resend</code> with <code>{"delivery_id": "msg_…"}</code> sends one event once more, beside the order.</li>
<li><code>POST ${baseUrl}/api/webhooks/$ID/rotate</code> gives a new secret, which <code>X-Service-Signature</code> is made with at once.
<code>webhook-signature</code> carries both for 24 hours, so that a receiver that checks it can change over without missing anything.
If the old secret leaked, <code>{"overlap_seconds": 0}</code> ends its use now. Managing needs the new one at once.</li>
<li>A subscription that is revoked, or stays disabled, is deleted after 30 days.</li>
</ul>`,
)}`,
  })}${section({
    heading: 'Chat channels',
    id: 'chat',
    body: html`<p>Give the webhook address of a channel in Discord (<code>discord.com</code> or <code>discordapp.com</code>), Slack
(<code>hooks.slack.com/services/…</code>) or Microsoft Teams (a workflow’s address), and picks appear there as messages, up to ten in one. The address is itself the credential, so these deliveries have no signature and no event header. We show it
to nobody and store it encrypted.</p>`,
  })}`;
  return {
    title: 'Webhooks',
    about: 'Have picks delivered when they are posted and when they settle: signed, in order, free.',
    path: '/webhooks',
    under: '/webhooks',
    body,
  };
}

/** What comes back when the form was granted. Nobody may keep it. */
export function subscribedPage({ id, secret, target_url }: SubscribedView, site: Site): string {
  const body = html`${pageHead({
    eyebrow: 'Webhooks',
    title: 'You are subscribed',
    lead: `Picks will be delivered to ${new URL(target_url).host}, beginning with the next one.`,
  })}${section({
    heading: 'Keep this',
    id: 'credentials',
    body: html`<dl class="facts">
<dt>Id</dt><dd><code id="subscription-id">${id}</code></dd>
<dt>Secret</dt><dd><code id="subscription-secret">${secret}</code></dd>
</dl>
<p><strong>Copy the secret now.</strong> It is shown this once. It signs what you receive, and you need it to change or revoke the
subscription.</p>
<p><a href="/webhooks">How to check signatures, and the rest about webhooks</a> · <a href="/webhooks/manage">Manage it</a></p>`,
  })}`;
  return layout(
    { title: 'Subscribed', about: 'A new webhook subscription.', body, under: '/webhooks' },
    site,
  );
}

function shown({ id, title, code }: Sample): Html {
  return html`<h3>${title}</h3>
<pre tabindex="0"><code id="${id}">${code}</code></pre>
`;
}

function fieldTable(schema: TObject, label: string): Html {
  const rows = Object.entries(schema.properties as Record<string, TSchema & { description?: string }>);
  return html`<section class="scroll" tabindex="0" aria-label="${label}"><table class="plain">
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows.map(
  ([name, property]) =>
    html`<tr><td><code>${name}</code></td><td>${typeOf(property)}</td><td>${(property.description ?? meanings[name] ?? '').replaceAll('`', '')}</td></tr>
`,
)}</tbody>
</table></section>`;
}

/** What the schema leaves to its fields' names. */
const meanings: Record<string, string> = {
  event: 'pick.posted or pick.settled, as in the header X-Service-Event.',
  delivered_at: 'When this attempt was made.',
  settlement: 'Only with pick.settled.',
  verifyUrl: 'Its permalink.',
  settledAt: 'When it settled.',
};

function typeOf(schema: TSchema): string {
  const { type, format, anyOf } = schema as { type?: string; format?: string; anyOf?: TSchema[] };
  if ('enum' in schema) return 'string';
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ');
  return format === undefined ? (type ?? '') : `${type}, ${format}`;
}
