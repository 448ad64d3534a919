// A bench that does not end: `fork('forever.ts', [<URL of a database>])`. Answers a message with the ids of its processes.

import { anyFreePort } from '../../src/local/ports.ts';
import { withChild } from './children.ts';
import { startWeb } from './site.ts';

process.once('message', async () => {
  const web = await startWeb(process.argv[2] ?? '', await anyFreePort());
  await withChild('readers.ts', (readers) => {
    process.send?.([web.pid, readers.pid]);
    return new Promise(() => {});
  });
});
