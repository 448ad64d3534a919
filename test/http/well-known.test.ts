import { expect } from 'chai';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { withRedis } from '../support/redis.ts';

describe('the well-known files', () => {
  const database = withDatabase();
  const redis = withRedis();
  const clock = fixedClock('2026-01-15T12:34:56Z');
  const sites: RunningApi[] = [];

  async function start(settings: { SECURITY_CONTACT?: string; BASE_URL?: string } = {}) {
    const site = await startApi({ database, redis }, { clock, settings });
    sites.push(site);
    return (path: string) => fetch(site.address + path);
  }
  afterEach(() => Promise.all(sites.splice(0).map((site) => site.close())));

  it('include a /robots.txt that allows everything and names the sitemap', async () => {
    const response = await (await start())('/robots.txt');
    expect(response.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect(await response.text()).to.equal(
      'User-agent: *\nDisallow:\n\nSitemap: https://picks.example/sitemap.xml\n',
    );
  });

  const fields = (text: string) =>
    Object.fromEntries(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/: (.*)/)),
    );

  it('include a /.well-known/security.txt with a contact at the host, valid for up to a year', async () => {
    const response = await (await start())('/.well-known/security.txt');
    expect(response.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect(fields(await response.text())).to.deep.include({
      Contact: 'mailto:security@picks.example',
      Expires: '2026-07-14T00:00:00.000Z',
      Canonical: 'https://picks.example/.well-known/security.txt',
    });
  });

  it('include the configured contact in /.well-known/security.txt', async () => {
    const get = await start({ SECURITY_CONTACT: 'https://picks.example/report' });
    const text = await (await get('/.well-known/security.txt')).text();
    expect(fields(text).Contact).to.equal('https://picks.example/report');
  });

  it('include a /favicon.ico with icons of three sizes', async () => {
    const response = await (await start())('/favicon.ico');
    expect(response.headers.get('content-type')).to.equal('image/x-icon');
    const icon = Buffer.from(await response.arrayBuffer());
    expect([0, 2, 4].map((at) => icon.readUInt16LE(at))).to.deep.equal([0, 1, 3]);
    const sizes = [0, 1, 2].map((index) => {
      const entry = icon.subarray(6 + 16 * index, 22 + 16 * index);
      const png = icon.subarray(entry.readUInt32LE(12), entry.readUInt32LE(12) + entry.readUInt32LE(8));
      expect(png.subarray(1, 4).toString()).to.equal('PNG');
      expect(png.readUInt32BE(16)).to.equal(entry[0]);
      return entry[0];
    });
    expect(sizes).to.deep.equal([16, 32, 48]);
  });
});
