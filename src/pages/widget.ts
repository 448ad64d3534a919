import { leaderboard } from '../boards/cappers/leaderboard.ts';
import { handle } from '../boards/params.ts';
import { knownCapper } from '../boards/subjects.ts';
import { widgetPath, widgetTag } from '../embed/widget.ts';
import { Type } from '../platform/type.ts';
import { everyEvent } from '../projections/tags.ts';
import { type Html, html } from './html.ts';
import { page } from './page.ts';
import { fieldList } from './parts/fields.ts';
import { empty, pageHead, section } from './parts/section.ts';

const themes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

export const widgetPage = page({
  path: '/docs/widget',
  params: Type.Object({
    handle: Type.Optional(handle),
    theme: Type.Optional(
      Type.Union([Type.Literal('light'), Type.Literal('dark')], {
        must: 'light or dark',
        description: 'The color theme. Default: the visitor’s own.',
      }),
    ),
  }),
  tags: () => everyEvent,
  examples: [{}, { handle: '{handle}', theme: 'dark' }],
  async data(context, params) {
    if (params.handle !== undefined) return (await knownCapper(context.database, params.handle)).handle;
    const { cappers } = await leaderboard.compute(context, { window: 'all', limit: 1, provenance: 'all' });
    return cappers[0]?.handle;
  },
  render(shown, { site, params: { theme } }) {
    const body = html`${pageHead({
      eyebrow: 'For your own site',
      title: 'Embed a capper’s record',
      lead: 'One script tag shows a capper’s current record on any page. No account, no cookies.',
    })}${section({
      heading: 'Choose',
      id: 'choose',
      body: html`<form class="step" action="/docs/widget" method="get">
${fieldList(
  [
    { name: 'handle', label: 'Capper', maxLength: 32 },
    { name: 'theme', label: 'Theme', optional: 'silently', none: 'Device setting', options: themes },
  ],
  { handle: shown, theme },
)}<p class="actions"><button type="submit">Show</button></p>
</form>`,
    })}${section({
      heading: 'Preview',
      id: 'widget',
      note: 'How it looks on your site.',
      body:
        shown === undefined
          ? empty('No capper has a settled pick yet. Come back when there is a result.')
          : tried(shown, theme),
    })}${section({
      heading: 'Script tag',
      id: 'tag',
      note: 'Paste it where the record should appear.',
      body: html`<pre tabindex="0"><code>${widgetTag(site.baseUrl, shown ?? 'handle', theme)}</code></pre>`,
    })}${section({ heading: 'Options', id: 'notes', body: notes(site.baseUrl, shown ?? 'handle') })}`;
    return {
      title: 'A capper’s record on your own site',
      about: 'A widget that shows a capper’s record on any page: one script tag, no account, no cookies.',
      path: '/docs/widget',
      under: '/docs',
      body,
    };
  },
});

function tried(shown: string, theme: string | undefined): Html {
  return html`<div class="widget-place"><script src="${widgetPath(shown)}"${theme !== undefined && html` data-theme="${theme}"`} async></script></div>
<noscript><p>The widget needs JavaScript, which is off. <a href="/c/${shown}">See the record of ${shown}</a> instead.</p></noscript>`;
}

function notes(baseUrl: string, shown: string): Html {
  return html`<ul class="prose">
<li>A page can have any number of widgets, for one capper or several.</li>
<li><code>data-odds="decimal"</code> on the tag, or <code>?odds=decimal</code> after the script’s address, shows decimal odds.</li>
<li><code>data-theme="light"</code> or <code>data-theme="dark"</code> on the tag sets the theme. By default it follows the visitor’s device.</li>
<li>To place the widget somewhere else on the page, write <code>&lt;public-picks-capper handle="${shown}"&gt;&lt;/public-picks-capper&gt;</code>
there and put <code>data-manual</code> on the tag. You can change <code>handle</code> at any time.</li>
<li>A Content-Security-Policy only needs <code>script-src ${baseUrl}</code> and <code>connect-src ${baseUrl}</code>, without
<code>unsafe-inline</code>. Your styles do not affect the widget, and its styles do not affect your page.</li>
<li>It shows when its figures were updated. If new figures are unavailable, it keeps the last ones and says so.</li>
<li>It fills its container, up to 440 pixels wide.</li>
</ul>`;
}
