import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { exampleValues } from '../support/examples.ts';
import { withFolder } from '../support/folders.ts';
import { generatedTypes, type Program, programWith } from '../support/generated-client.ts';
import { withRedis } from '../support/redis.ts';
import { richLog } from '../support/rich-log.ts';

const source = readFileSync(join(import.meta.dirname, '..', 'fixtures', 'client', 'use.ts.txt'), 'utf8');

/** Returns generated types without comments, and without the index of response headers that the generator always adds. */
function own(types: string): string {
  return types.replace(/\/\*[\s\S]*?\*\//g, '').replace(/headers: \{\s*\[name: string\]: unknown;\s*\}/g, '');
}

describe('a client generated from /openapi.json', () => {
  const database = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  let site: RunningApi;
  let types: string;
  let program: Program;

  before(async () => {
    const log = await richLog(database.database, folder);
    site = await startApi({ database, redis }, { clock: { now: () => log.now } });
    const document = (await (await fetch(`${site.address}/openapi.json`)).json()) as object;
    types = await generatedTypes(document);
    program = await programWith(types, source);
  });
  after(async () => {
    await program?.remove();
    await site?.close();
  });

  it('has a type for everything', () => {
    expect(own(types)).to.not.match(/[:<|(] *(?:unknown|any)\b/);
  });

  it("names the API's concepts", () => {
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

  it('compiles in strict mode, and rejects what the API does not know', async () => {
    expect(await program.compile()).to.equal('');
  });

  it('reads from the running service', async () => {
    const { uuid, handle } = await exampleValues(database.database);
    const { use } = await program.load();
    const seen = await use(site.address, { uuid, handle });
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
