import { expect } from 'chai';
import { checkNames } from '../../src/platform/config/settings.ts';
import { checks, checksWith, declarations } from '../../src/status/index.ts';

describe('the list of checks', () => {
  const subjects = checks.flatMap((check) => check.subjects);
  const names = subjects.map(({ name }) => name);

  it('contains every check that CHECKS can name, in the same order', () => {
    expect(declarations.map(({ name }) => name)).to.deep.equal(checkNames);
  });

  it('takes thresholds from CHECKS, and the others from the declarations', () => {
    const applied = checksWith({ closings: { degraded: 7, down: 8 } });
    expect(applied.map(({ name, thresholds }) => [name, thresholds])).to.deep.equal(
      checks.map(({ name, thresholds }) => [
        name,
        name === 'closings' ? { degraded: 7, down: 8 } : thresholds,
      ]),
    );
  });

  it('contains no subject twice', () => {
    expect(names).to.deep.equal([...new Set(names)]);
  });

  it('explains a check only by checks that exist', () => {
    const unknown = subjects.flatMap(({ name, dependsOn }) =>
      dependsOn.filter((base) => !names.includes(base)).map((base) => `${name} depends on ${base}`),
    );
    expect(unknown).to.deep.equal([]);
  });

  it('contains no cycle of explanations', () => {
    const basesOf = new Map(subjects.map(({ name, dependsOn }) => [name, dependsOn]));
    const reaches = (from: string, seen: ReadonlySet<string>): string[] =>
      (basesOf.get(from) ?? []).flatMap((base) =>
        seen.has(base) ? [base] : [base, ...reaches(base, new Set([...seen, base]))],
      );
    for (const name of names) expect(reaches(name, new Set()), name).not.to.include(name);
  });
});
