import { handle } from '../../boards/params.ts';
import { sharpRecent } from '../../boards/sharp/consensus.ts';
import { Type } from '../../platform/type.ts';
import { everyEvent } from '../../projections/tags.ts';
import { counted } from '../figures.ts';
import { html } from '../html.ts';
import { page } from '../page.ts';
import { facts } from '../parts/lists.ts';
import { fold, pageHead, section } from '../parts/section.ts';
import { bettingTerms, rules } from '../rules/pages.ts';
import { exampleCapper, examplePick, leader } from './examples.ts';
import { explanations } from './explanations.ts';

export const howPage = page({
  path: '/how',
  params: Type.Object({
    handle: Type.Optional({
      ...handle,
      description: 'The capper used in the examples. Default: the leaderboard leader.',
    }),
  }),
  tags: () => everyEvent,
  examples: [{}, { handle: '{handle}' }],
  async data(context, params) {
    const [name, resolved] = await Promise.all([
      params.handle ?? leader(context),
      sharpRecent.compute(context, { hours: 168, limit: 1 }),
    ]);
    const [group] = resolved.groups;
    if (name === undefined) return { capper: undefined, pick: undefined, group };
    const [capper, pick] = await Promise.all([exampleCapper(context, name), examplePick(context, name)]);
    return { capper, pick, group };
  },
  render(examples) {
    const terms = bettingTerms();
    const body = html`${pageHead({
      eyebrow: 'Methods',
      title: 'How figures are computed',
      lead:
        examples.capper === undefined
          ? 'What each figure means. Examples appear once there are results.'
          : html`What each figure means, with <a href="/c/${examples.capper.handle}">${examples.capper.handle}</a>’s record as the example. The numbers are live.`,
    })}${explanations(examples).map(({ heading, id, exact, rule, example }) =>
      section({
        heading,
        id,
        links: [{ path: exact, label: 'Exact rule' }],
        body: html`${rule}${example !== undefined && html`<p class="worked">${example}</p>`}`,
      }),
    )}${section({
      heading: 'Glossary',
      id: 'words',
      body: fold(
        counted(terms.length, 'term'),
        facts(
          terms.map(({ term, meaning, rule }) => [term, html`${meaning} (${rule})`]),
          'pairs',
        ),
      ),
    })}${section({
      heading: 'Exact rules',
      id: 'rules',
      note: 'Every formula and every edge case.',
      body: html`<ul class="prose">
${rules().map(
  ({ path, title, question }) => html`<li><a href="${path}">${title}</a>: ${question}</li>
`,
)}</ul>`,
    })}`;
    return {
      title: 'How figures are computed',
      about: 'What every figure on this site means, with worked examples and a glossary.',
      path: '/how',
      under: '/how',
      body,
    };
  },
});
