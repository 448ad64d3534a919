// Ends what a launcher started, if the launcher is killed: `watcher.ts <running.json> <pid> <birth>`, its
// standard input a pipe from it.

import { endLeftovers } from './running.ts';

const [file = '', pid = '', birth = ''] = process.argv.slice(2);

process.stdin.resume();
process.stdin.on('close', () => endLeftovers(file, { pid: Number(pid), birth }));
