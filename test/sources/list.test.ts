import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { jobs } from '../../src/jobs/index.ts';
import { sourceOf, sources } from '../../src/sources/index.ts';
import type { Source } from '../../src/sources/source.ts';
import { withDatabase } from '../support/database.ts';

const folder = new URL('../../src/sources/', import.meta.url);

describe('the sources', () => {
  const stores = withDatabase();
  const all: readonly Source[] = sources;

  it('include the source of every folder', async () => {
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const declared = await Promise.all(
      folders.map(async ({ name }) => {
        const module = (await import(new URL(`${name}/source.ts`, folder).href)) as Record<string, Source>;
        return Object.values(module)[0]?.name;
      }),
    );
    expect(declared.sort()).to.deep.equal(all.map(({ name }) => name).sort());
  });

  it('have a declared job each, and share none', () => {
    for (const { job } of all) expect(jobs).to.include(job);
    expect(new Set(all.map(({ job }) => job)).size).to.equal(all.length);
  });

  it('are trusted in a strict order for each kind of report', () => {
    for (const kind of ['schedule', 'scores'] as const) {
      const places = all.flatMap(({ offers }) => offers[kind]?.trust ?? []);
      expect(new Set(places).size, kind).to.equal(places.length);
    }
  });

  it('have scores of sports that the service has', async () => {
    const keys: string[] = await stores.database('sports').pluck('key');
    const scored = all.flatMap(({ offers }) => ('scores' in offers ? [offers.scores] : []));
    expect(keys.filter((key) => !scored.some((offer) => offer.hasSport(key)))).to.deep.equal(['tennis']);
    expect(scored.some((offer) => offer.hasSport('chess'))).to.equal(false);
  });

  it('are found by the name of a feed', () => {
    expect(sourceOf('odds-api')?.name).to.equal('odds-api');
    expect(sourceOf('odds-api/basketball_nba/odds')?.name).to.equal('odds-api');
    expect(sourceOf('odds-apis')).to.equal(undefined);
  });
});
