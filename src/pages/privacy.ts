import { lifetimes } from '../cache/lifetimes.ts';
import { type Retained, retention } from '../webhooks/subscriptions/retention.ts';
import { html } from './html.ts';
import type { FixedPage } from './page.ts';
import { pageHead, section } from './parts/section.ts';

/** `/privacy`: what is stored about readers, subscribers and cappers, why, and for how long. */
export const privacyPage: FixedPage = {
  path: '/privacy',
  lifetime: lifetimes.release,
  render: () => ({
    title: 'Privacy',
    about: 'What this service stores about readers, subscribers and cappers, why, and for how long.',
    path: '/privacy',
    under: '/privacy',
    body: html`${pageHead({
      eyebrow: 'About this site',
      title: 'Privacy',
      lead: 'Reading needs no account and leaves nothing behind but a line in a log without your address. Only a webhook subscription stores something about you.',
    })}${section({
      heading: 'What is stored',
      id: 'stored',
      body: html`<table class="standings split">
<thead><tr><th scope="col">What</th><th scope="col">Why</th><th scope="col">Where</th><th scope="col">How long</th></tr></thead>
<tbody>
${Object.values(retention).map(
  (retained) =>
    html`<tr><th scope="row">${retained.what}</th><td data-label="Why">${retained.why}</td><td data-label="Where">${retained.where}</td><td data-label="How long">${howLong(retained)}</td></tr>
`,
)}</tbody>
</table>
<p>After that it is deleted, within a day at the latest. Backups keep it as long as the operator of this site keeps backups.</p>`,
    })}${section({
      heading: 'What is not stored',
      id: 'not-stored',
      body: html`<ul class="prose">
<li><strong>Cookies:</strong> none. Nor is anything stored in your browser but its ordinary cache.</li>
<li><strong>Scripts, fonts and pictures of others:</strong> none. No page loads anything from another site, so no other site learns of
your visit.</li>
<li><strong>Internet addresses of readers:</strong> not logged. A proxy in front of this service may keep logs of its own.</li>
</ul>`,
    })}${section({
      heading: 'What is public for ever',
      id: 'public',
      body: html`<p>The ledger: a capper’s handle, picks, prices, stakes and results. Nobody can remove anything from it; that is what it is
for. <a href="/ledger">How it is proven</a></p>`,
    })}${section({
      heading: 'Your subscriptions',
      id: 'yours',
      body: html`<p>Anyone who knows an e-mail address can list its subscriptions: the receivers’ hosts, filters and status, neither secrets nor
whole addresses. <a href="/webhooks#manage">Listing and revoking</a> need no help from the operator. A subscription in your name that is not yours is
deleted after a day unless a receiver takes deliveries; about any other, ask the operator: the address is in
<a href="/.well-known/security.txt">security.txt</a>.</p>`,
    })}`,
  }),
};

/** In words: `30 days after the attempt`. */
function howLong({ forMs, from }: Retained): string {
  if (forMs === null) return 'As long as the operator keeps logs';
  const hours = forMs / 3_600_000;
  const [count, unit] = hours % 24 === 0 && hours > 24 ? [hours / 24, 'day'] : [hours, 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'} after ${from}`;
}
