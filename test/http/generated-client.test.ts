import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { exampleFacts } from '../support/examples.ts';
import { generatedTypes, type Program, programWith } from '../support/generated-client.ts';
import { withServedLeague } from '../support/served-league.ts';

const source = readFileSync(join(import.meta.dirname, '..', 'fixtures', 'client', 'use.ts.txt'), 'utf8');

/** Generated types without comments, and without the index of response headers that the generator always adds. */
function own(types: string): string {
  return types.replace(/\/\*[\s\S]*?\*\//g, '').replace(/headers: \{\s*\[name: string\]: unknown;\s*\}/g, '');
}

describe('a client that is generated from /openapi.json', function () {
  this.timeout(60_000);
  const served = withServedLeague(Date.parse('2024-10-13T18:00:00Z'));
  let types: string;
  let program: Program;

  before(async () => {
    const document = (await (await fetch(`${served.site.address}/openapi.json`)).json()) as object;
    types = await generatedTypes(document);
    program = await programWith(types, source);
  });
  after(() => program?.remove());

  it('has a type for everything', () => {
    expect(own(types)).to.not.match(/\b(unknown|any)\b/);
  });

  it('names what the API is about', () => {
    for (const name of [
      'Pick',
      'Record',
      'Group',
      'Problem',
      'Receipt',
      'Status',
      'Tier',
      'Result',
      'Webhook',
    ])
      expect(types).to.match(new RegExp(`^ {8}${name}: `, 'm'), name);
  });

  it('compiles strictly, and refuses what the API does not know', async () => {
    expect(await program.compile()).to.equal('');
  });

  it('reads the running service', async () => {
    const { uuid, handle } = await exampleFacts(served.database.database);
    const { use } = await program.load();
    const seen = await use(served.site.address, { uuid, handle });
    expect(seen).to.deep.include({
      pick: uuid,
      handle,
      receipt: 'sealed',
      missing: 404,
      refused: ['/tier'],
      email: 400,
    });
    expect(seen.status).to.be.oneOf(['ok', 'degraded', 'down']);
    expect(seen.leaders).to.be.greaterThan(0);
    expect(seen.tiers).to.satisfy((tiers: string[]) => tiers.includes('elite'));
  });
});
