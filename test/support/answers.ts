import { compressible } from '../../src/answers/coded.ts';
import type { Rendered } from '../../src/answers/rendered.ts';

/** Returns a rendered answer, made at 1000 and valid until 301000. */
export function answer(given: Partial<Omit<Rendered, 'body'>> & { bytes?: Buffer } = {}): Rendered {
  const { bytes = Buffer.from('{}'), ...rest } = given;
  return {
    key: '/api/answer',
    contentType: 'application/json; charset=utf-8',
    lifetime: 300,
    generatedAt: 1000,
    goodUntil: 301_000,
    etag: 'W/"tag"',
    tags: ['a'],
    versions: [null],
    epoch: 'e',
    ...rest,
    body: compressible(bytes),
  };
}
