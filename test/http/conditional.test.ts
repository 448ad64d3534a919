import { expect } from 'chai';
import { noneMatches } from '../../src/http/conditional.ts';

const etag = 'W/"abc"';

describe('If-None-Match', () => {
  for (const [header, matches] of [
    [undefined, false],
    ['', false],
    ['W/"abc"', true],
    ['"abc"', true],
    [' W/"abc" ', true],
    ['*', true],
    ['"x", W/"abc"', true],
    ['"x",W/"y" , "abc"', true],
    ['"x"', false],
    ['abc', false],
    ['"x,abc"', false],
    ['"*"', false],
    ['W/"ABC"', false],
  ] as const)
    it(`${JSON.stringify(header)} ${matches ? 'names' : 'does not name'} ${etag}`, () => {
      expect(noneMatches(header, etag)).to.equal(matches);
    });
});
