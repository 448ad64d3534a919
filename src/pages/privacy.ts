import { type Retained, retention } from '../webhooks/subscriptions/retention.ts';
import { html } from './html.ts';
import type { FixedPage } from './page.ts';
import { table } from './parts/lists.ts';
import { pageHead, section } from './parts/section.ts';

export const privacyPage: FixedPage = {
  path: '/privacy',
  render: () => ({
    title: 'Privacy',
    about: 'What this site stores about visitors, subscribers, and cappers, why, and for how long.',
    under: '/privacy',
    body: html`${pageHead({
      eyebrow: 'About this site',
      title: 'Privacy',
      lead: 'You can read this site without an account. Visits are logged without your IP address. We store data about you only if you subscribe to webhooks or notifications.',
    })}${section({
      heading: 'What we store',
      id: 'stored',
      body: html`${table(
        ['What', 'Why', 'Where', 'How long'],
        Object.values(retention).map((kept) => [kept.what, kept.why, kept.where, howLong(kept)]),
      )}
<p>Expired data is deleted within a day. Backups keep it for as long as the operator of this site keeps backups.</p>`,
    })}${section({
      heading: 'What we do not store',
      id: 'not-stored',
      body: html`<ul class="prose">
<li><strong>Cookies:</strong> none. Your browser stores nothing except its normal cache and, if you turn them on, which notifications this
device gets.</li>
<li><strong>Third-party scripts, fonts, and images:</strong> none. Pages load nothing from other sites, so no other site learns of
your visit.</li>
<li><strong>Visitors’ IP addresses:</strong> not logged. A proxy in front of this site may keep its own logs.</li>
</ul>`,
    })}${section({
      heading: 'What stays public forever',
      id: 'public',
      body: html`<p>The ledger: each capper’s handle, picks, odds, stakes, and results. Nobody can remove anything from it, and that is its
purpose. <a href="/ledger">How it is proven</a></p>`,
    })}${section({
      heading: 'Your subscriptions',
      id: 'yours',
      body: html`<p>Anyone who knows your e-mail address can list its subscriptions: the receivers’ hosts, filters, and status, but not secrets or
full addresses. You can <a href="/webhooks#manage">list and delete</a> subscriptions yourself. If someone else subscribed in your name, the subscription is
deleted after a day unless a receiver accepts deliveries. For anything else, contact the operator at the address in
<a href="/.well-known/security.txt">security.txt</a>.</p>`,
    })}`,
  }),
};

function howLong({ forMs, from }: Retained): string {
  if (forMs === null) return 'As long as the operator keeps logs';
  const hours = forMs / 3_600_000;
  const [count, unit] = hours % 24 === 0 && hours > 24 ? [hours / 24, 'day'] : [hours, 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'} after ${from}`;
}
