// `npm run docs`: renews the documents generated from the code and from the migrated database.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startBroker } from '../support/broker.ts';
import { createDatabase, dropDatabase } from '../support/database.ts';
import { createTestServices } from '../support/services.ts';
import { documentsOfCode, documentsOfDatabase, textOf } from './documents.ts';

const root = resolve(import.meta.dirname, '..', '..');
const say = (line: string) => process.stdout.write(`${line}\n`);

const services = await createTestServices({
  root,
  environment: process.env,
  say,
  aborted: new AbortController().signal,
});
const broker = await startBroker(services);
try {
  process.env.TEST_SERVICES = broker.url;
  const database = await createDatabase();
  const documents = [...documentsOfCode(), ...(await documentsOfDatabase(database.owner))];
  await dropDatabase(database);
  for (const { path, text } of documents) {
    say(`${path}: ${textOfOrNone(path) === text ? 'as it was' : 'renewed'}`);
    writeFileSync(resolve(root, path), text);
  }
} finally {
  broker.close();
  await services.stop();
}
process.exit();

function textOfOrNone(path: string): string | undefined {
  try {
    return textOf(path);
  } catch {
    return undefined;
  }
}
