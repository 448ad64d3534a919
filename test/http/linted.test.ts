import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';
import { declaredDocument } from '../support/declared-routes.ts';

/** Paths that are ambiguous by the interface: `by-tier` has the form of a handle, and handles are tried after it. */
const ambiguous = '/api/cappers/by-tier/{tier}';

describe('what a linter says of /openapi.json', () => {
  it('is nothing by the recommended rules, save for the paths that are ambiguous by the interface', async () => {
    const findings = await lintFromString({
      source: JSON.stringify(declaredDocument()),
      absoluteRef: 'openapi.json',
      config: await createConfig({ extends: ['recommended'] }),
    });
    const shown = findings
      .filter(({ ruleId, message }) => ruleId !== 'no-ambiguous-paths' || !message.includes(ambiguous))
      .map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
    expect(shown).to.deep.equal([]);
  });
});
