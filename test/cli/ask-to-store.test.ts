import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { askToStore } from '../../src/cli/ask-to-store.ts';

describe('the question whether to store guesses', () => {
  /** Types each text at the next question. */
  async function answered(...typed: string[]): Promise<{ stores: boolean; shown: string }> {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let shown = '';
    let asked = 0;
    output.on('data', (data) => {
      shown += data;
      const questions = shown.match(/row\] |\[y\/N\] |each row: /g)?.length ?? 0;
      if (questions === asked) return;
      asked = questions;
      input.write(typed.shift() ?? '');
    });
    return { stores: await askToStore({ input, output }, () => ['2: Gulls -3']), shown };
  }

  it('accepts yes or no', async () => {
    for (const yes of ['y\n', 'Yes \r']) expect(await answered(yes)).to.include({ stores: true });
    for (const no of ['n\n', 'NO\n', '\n', ' \n']) expect(await answered(no)).to.include({ stores: false });
  });

  it('counts as no if the terminal is closed or interrupted', async () => {
    for (const key of ['\x04', '\x03', 'y\x03']) expect(await answered(key)).to.include({ stores: false });
  });

  it('repeats after any other answer', async () => {
    const { stores, shown } = await answered('yep\n', '1\n', 'y\n');
    expect(stores).to.equal(true);
    expect(shown.match(/Please answer y/g)).to.have.length(2);
    expect(await answered('sure\n', '\x04')).to.include({ stores: false });
  });

  it('shows each row on request', async () => {
    const { stores, shown } = await answered('d\n', 'n\n');
    expect(stores).to.equal(false);
    expect(shown).to.contain('2: Gulls -3\n');
  });
});
