import { Script } from 'node:vm';
import { expect } from 'chai';
import { widgetScript, widgetTag } from '../../src/embed/widget.ts';

const settings = {
  origin: 'https://picks.example',
  handle: 'ada',
  helpLine: '1-800-GAMBLER',
  logKind: 'live' as const,
};

describe("the widget's script", () => {
  it('treats settings as data, whatever they contain', () => {
    const helpLine = '</script><script>alert(1)//$& $1 `x` "\'\\ \u2028';
    const text = widgetScript({ ...settings, helpLine });
    expect(text).not.to.match(/<\/?script>/);
    expect(() => new Script(text)).not.to.throw();
    let given: unknown;
    const asked = text.replace(/^\(\(settings\) => \{[\s\S]*\}\)\(/m, '(take)(');
    new Script(asked).runInNewContext({ take: (value: unknown) => (given = value) });
    expect(given).to.deep.include({ helpLine, handle: 'ada' });
  });

  it('writes no HTML, stores nothing, and evaluates nothing', () => {
    expect(widgetScript(settings)).not.to.match(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|cookie\s*=|localStorage|sessionStorage|\.style\b/,
    );
  });

  it('is ASCII, whatever the settings', () => {
    const text = widgetScript({ ...settings, helpLine: 'Línea de ayuda 🙂' });
    expect(text).to.match(/^[\n\x20-\x7e]+$/);
    expect(text).to.contain('L\\u00ednea de ayuda \\ud83d\\ude42');
  });

  it('comes in a tag with a link for readers without scripts', () => {
    expect(widgetTag('https://picks.example', 'ada')).to.equal(
      '<script src="https://picks.example/embed/capper/ada/widget.js" async></script>\n' +
        '<noscript><a href="https://picks.example/c/ada">ada on Public Picks</a></noscript>',
    );
  });
});
