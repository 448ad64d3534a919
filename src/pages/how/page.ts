import { Type } from 'typebox';
import { capperClv } from '../../boards/cappers/clv.ts';
import { leaderboard } from '../../boards/cappers/leaderboard.ts';
import { capperLuck } from '../../boards/cappers/luck.ts';
import { capperStats } from '../../boards/cappers/stats.ts';
import type { BoardContext } from '../../boards/context.ts';
import { handle } from '../../boards/params.ts';
import { pickClosing } from '../../boards/picks/closing.ts';
import { pickConfidence } from '../../boards/picks/confidence.ts';
import { pickBoard } from '../../boards/picks/pick.ts';
import { sharpRecent } from '../../boards/sharp/recent.ts';
import { everyEvent } from '../../projections/tags.ts';
import { html } from '../html.ts';
import { page } from '../page.ts';
import { pageHead, section } from '../parts/section.ts';
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
      body: html`<dl class="terms">${terms.map(
        ([term, meaning]) => html`<div><dt>${term}</dt><dd>${meaning}</dd></div>
`,
      )}</dl>`,
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

async function leader(context: BoardContext): Promise<string | undefined> {
  const { cappers } = await leaderboard.compute(context, { window: 'all', limit: 1, provenance: 'all' });
  return cappers[0]?.handle;
}

/** The record of a capper; undefined where nothing was won or lost. */
async function exampleCapper(context: BoardContext, name: string) {
  const [{ handle, lifetime }, values, luck] = await Promise.all([
    capperStats.compute(context, { handle: name, provenance: 'all' }),
    capperClv.compute(context, { handle: name, last_n: 1 }),
    capperLuck.compute(context, { handle: name, days: 1 }),
  ]);
  return luck.decided === 0 ? undefined : { handle, record: lifetime, values, luck };
}

/** The latest pick of a capper that closed at its own line, at another price if there is one, or else the latest; undefined without a pick. */
async function examplePick(context: BoardContext, name: string) {
  const [{ picks }, { lastPicks }] = await Promise.all([
    capperClv.compute(context, { handle: name, last_n: 200 }),
    capperStats.compute(context, { handle: name, provenance: 'all' }),
  ]);
  const atOwnLine = picks.filter(({ sameLine }) => sameLine);
  const moved = atOwnLine.find(({ clvBps }) => clvBps !== 0) ?? atOwnLine[0];
  const uuid = moved?.pickUuid ?? lastPicks[0]?.pickUuid;
  if (uuid === undefined) return undefined;
  const [facts, closing, confidence] = await Promise.all([
    pickBoard.compute(context, { uuid }),
    pickClosing.compute(context, { uuid }),
    pickConfidence.compute(context, { uuid }),
  ]);
  return { facts, closing, confidence };
}

export type ExampleCapper = NonNullable<Awaited<ReturnType<typeof exampleCapper>>>;
export type ExamplePick = NonNullable<Awaited<ReturnType<typeof examplePick>>>;
