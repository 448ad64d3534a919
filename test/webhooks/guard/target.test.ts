import { expect } from 'chai';
import fc from 'fast-check';
import { allowedHosts } from '../../../src/platform/config/kinds.ts';
import { parseTarget, type Target } from '../../../src/webhooks/guard/target.ts';
import { codePoint } from '../../support/code-point.ts';
import { hostileTargets, publicTargets } from './hostile-targets.ts';

const none = allowedHosts('');

const targetOf = (url: string, allowed = none): Target => {
  const verdict = parseTarget(url, allowed);
  if (!verdict.ok) throw new Error(`${url}: ${verdict.reason}`);
  return verdict.target;
};

describe('webhook targets', () => {
  it('are refused in every hostile spelling of the corpus, with a sentence', () => {
    expect(hostileTargets.length).to.be.greaterThan(1000);
    const passed = hostileTargets.filter((url) => parseTarget(url, none).ok);
    expect(passed).to.deep.equal([]);
    for (const url of hostileTargets) {
      const verdict = parseTarget(url, none);
      if (!verdict.ok) expect(verdict.reason, url).to.match(/^[A-Z].*\.$/);
    }
  });

  it('are refused with an explanation if a well-meant URL is wrong', () => {
    for (const [url, reason] of [
      ['http://example.com/', 'The URL must begin with https:// and a host.'],
      ['https://user:pass@example.com/', 'The URL must not contain a user name or password.'],
      ['https://example.com/#top', 'The URL must not contain a fragment.'],
      ['https://example.com:9000/', 'The port must be 443 or 8443.'],
      ['https://example.com/a b', 'The URL contains a space, a control character, or a backslash.'],
      ['https://192.168.1.10/', 'The host is not a public address.'],
      ['https://nas/', 'The host is a single word; a public host has a dot in its name.'],
      ['https://nas.local/', 'Names that end in .local are not public.'],
    ] as const)
      expect(parseTarget(url, none), url).to.deep.equal({ ok: false, reason });
  });

  it('are accepted for public hosts, each under one name', () => {
    for (const [url, host] of publicTargets) expect(targetOf(url).host, url).to.equal(host);
  });

  it('are parsed without a trailing dot, and with path and query masked', () => {
    expect(targetOf('HTTPS://Hooks.Example.com.:8443/a/Secret?token=Secret')).to.deep.equal({
      url: 'https://hooks.example.com:8443/a/Secret?token=Secret',
      hostname: 'hooks.example.com',
      port: 8443,
      host: 'hooks.example.com:8443',
      platform: undefined,
      masked: 'https://hooks.example.com:8443/…',
    });
    expect(targetOf('https://[2606:4700::1]')).to.include({
      url: 'https://[2606:4700::1]/',
      hostname: '2606:4700::1',
      host: '[2606:4700::1]',
    });
  });

  it("are recognized as Discord's under both of its hosts, in any spelling, and under no others", () => {
    const chats = ['discord.com', 'DISCORDAPP.com', 'discord.com.', 'Discord.Com:443'];
    for (const host of chats)
      expect(targetOf(`https://${host}/api/webhooks/1/x`).platform?.name, host).to.equal('discord');
    const others = ['discord.com.example.com', 'notdiscord.com', 'cdn.discordapp.com', 'discord.co'];
    for (const host of others) expect(targetOf(`https://${host}/`).platform, host).to.equal(undefined);
  });

  it('may have any name, address, and port for exactly the allowed hosts', () => {
    const allowed = allowedHosts(' localhost:4433, 127.0.0.1:443,[::1]:9443 ,HOOKS.internal:1');
    expect(targetOf('https://localhost:4433/x', allowed).port).to.equal(4433);
    expect(targetOf('https://127.0.0.1/x', allowed).host).to.equal('127.0.0.1');
    expect(targetOf('https://[0:0::1]:9443/x', allowed).hostname).to.equal('::1');
    expect(targetOf('https://hooks.INTERNAL.:1/x', allowed).hostname).to.equal('hooks.internal');
    for (const url of [
      'http://localhost:4433/x',
      'https://localhost/x',
      'https://localhost:4434/x',
      'https://user@localhost:4433/x',
      'https://0x7f.1/x',
      'https://127.0.0.1:8443/x',
      'https://127.0.0.2/x',
      'https://[::1]/x',
      'https://[::2]:9443/x',
      'https://a.hooks.internal:1/x',
    ])
      expect(parseTarget(url, allowed).ok, url).to.equal(false);
  });

  it('never have path, query, or password repeated in a reason', () => {
    for (const url of hostileTargets) {
      const verdict = parseTarget(url.replace('/hook', '/s3cr3t?s3cr3t').replace('password', 's3cr3t'), none);
      if (!verdict.ok) expect(verdict.reason).not.to.contain('s3cr3t');
    }
  });

  it('are parsed without throwing from any text, and round-trip if accepted', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }).map((rest) => `https://${rest}`),
      fc.webUrl({ validSchemes: ['https'], withQueryParameters: true, withFragments: true }),
      fc.tuple(fc.domain(), fc.string({ unit: codePoint })).map(([host, rest]) => `https://${host}/${rest}`),
    );
    fc.assert(
      fc.property(text, (given) => {
        const verdict = parseTarget(given, none);
        if (!verdict.ok) return;
        const { target } = verdict;
        expect(parseTarget(target.url, none)).to.deep.equal(verdict);
        expect(new URL(target.url)).to.include({ protocol: 'https:', username: '', password: '', hash: '' });
        expect([443, 8443]).to.include(target.port);
        expect(target.masked).to.equal(`https://${target.host}/…`);
      }),
      { numRuns: 200 },
    );
  });
});
