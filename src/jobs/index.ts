import * as declared from './declared.ts';
import type { Job } from './job.ts';

const isJob = (value: unknown): value is Job =>
  typeof value === 'object' && value !== null && 'queue' in value;

export const jobs: readonly Job[] = [
  ...Object.values<unknown>(declared).filter(isJob),
  ...Object.values<Job>(declared.laneJobs),
];
