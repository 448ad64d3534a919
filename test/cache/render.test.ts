import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { keyOf, render, targetOf } from '../../src/cache/render.ts';
import { instant } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { countingBoard } from '../support/boards.ts';

const context = (now: string) => ({
  database: undefined as unknown as Database,
  now: instant(now),
  baseUrl: 'https://picks.example',
  helpLine: '1-800-GAMBLER',
  sports: new Map(),
});
const nothing = { versions: [], epoch: '' };

describe('the key of an answer', () => {
  it('is the path with its parameters filled in and the others in order of their names', () => {
    expect(keyOf('/api/cappers/:handle/clv', { last_n: 50, handle: 'a', b: 'x y&z' })).to.equal(
      '/api/cappers/a/clv?b=x%20y%26z&last_n=50',
    );
  });

  it('leaves out what is absent', () => {
    expect(keyOf('/api/pod', { sport: undefined })).to.equal('/api/pod');
  });
});

describe('rendering a board', () => {
  const { board, set } = countingBoard();
  const rendered = async (
    now: string,
    format = undefined as (typeof board.formats & object)[number] | undefined,
  ) => (await render(targetOf(board, { limit: 2 }, format), context(now), nothing)).rendered;

  it('gives the envelope: instant, effective parameters, count, body', async () => {
    const { bytes } = await rendered('2026-01-15T12:00:00Z');
    expect(bytes.identity.toString()).to.equal(
      '{"generatedAt":"2026-01-15T12:00:00.000Z","query":{"limit":2},"count":2,"value":"first","items":[0,1]}',
    );
  });

  it('gives the same text in every coding', async () => {
    const { bytes } = await rendered('2026-01-15T12:00:00Z');
    expect(gunzipSync(bytes.gzip)).to.deep.equal(bytes.identity);
    expect(brotliDecompressSync(bytes.br)).to.deep.equal(bytes.identity);
  });

  it('tags the data, not the instant', async () => {
    const first = await rendered('2026-01-15T12:00:00Z');
    const later = await rendered('2026-01-15T12:01:00Z');
    set('second');
    const other = await rendered('2026-01-15T12:01:00Z');
    expect(first.etag).to.match(/^W\/"[\w-]{27}"$/);
    expect(later.etag).to.equal(first.etag);
    expect(other.etag).not.to.equal(first.etag);
  });

  it('is good for its lifetime', async () => {
    const { generatedAt, goodUntil } = await rendered('2026-01-15T12:00:00Z');
    expect(goodUntil - generatedAt).to.equal(300_000);
  });

  it('is not good beyond the ET day, on which slates and windows rest', async () => {
    const { goodUntil } = await rendered('2026-01-16T04:58:00Z');
    expect(goodUntil).to.equal(instant('2026-01-16T05:00:00Z'));
  });

  it('renders a further format of the same data, with its own path, type and lifetime', async () => {
    const text = await rendered('2026-01-15T12:00:00Z', board.formats?.[0]);
    expect(text.key).to.equal('/api/counted.txt?limit=2');
    expect(text.contentType).to.equal('text/plain; charset=utf-8');
    expect(text.lifetime).to.equal(600);
    expect(text.bytes.identity.toString()).to.equal('https://picks.example second 2');
  });
});
