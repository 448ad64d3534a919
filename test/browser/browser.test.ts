import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { withBrowser } from '../support/browser.ts';

describe('the browser of the tests', () => {
  const browser = withBrowser();
  let server: Server;
  let address: string;

  before(async () => {
    server = createServer((req, res) => {
      if (req.url !== '/') return res.writeHead(404).end();
      res.setHeader('Content-Type', 'text/html');
      res.setHeader('Content-Security-Policy', "default-src 'self'");
      return res.end(
        '<title>t</title><h1>Hello</h1><script>document.title = "ran"</script><img src="https://elsewhere.example/x.png">',
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => new Promise((resolve) => server.close(resolve)));

  it('renders a page and reports violations of its Content-Security-Policy', async () => {
    const { page, faults } = await browser.open();
    await page.goto(address);
    expect(await page.textContent('h1')).to.equal('Hello');
    expect(await page.title()).to.equal('t');
    expect(faults.join('\n')).to.match(/Content Security Policy.*script/);
  });

  it('reaches no other host', async () => {
    const { page } = await browser.open();
    for (const elsewhere of ['http://elsewhere.example/', 'http://192.0.2.1/'])
      expect(await page.goto(elsewhere).catch((error: Error) => error.message)).to.contain(
        'ERR_NAME_NOT_RESOLVED',
      );
  });

  it('opens each page without faults of the previous one', async () => {
    const { page, faults } = await browser.open();
    await page.setContent('<p>calm</p>');
    expect(faults).to.deep.equal([]);
  });
});
