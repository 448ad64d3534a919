import { handle } from '../../boards/params.ts';
import { sharpRecent } from '../../boards/sharp/recent.ts';
import { Type } from '../../platform/type.ts';
import { everyEvent } from '../../projections/tags.ts';
import { counted } from '../figures.ts';
import { html } from '../html.ts';
import { page } from '../page.ts';
import { fold, pageHead, section } from '../parts/section.ts';
import { exampleCapper, examplePick, leader } from './examples.ts';
import { explanations } from './explanations.ts';
import { terms } from './terms.ts';

/** `/how`: what every figure means, each with an example of the ledger that is shown, and the words. */
export const howPage = page({
  path: '/how',
  params: Type.Object({
    handle: Type.Optional({
      ...handle,
      description: 'The capper of the examples. Default: the leader of the leaderboard.',
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
    const body = html`${pageHead({
      eyebrow: 'Methods',
      title: 'How the figures are computed',
      lead:
        examples.capper === undefined
          ? 'What each figure means. There are no results yet: once there are, every figure has an example of them here.'
          : html`What each figure means, with the record of <a href="/c/${examples.capper.handle}">${examples.capper.handle}</a> as the example. The numbers are those of this ledger, now.`,
    })}${explanations(examples).map(({ heading, id, rule, example }) =>
      section({
        heading,
        id,
        body: html`<p>${rule}</p>${example !== undefined && html`<p class="worked">${example}</p>`}`,
      }),
    )}${section({
      heading: 'Words',
      id: 'words',
      body: fold(
        counted(terms.length, 'word'),
        html`<dl class="terms">${terms.map(
          ([term, meaning]) => html`<div><dt>${term}</dt><dd>${meaning}</dd></div>
`,
        )}</dl>`,
      ),
    })}`;
    return {
      title: 'How the figures are computed',
      about: 'What every figure here means, with worked examples of the ledger, and the words.',
      path: '/how',
      under: '/how',
      body,
    };
  },
});
