import { closeFigures } from '../boards/cappers/close-figures.ts';
import { cappersVersus } from '../boards/cappers/versus.ts';
import { knownCapper } from '../boards/subjects.ts';
import { Type } from '../platform/type.ts';
import { tags } from '../projections/tags.ts';
import { readVerdicts } from '../projections/verdicts.ts';
import { counted, countText } from './figures.ts';
import { html } from './html.ts';
import { labelOf } from './labels.ts';
import { page } from './page.ts';
import { capperLink, capperPath } from './parts/capper.ts';
import { facts } from './parts/lists.ts';
import { recordCard } from './parts/record.ts';
import { empty, pageHead, section } from './parts/section.ts';
import { explained, verdictCell } from './parts/verdict.ts';

const { handle, other } = cappersVersus.params.properties;

export const versusPage = page({
  path: '/vs/:handle/:other',
  params: Type.Object({ handle, other }),
  tags: (params) => [tags.capper(params.handle), tags.capper(params.other), tags.world],
  examples: [{ handle: '{handle}', other: '{other}' }],
  async data(context, params) {
    const cappers = await Promise.all(
      [params.handle, params.other].map((each) => knownCapper(context.database, each)),
    );
    const handles = cappers.map((capper) => capper.handle);
    const [versus, verdictOf, close] = await Promise.all([
      cappersVersus.compute(context, params),
      readVerdicts(
        context.database,
        cappers.map(({ id }) => id),
      ),
      closeFigures(context, handles, { provenance: 'all', window: 'all' }),
    ]);
    const sides = [versus.left, versus.right].map((side, at) => ({
      ...side,
      verdict: verdictOf(cappers[at]!.id),
      close: close.get(side.handle),
    }));
    return { sides, shared: versus.shared };
  },
  render({ sides, shared }) {
    const [left, right] = sides.map((side) => side.handle) as [string, string];
    const { games, agreed, opposed } = shared;
    const body = html`${pageHead({
      eyebrow: 'Compare',
      title: html`<bdi>${left}</bdi> and <bdi>${right}</bdi>`,
    })}${section({
      heading: 'Verdicts',
      id: 'verdicts',
      how: '#verdicts',
      body: facts(
        sides.map((side) => [capperLink(side), verdictCell(side.verdict)]),
        'facts two',
      ),
    })}${section({
      heading: 'Records',
      id: 'records',
      how: '#price',
      note: `All time, live and imported picks. ${explained}`,
      data: [{ path: `/api/cappers/${encodeURIComponent(left)}/vs/${encodeURIComponent(right)}` }],
      body: html`<div class="records">${sides.map((side) => recordCard(side.handle, side.lifetime, side.close))}</div>`,
    })}${section({
      heading: labelOf('window', '30d'),
      id: 'month',
      body: html`<div class="records">${sides.map((side) => recordCard(side.handle, side.last30d))}</div>`,
    })}${section({
      heading: 'The same games',
      id: 'shared',
      body:
        games === 0
          ? empty('They have picked no game in common.')
          : html`<p>Both picked ${counted(games, 'game')}. In ${countText(agreed)} of their markets they took the same side, in ${countText(opposed)} different ones.</p>`,
    })}`;
    return {
      title: `${left} and ${right}`,
      about: `${left} and ${right} side by side: verdicts, records, and the games both picked.`,
      path: `/vs/${encodeURIComponent(left)}/${encodeURIComponent(right)}`,
      under: '/cappers',
      feeds: [left, right].map((name) => ({
        title: `Picks by ${name}`,
        path: `${capperPath(name)}/rss.xml`,
      })),
      body,
    };
  },
});
