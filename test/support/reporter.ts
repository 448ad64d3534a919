import Mocha from 'mocha';

/** The message that {@link CountingReporter} sends to the process that started mocha, after every test and at the end. */
export interface Progress {
  passed: number;
  failed: number;
  ended: boolean;
}

/** mocha's `spec` reporter, which also sends the counts to the process that started it. */
export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const progress: Progress = { passed: 0, failed: 0, ended: false };
    const report = (change: Partial<Progress>) => process.send?.(Object.assign(progress, change));
    runner.on('pass', () => report({ passed: progress.passed + 1 }));
    runner.on('fail', () => report({ failed: progress.failed + 1 }));
    runner.once('end', () => report({ ended: true }));
  }
}
