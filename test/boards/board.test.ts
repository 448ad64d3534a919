import { expect } from 'chai';
import { aheadOf, board } from '../../src/boards/board.ts';
import { type InvalidParams, keyOf } from '../../src/boards/endpoint.ts';
import { tier } from '../../src/boards/params.ts';
import { instant } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { Type } from '../../src/platform/type.ts';
import { countingBoard } from '../support/boards.ts';

const context = (now: string) => ({
  database: undefined as unknown as Database,
  now: instant(now),
  baseUrl: 'https://picks.example',
  helpLine: '1-800-GAMBLER',
  sports: new Map(),
});

describe('the key of an answer', () => {
  it('is the path with its parameters filled in and the remaining ones sorted by name', () => {
    expect(keyOf('/api/cappers/:handle/clv', { last_n: 50, handle: 'a', b: 'x y&z' })).to.equal(
      '/api/cappers/a/clv?b=x%20y%26z&last_n=50',
    );
  });

  it('omits absent parameters', () => {
    expect(keyOf('/api/pod', { sport: undefined })).to.equal('/api/pod');
  });
});

describe('a board', () => {
  const { board: counted, set } = countingBoard();
  const render = (now: string) => counted.renderable({ limit: '2' }, undefined).render(context(now));

  it('renders the envelope: instant, effective parameters, count, body', async () => {
    expect(String((await render('2026-01-15T12:00:00Z')).text)).to.equal(
      '{"generatedAt":"2026-01-15T12:00:00.000Z","query":{"limit":2},"count":2,"value":"first","items":[0,1]}',
    );
  });

  it('tags the data, not the instant', async () => {
    const first = await render('2026-01-15T12:00:00Z');
    const later = await render('2026-01-15T12:01:00Z');
    set('second');
    const other = await render('2026-01-15T12:01:00Z');
    set('first');
    expect(later.tagged).to.deep.equal(first.tagged);
    expect(other.tagged).not.to.deep.equal(first.tagged);
  });

  it('gives equivalent parameters the same key', () => {
    const keys = [{}, { limit: '10' }, { other: 'x' }, { sport: '' }].map(
      (given) => counted.renderable(given, undefined).key,
    );
    expect(new Set(keys)).to.deep.equal(new Set(['/api/counted?limit=10']));
  });

  it('refuses invalid parameters', () => {
    expect(() => counted.renderable({ limit: 'many' }, undefined))
      .to.throw()
      .with.property('name', 'InvalidParams' satisfies InvalidParams['name']);
  });

  it('states whether a body may be cached', async () => {
    const output = await counted
      .renderable({ text: 'untold' }, undefined)
      .render(context('2026-01-15T12:00:00Z'));
    expect(output.mayKeep).to.equal(false);
  });

  it('has formats of the same data, each with its path, type, and lifetime', async () => {
    const text = counted.formats[0]!.renderable({ limit: '2' }, undefined);
    expect(text).to.include({
      key: '/api/counted.txt?limit=2',
      contentType: 'text/plain; charset=utf-8',
      lifetime: 600,
    });
    const now = '2026-01-15T12:00:00Z';
    const output = await text.render(context(now));
    expect(output.text).to.equal('https://picks.example first 2');
    expect(output.tagged).to.deep.equal((await render(now)).tagged);
  });

  it('lists the parameters to refresh ahead', () => {
    const { board: other } = countingBoard({ ahead: [{}, { limit: '5' }] });
    expect(aheadOf([other]).map(({ key }) => key)).to.deep.equal([
      '/api/counted?limit=10',
      '/api/counted?limit=5',
    ]);
  });

  it('rejects undeclared parameters in its path and in those of its formats', () => {
    const declaration = {
      group: 'cappers' as const,
      about: 'For tests.',
      params: Type.Object({ tier }),
      tags: () => [],
      body: Type.Object({}),
      examples: [{}],
      compute: () => Promise.resolve({}),
    };
    const format = { path: '/:level.txt', contentType: 'text/plain', lifetime: 60, render: () => '' };
    expect(() => board({ ...declaration, path: '/api/:level' })).to.throw(
      '/api/:level has an undeclared parameter',
    );
    expect(() => board({ ...declaration, path: '/api/:tier', formats: [format] })).to.throw(
      '/:level.txt has an undeclared parameter',
    );
  });
});
