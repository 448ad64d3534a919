import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { readmePath, renewedReadme } from './support/readme-tables.ts';

describe('the README', () => {
  it('lists every board and every setting as they are declared (npm run readme renews it)', () => {
    expect(readFileSync(readmePath, 'utf8')).to.equal(renewedReadme());
  });
});
