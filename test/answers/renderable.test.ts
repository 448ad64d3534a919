import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { finish } from '../../src/answers/rendered.ts';
import type { Output } from '../../src/boards/endpoint.ts';
import { instant } from '../../src/platform/clock.ts';

const renderable = { key: '/k', tags: ['a'], lifetime: 300, contentType: 'text/plain; charset=utf-8' };
const finished = (output: Output, now = '2026-01-15T12:00:00Z') =>
  finish(renderable, output, instant(now), { versions: ['1'], epoch: 'e' });

describe('finishing an answer', () => {
  it('gives the same text in every content coding', async () => {
    const { body } = finished({ text: 'the text' });
    expect(String(await body.in('identity'))).to.equal('the text');
    expect(String(gunzipSync(await body.in('gzip')))).to.equal('the text');
    expect(String(brotliDecompressSync(await body.in('br')))).to.equal('the text');
  });

  it('compresses the text on first request, once for all concurrent requests', async () => {
    const { body } = finished({ text: 'the text' });
    expect(['identity', 'gzip', 'br'].map((coding) => body.made(coding as 'br') !== undefined)).to.deep.equal(
      [true, false, false],
    );
    const [one, other] = await Promise.all([body.in('br'), body.in('br')]);
    expect(one).to.equal(other);
    expect(body.made('br')).to.equal(one);
    expect(body.size).to.equal('the text'.length + one.length);
  });

  it('hashes the tagged data, not the rest of the text, into the entity tag', async () => {
    const first = finished({ text: 'at 12:00: a', tagged: 'a' });
    const later = finished({ text: 'at 12:01: a', tagged: 'a' });
    const other = finished({ text: 'at 12:01: b', tagged: 'b' });
    expect(first.etag).to.match(/^W\/"[\w-]{27}"$/);
    expect(later.etag).to.equal(first.etag);
    expect(other.etag).not.to.equal(first.etag);
  });

  it('hashes the text into the entity tag if no data is tagged', async () => {
    expect(finished({ text: 'a' }).etag).to.equal(finished({ text: 'x', tagged: 'a' }).etag);
  });

  it('sets the lifetime', async () => {
    const { generatedAt, goodUntil } = finished({ text: '' });
    expect(goodUntil - generatedAt).to.equal(300_000);
  });

  it('ends the lifetime with the Eastern day, on which slates and windows depend', async () => {
    const { goodUntil } = finished({ text: '' }, '2026-01-16T04:58:00Z');
    expect(goodUntil).to.equal(instant('2026-01-16T05:00:00Z'));
  });
});
