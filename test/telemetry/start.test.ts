import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect } from 'chai';

describe('a process of the Procfile', () => {
  it('collects garbage at exit, so that it waits for no other thread', () => {
    const preloaded = ['--import', './src/telemetry/start.ts', '-e', 'process.exit(3)'];
    const { stdout, status } = spawnSync(process.execPath, ['--trace-gc', ...preloaded], {
      cwd: resolve(import.meta.dirname, '..', '..'),
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    });
    expect(stdout).to.contain('Mark-Compact');
    expect(status).to.equal(3);
  });
});
