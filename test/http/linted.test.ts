import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';
import { declaredDocument } from '../support/declared-routes.ts';

/** Paths that the interface makes ambiguous: `by-tier` has the form of a handle, and handles are tried after it. */
const ambiguous = '/api/cappers/by-tier/{tier}';

describe('/openapi.json in a linter', () => {
  it('passes the recommended rules, except for paths that the interface makes ambiguous', async () => {
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
