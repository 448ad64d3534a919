import { expect } from 'chai';
import { Command } from 'commander';
import { inSentences, loadVerb, verbs } from '../../src/cli/verbs.ts';

describe('the help of verbs', () => {
  const unused = () => {
    throw new Error('no verb may run');
  };
  const output = { say: unused, warn: unused };

  for (const [name, verb] of Object.entries(verbs))
    it(`shows examples of ${name} that the verb accepts`, async () => {
      expect(verb.examples).to.not.deep.equal([]);
      for (const example of verb.examples) {
        const command = await loadVerb(verb, unused, output);
        const taken: string[] = [];
        onEach(command, (each) => {
          each.exitOverride().configureOutput({ writeOut: (text) => shown.push(text), writeErr() {} });
          each.action(() => void taken.push(each.name()));
        });
        const shown: string[] = [];
        const [first, ...args] = argumentsOf(example);
        expect(first).to.equal(name);
        await new Command()
          .exitOverride()
          .addCommand(command)
          .parseAsync([name, ...args], { from: 'user' });
        expect(taken).to.have.length(1);
        command.outputHelp();
        expect(shown.join('')).to.include(`\n  npm run cli -- ${example}\n`);
      }
    });

  it('refuses wrong arguments in full sentences', async () => {
    const command = inSentences(await loadVerb(verbs.cappers!, unused, output));
    const errors: string[] = [];
    onEach(command, (each) => {
      each.exitOverride().configureOutput({ writeErr: (text) => errors.push(text) });
    });
    for (const args of [
      ['add', 'ada'],
      ['list', '--teir', 'elite'],
    ])
      await command.parseAsync(args, { from: 'user' }).catch(() => undefined);
    expect(errors).to.deep.equal([
      "Required option '--tier <tier>' not specified.\n",
      "Unknown option '--teir'.\n(Did you mean --tier?)\n",
    ]);
  });
});

function onEach(command: Command, work: (each: Command) => void): void {
  work(command);
  for (const each of command.commands) onEach(each, work);
}

/** Splits a line at spaces outside of double quotes. */
function argumentsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
}
