import { leaderboard } from '../boards/cappers/leaderboard.ts';
import { handle } from '../boards/params.ts';
import { knownCapper } from '../boards/subjects.ts';
import { widgetPath, widgetTag } from '../embed/widget.ts';
import { Type } from '../platform/type.ts';
import { everyEvent } from '../projections/tags.ts';
import { type Html, html } from './html.ts';
import { page } from './page.ts';
import { select } from './parts/filters.ts';
import { empty, pageHead, section } from './parts/section.ts';

const themes = [
  { value: '', label: "The reader's own" },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** `/docs/widget`: a capper's widget to try, and the tag to copy. */
export const widgetPage = page({
  path: '/docs/widget',
  params: Type.Object({
    handle: Type.Optional(handle),
    theme: Type.Optional(
      Type.Union([Type.Literal('light'), Type.Literal('dark')], {
        must: 'light or dark',
        description: 'The colours, whatever the reader prefers.',
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
      title: "A capper's record, embedded",
      lead: 'One script tag shows the record as it is now, with sample sizes, on any page. It needs no account and sets no cookie.',
    })}${section({
      heading: 'Choose',
      id: 'choose',
      body: html`<form class="filters" action="/docs/widget" method="get">
<label>Capper <input name="handle" type="text" value="${shown ?? ''}" required minlength="2" maxlength="32" autocapitalize="none" autocomplete="off" spellcheck="false"></label>
${select('theme', 'Colours', themes, theme)}
<button type="submit">Show</button>
</form>`,
    })}${section({
      heading: 'The widget',
      id: 'widget',
      note: 'As other sites show it.',
      body: shown === undefined ? empty('No capper has a settled pick yet.') : tried(shown, theme),
    })}${section({
      heading: 'The tag',
      id: 'tag',
      note: 'Put it where the record is to appear.',
      body: html`<pre tabindex="0"><code>${widgetTag(site.baseUrl, shown ?? 'handle', theme)}</code></pre>`,
    })}${section({ heading: 'Good to know', id: 'notes', body: notes(site.baseUrl, shown ?? 'handle') })}`;
    return {
      title: "A capper's record on your own site",
      about: "A widget that shows a capper's record on any page: one script tag, no account, no cookie.",
      path: '/docs/widget',
      under: '/docs',
      body,
    };
  },
});

function tried(shown: string, theme: string | undefined): Html {
  return html`<div class="widget-place"><script src="${widgetPath(shown)}"${theme !== undefined && html` data-theme="${theme}"`} async></script></div>
<noscript><p>The widget is a script, and scripts do not run here. <a href="/c/${shown}">The record of ${shown}</a> needs none.</p></noscript>`;
}

function notes(baseUrl: string, shown: string): Html {
  return html`<ul class="prose">
<li>Several on a page, of one capper or of many, get along; each tag shows its own.</li>
<li><code>data-odds="decimal"</code> on the tag, or <code>?odds=decimal</code> after the script’s address, writes decimal prices.</li>
<li><code>data-theme="light"</code> or <code>data-theme="dark"</code> on the tag sets the colours; else it follows the reader's.</li>
<li>To place it elsewhere than beside the script, write <code>&lt;public-picks-capper handle="${shown}"&gt;&lt;/public-picks-capper&gt;</code>
there and <code>data-manual</code> on the tag. <code>handle</code> may change at any time.</li>
<li>A Content-Security-Policy needs <code>script-src ${baseUrl}</code> and <code>connect-src ${baseUrl}</code>, nothing else: no
<code>unsafe-inline</code>, and no style of yours reaches in or out.</li>
<li>It says of which instant its figures are. While they cannot be had it keeps showing the last ones and says so.</li>
<li>It is as wide as its container, at most 440 pixels.</li>
</ul>`;
}
