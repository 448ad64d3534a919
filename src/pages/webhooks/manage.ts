import { sportTag } from '../../boards/formats/pick-text.ts';
import type { AttemptBody } from '../../webhooks/subscriptions/attempts.ts';
import type { SubscriptionBody } from '../../webhooks/subscriptions/subscriptions.ts';
import { counted, countText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { labelOf, marketLabel } from '../labels.ts';
import { layout, type Page } from '../layout.ts';
import { facts, table } from '../parts/lists.ts';
import { empty, pageHead, section } from '../parts/section.ts';
import type { Site } from '../site.ts';
import { fullWhen } from '../times.ts';

export interface Message {
  /** Refusals are shown as alerts. */
  text: string;
  refused: boolean;
}

export interface ManagedView {
  subscription: SubscriptionBody;
  /** The current secret. Every form posts it again, because the service keeps no sessions. */
  secret: string;
  /** Whether the secret was just rotated, to show it once. */
  rotated: boolean;
  attempts: readonly AttemptBody[];
}

const about = 'View, ping, resend, pause, resume, rotate, or delete a webhook subscription.';

/** `/webhooks/manage` before the ID and secret are given, or after they were refused. */
export function managePage(message?: Message, id = ''): Page {
  const body = html`${pageHead({
    eyebrow: 'Webhooks',
    title: 'Manage a subscription',
    lead: 'Enter its ID and secret to see recent deliveries, and to pause, resume, resend, rotate, or delete.',
  })}${section({
    heading: 'Subscription',
    id: 'which',
    note: 'You got both when you subscribed. This page does not save them: no cookies, no browser storage, nothing in the URL.',
    body: html`<form method="post" action="/webhooks/manage" autocomplete="off">
${messageOf(message)}<p class="field"><label for="id">ID</label>
<input id="id" name="id" type="text" inputmode="numeric" value="${id}" required autocomplete="off"></p>
<p class="field"><label for="secret">Secret</label>
<input class="masked" id="secret" name="secret" type="text" required autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="secret-hint">
<span class="hint" id="secret-hint">64 characters, 0 to 9 and a to f.</span></p>
<p><button type="submit">Show</button></p>
</form>
<p><a href="/webhooks">About webhooks</a></p>`,
  })}`;
  return { title: 'Manage a webhook', about, path: '/webhooks/manage', under: '/webhooks', body };
}

/** Must not be cached. */
export function managedPage(view: ManagedView, site: Site, message?: Message): string {
  const { subscription, secret, rotated, attempts } = view;
  const { id, status, target_host } = subscription;
  const body = html`<form method="post" action="/webhooks/manage" autocomplete="off">
<input type="hidden" name="id" value="${id}"><input type="hidden" name="secret" value="${secret}">
${pageHead({
  eyebrow: 'Webhooks',
  title: html`Subscription ${id}: ${filterText(subscription)}`,
  lead: html`${labelOf('subscription', status)}, to <bdi>${target_host}</bdi>.`,
})}${section({
  heading: 'State',
  id: 'state',
  body: html`${messageOf(message)}${
    rotated &&
    html`<p><strong>Copy the new secret now.</strong> It is shown only once.<br><code id="new-secret">${secret}</code></p>`
  }${state(view)}
<p><button type="submit" name="action" value="show">Refresh</button></p>`,
})}${
  status !== 'revoked' &&
  section({
    heading: 'Actions',
    id: 'actions',
    note: 'Each action is limited to five times an hour. The API offers the same actions.',
    links: [{ path: '/docs#/webhooks', label: 'API reference' }],
    body: actions(subscription),
  })
}${section({
  heading: 'Recent deliveries',
  id: 'attempts',
  note: 'Kept for 30 days. We keep only the status of each response. Resent events keep their webhook-id.',
  body: attempts.length === 0 ? empty('Nothing sent yet.') : attemptTable(attempts, status !== 'revoked'),
})}</form>`;
  return layout({ title: `Webhook ${id}`, about, body, under: '/webhooks' }, site);
}

function messageOf(message: Message | undefined): Html | false {
  if (message === undefined) return false;
  return message.refused
    ? html`<p role="alert"><strong>${message.text}</strong></p>
`
    : html`<p role="status"><strong>${message.text}</strong></p>
`;
}

function filterText({ capper_handle, sport, market, tier, team, player, event }: SubscriptionBody): string {
  const parts = [
    capper_handle,
    sport && sportTag(sport),
    market && marketLabel(market),
    tier && labelOf('tier', tier),
    team,
    player,
    event && (event === 'pick.posted' ? 'New picks' : 'Results'),
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'Every pick' : parts.join(', ');
}

function state({ subscription }: ManagedView): Html {
  const { target_url, owner_email, consecutive_failures, next_seq } = subscription;
  const { created_at, paused_at, disabled_at, last_delivery_at, last_status } = subscription;
  return facts([
    ['Receiver', html`<code>${target_url}</code>`],
    ['Owner', owner_email],
    ['Created', fullWhen(created_at)],
    paused_at !== null && ['Paused', fullWhen(paused_at)],
    disabled_at !== null && ['Disabled', fullWhen(disabled_at)],
    last_delivery_at !== null && [
      'Last attempt',
      html`${fullWhen(last_delivery_at)}, ${last_status ?? 'no response'}`,
    ],
    ['Failures in a row', countText(consecutive_failures)],
    ['Next event', html`log entry ${countText(next_seq)}`],
  ]);
}

function actions({ status }: SubscriptionBody): Html {
  return html`<p><button type="submit" name="action" value="ping">Ping</button> sends a signed test event now.</p>
${
  status === 'active' &&
  html`<p><button type="submit" name="action" value="pause">Pause</button> stops deliveries until you resume. No events are lost.</p>
`
}<fieldset><legend>${status === 'active' ? 'Move to another point' : 'Resume'}</legend>
<p class="field"><label for="from">From</label>
<select id="from" name="from"><option value="cursor">where it stopped</option><option value="head">the next new event</option><option value="point">the point below</option></select></p>
<p class="field"><label for="point">Point (optional)</label>
<input id="point" name="point" type="text" autocomplete="off" placeholder="2026-01-10T17:05:00Z" aria-describedby="point-hint">
<span class="hint" id="point-hint">A time with its zone, or the seq of an event. Events after it are sent again.</span></p>
<p><button type="submit" name="action" value="resume">${status === 'active' ? 'Move' : 'Resume'}</button></p></fieldset>
<fieldset><legend>Rotate the secret</legend>
<p class="field"><label class="check"><input type="checkbox" name="leaked" value="yes"> The old secret leaked: stop using it now instead of after 24 hours.</label></p>
<p><button type="submit" name="action" value="rotate">Rotate</button></p></fieldset>
<fieldset><legend>Delete</legend>
<p class="field"><label class="check"><input type="checkbox" name="sure" value="yes"> Yes, delete this subscription permanently.</label></p>
<p><button type="submit" name="action" value="delete">Delete</button></p></fieldset>`;
}

function attemptTable(attempts: readonly AttemptBody[], resendable: boolean): Html {
  return table(
    ['Time', 'Request', 'Response', 'Resend'],
    attempts.map((attempt) => [
      fullWhen(attempt.at),
      request(attempt),
      answer(attempt),
      resendable &&
        attempt.delivery_id.startsWith('msg_') &&
        html`<button type="submit" name="resend" value="${attempt.delivery_id}" aria-label="Resend ${attempt.delivery_id}">Resend</button>`,
    ]),
    { kind: 'plain', scroll: 'Recent deliveries' },
  );
}

function request({ event, delivery_id, pick_uuid, picks }: AttemptBody): Html {
  return html`<code>${event}</code>${
    pick_uuid === null
      ? picks > 1 && ` of ${counted(picks, 'event')}`
      : html` of <a href="/p/${pick_uuid}">a pick</a>`
  }<br><small>webhook-id <code>${delivery_id}</code></small>`;
}

function answer({ status, error, duration_ms }: AttemptBody): Html {
  const took = html`<small>${countText(duration_ms)} ms</small>`;
  if (error === null) return html`<span class="gain">${status}</span> ${took}`;
  return html`<span class="cost">${status ?? labelOf('attemptError', error)}</span> ${took}`;
}
