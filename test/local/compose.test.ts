import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseProcfile } from '../../src/local/procfile.ts';

const root = join(import.meta.dirname, '../..');

describe('compose.yaml', () => {
  it('has a service for every process of the Procfile, with its command, and the migration before them', () => {
    const entries = parseProcfile(readFileSync(join(root, 'Procfile'), 'utf8'));
    const compose = readFileSync(join(root, 'compose.yaml'), 'utf8');
    const services = [...compose.matchAll(/^ {2}(\S+):\n {4}<<: \*service\n {4}command: \[(.+)\]$/gm)].map(
      ([, name = '', command = '']) => ({ name, command: command.replaceAll(', ', ' ') }),
    );
    const migrate = { name: 'migrate', command: 'node src/cli.ts migrate' };
    expect(services).to.have.deep.members([migrate, ...entries]);
  });
});
