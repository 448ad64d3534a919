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
import { type FilterChoices, filterChoices } from '../../webhooks/subscriptions/filters.ts';
import { html } from '../html.ts';
import { layout, type Page } from '../layout.ts';
import { page } from '../page.ts';
import { code, facts, table } from '../parts/lists.ts';
import { fold, pageHead, section } from '../parts/section.ts';
import { textOf } from '../rules/pages.ts';
import type { Site } from '../site.ts';
import { type FormState, subscribeForm } from './form.ts';
import { managementSamples, verifySamples } from './samples.ts';

export interface SubscribedView {
  id: number;
  secret: string;
  secret_whsec: string;
  target_url: string;
}

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
<p>Limits per IP address: five new subscriptions an hour, and 100 that are active.
<a href="/rules/webhooks#limits">All limits</a> · <a href="/privacy">What we store, and for how long</a></p>
<p>To subscribe from a program, send JSON:</p>
${code('curl', subscribe.code, subscribe.id)}`,
  })}${section({
    heading: 'Events',
    id: 'deliveries',
    body: html`${textOf('/rules/webhooks#events')}
<p>Headers and fields of each body:</p>
${table(
  ['Event', 'When'],
  [
    [html`<a href="/docs#/webhooks/deliverPickPosted">pick.posted</a>`, 'A capper posted a pick'],
    [
      html`<a href="/docs#/webhooks/deliverPickSettled">pick.settled</a>`,
      'A pick settled as a win, loss, push, or void',
    ],
    [html`<a href="/docs#/webhooks/deliverPing">ping</a>`, 'You sent a ping'],
  ],
  { kind: 'plain', scroll: 'Event types' },
)}`,
  })}${section({
    heading: 'Check the signature',
    id: 'signature',
    body: html`<p>The key is the 64-character secret as written; do not decode it. Sign the raw body byte for byte, before parsing
it, and compare in constant time. <code>X-Service-Signature</code> proves that the body came from us. The three other headers follow
<a href="https://www.standardwebhooks.com/">Standard Webhooks</a>, whose libraries also reject replays of old
deliveries. Their key is <code>secret_whsec</code>, in the same response as the secret.</p>
${verifySamples.map((sample) => code(sample.title, sample.code, sample.id))}`,
  })}${section({
    heading: 'Order and retries',
    id: 'order',
    body: fold(
      'Rules',
      html`${textOf('/rules/webhooks#order-and-repetition')}${textOf('/rules/webhooks#failures')}`,
    ),
  })}${section({
    heading: 'Manage',
    id: 'manage',
    body: html`<p><a href="/webhooks/manage">Manage a subscription</a> with its ID and secret: see recent deliveries, pause, resume, resend,
rotate, or delete. From a program:</p>
${code('curl', manage.code, manage.id)}${fold(
  'Rules',
  html`${textOf('/rules/webhooks#pause-resume-resend')}${textOf('/rules/webhooks#secrets-and-rotation')}`,
)}`,
  })}${section({
    heading: 'Chat channels',
    id: 'chat',
    body: textOf('/rules/webhooks#chat-channels'),
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
export function subscribedPage({ id, secret, secret_whsec, target_url }: SubscribedView, site: Site): string {
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
      ['The same for libraries of Standard Webhooks', html`<code>${secret_whsec}</code>`],
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
