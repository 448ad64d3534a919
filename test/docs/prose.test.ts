import { expect } from 'chai';
import { passagesOf } from './prose.ts';

const words = (program: string, extension = 'ts') =>
  passagesOf(program, extension).map(({ line, text }) => `${line} ${text.replace(/\s+/g, ' ')}`);
const kinds = (program: string, extension = 'ts') => passagesOf(program, extension).map(({ kind }) => kind);

describe('the prose of a program', () => {
  it('consists of comments and texts, with their lines', () => {
    const program = [
      '/**',
      ' * Signs a note. {@link verify}',
      ' * @returns its text',
      ' */',
      'const key = found; // One comment',
      '// on two lines.',
      'throw new Error(\'It is late.\', "or so");',
    ];
    expect(words(program.join('\n'))).to.deep.equal([
      '2 Signs a note. @returns its text',
      '5 One comment on two lines.',
      '7 It is late.',
      '7 or so',
    ]);
    expect(kinds(program.join('\n'))).to.deep.equal(['comment', 'comment', 'text', 'text']);
    expect(words('// One sentence\n// on two lines.')).to.deep.equal(['1 One sentence on two lines.']);
  });

  it('excludes expressions in templates, but not the texts in them', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a program with templates
    const program = 'say(`No\n${of({ a: `an\n${b} ${1}` })} is\\`\nleft`, /* it */ `$5`);';
    expect(words(program)).to.deep.equal(['2 an', '1 No is\\` left', '4 it', '4 $5']);
  });

  it('excludes regular expressions and divisions', () => {
    const program = "const a = /it's [/'] here/.test(b) || c / 2; const d = 'a word'; e = f / g; // or two";
    expect(words(program)).to.deep.equal(['1 a word', '1 or two']);
  });

  it('consists of comments and texts of SQL and VCL', () => {
    const sql = "-- Names\n-- a pick.\nselect \"it's\" from t where a = 'it''s late'; /* Done. */";
    expect(words(sql, 'sql')).to.deep.equal(['1 Names a pick.', "3 it''s late", '3 Done.']);
    expect(kinds(sql, 'sql')).to.deep.equal(['comment', 'text', 'comment']);
    const vcl = '# Keeps\n# pages.\nset x = "one text"; // Done.';
    expect(words(vcl, 'vcl')).to.deep.equal(['1 Keeps pages.', '3 one text', '3 Done.']);
  });
});
