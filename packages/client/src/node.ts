// What the package offers with files and servers, in Node.

export { fetchRetrying } from '../../../src/monitor/fetch-retrying.ts';
export { type Finding, type MonitorState, newState, poll } from '../../../src/monitor/follow.ts';
export { type RunningWitness, startWitness, type WitnessOptions } from '../../../src/monitor/witness.ts';
export { copyLog, type MirrorResult, readMirror } from './mirror.ts';
