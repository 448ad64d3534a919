import { expect } from 'chai';
import { checksOf } from '../../src/status/index.ts';
import { testConfig } from '../support/config.ts';

describe('the list of checks', () => {
  const subjects = checksOf(testConfig().status.checks, () => Promise.resolve()).flatMap(
    (check) => check.subjects,
  );
  const names = subjects.map(({ name }) => name);

  it('has no name twice', () => {
    expect(names).to.deep.equal([...new Set(names)]);
  });

  it('explains a check by checks that exist', () => {
    const unknown = subjects.flatMap(({ name, restsOn }) =>
      restsOn.filter((base) => !names.includes(base)).map((base) => `${name} rests on ${base}`),
    );
    expect(unknown).to.deep.equal([]);
  });

  it('explains no check by itself, however long the way round', () => {
    const basesOf = new Map(subjects.map(({ name, restsOn }) => [name, restsOn]));
    const reaches = (from: string, seen: ReadonlySet<string>): string[] =>
      (basesOf.get(from) ?? []).flatMap((base) =>
        seen.has(base) ? [base] : [base, ...reaches(base, new Set([...seen, base]))],
      );
    for (const name of names) expect(reaches(name, new Set()), name).not.to.include(name);
  });
});
