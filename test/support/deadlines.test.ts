import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { patienceMs } from './patience.ts';

const root = resolve(import.meta.dirname, '..', '..');
/** The shortest deadline of a test, in milliseconds. */
const least = 30_000;

/** Returns the arguments of all calls of a function, as written. */
function callsOf(name: string, code: string): string[][] {
  return [...code.matchAll(new RegExp(`(?<![\\w.])${name}\\(`, 'g'))].map(({ index, 0: opening }) => {
    const given: string[] = [''];
    let depth = 1;
    for (let at = index + opening.length; at < code.length; at += 1) {
      const char = code[at]!;
      if ('([{'.includes(char)) depth += 1;
      if (')]}'.includes(char)) depth -= 1;
      if (depth === 0) break;
      if (char === ',' && depth === 1) given.push('');
      else given[given.length - 1] += char;
    }
    return given.map((argument) => argument.trim()).filter((argument) => argument !== '');
  });
}

const isShort = (written: string | undefined) =>
  /^[0-9_]+$/.test(written ?? '') && Number(written!.replaceAll('_', '')) < least;

/** Returns the deadlines in code that are too short. Those in `latencyMs(...)` are what a test is about. */
function shortDeadlines(code: string): string[] {
  const polled = callsOf('until', code).map(([, ms]) => ms);
  const written = [
    ...code.matchAll(/(?<!AbortSignal)\.timeout\(([0-9_]+)\)/g),
    ...code.matchAll(/\bdeadline = (?:Date|performance)\.now\(\) \+ ([0-9_]+)/g),
    ...code.matchAll(/\btimeout: ([0-9_]+)/g),
  ].map(([, ms]) => ms);
  return [...polled, ...written].filter((ms) => ms !== undefined && isShort(ms)) as string[];
}

describe('the deadlines of tests', () => {
  it('are half a minute or more, except in tests of latency', () => {
    const faults = globSync('test/**/*.ts', { cwd: root, exclude: ['test/{bench,stacks}/**'] })
      .filter((path) => join(root, path) !== import.meta.filename)
      .flatMap((path) =>
        shortDeadlines(readFileSync(join(root, path), 'utf8')).map((ms) => `${path}: ${ms}`),
      );
    expect(faults).to.deep.equal([]);
    expect(patienceMs).to.be.at.least(least);
    const mocha = JSON.parse(readFileSync(join(root, '.mocharc.json'), 'utf8')) as { timeout: number };
    expect(mocha.timeout).to.be.at.least(least);
  });

  it('are found in every notation', () => {
    for (const short of [
      'await until(() => is(1, 2), 5000);',
      'await until(async () => {\n  return [1, 2].length > 1;\n}, 20_000);',
      'this.timeout(10_000);',
      '}).timeout(1000);',
      'const deadline = Date.now() + 2000;',
      'locator.waitFor({ timeout: 10_000 })',
    ])
      expect(shortDeadlines(short), short).to.have.length(1);
    for (const fine of [
      'await until(() => is(1, 2));',
      'await until(() => is(), latencyMs(600));',
      'await until(() => is(), 120_000);',
      'AbortSignal.timeout(20)',
      'this.timeout(300_000);',
    ])
      expect(shortDeadlines(fine), fine).to.deep.equal([]);
  });
});
