import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { codeSamples, type SampleRequest } from '../../src/http/api/code-samples.ts';
import { declaredDocument } from '../support/declared-routes.ts';

const run = promisify(execFile);

describe('samples of requests in the reference', () => {
  /** Requests that the server received. */
  const received: { method: string; url: string; secret: string; body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { method = '', url = '', headers } = request;
    const body = text === '' ? undefined : JSON.parse(text);
    received.push({ method, url, secret: String(headers['x-webhook-secret'] ?? ''), body });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"answered":true}');
  });
  let address = '';
  before((done) => {
    server.listen(0, '127.0.0.1', () => {
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      done();
    });
  });
  after((done) => void server.close(done));

  const sourcesOf = (request: SampleRequest) => codeSamples(request).map(({ source }) => source);

  it('send the same request in curl and TypeScript, whatever is in it', async () => {
    const [curl = '', , typescript = ''] = sourcesOf({
      method: 'POST',
      url: `${address}/api/a%20b?email=EMAIL`,
      headers: { 'X-Webhook-Secret': 'SECRET' },
      body: { name: `it's "so" \\ $HOME`, on: true, none: null },
      isJson: true,
    });
    expect((await run('sh', ['-c', curl])).stdout).to.equal('{"answered":true}');
    const { stdout } = await run(process.execPath, [
      '--input-type=module',
      '-e',
      stripTypeScriptTypes(typescript),
    ]);
    expect(stdout).to.contain('answered: true');
    const [first, second] = received.splice(0);
    expect(first).to.deep.equal({
      method: 'POST',
      url: '/api/a%20b?email=EMAIL',
      secret: 'SECRET',
      body: { name: `it's "so" \\ $HOME`, on: true, none: null },
    });
    expect(second).to.deep.equal(first);
  });

  it('are idiomatic Python', () => {
    const [, python] = sourcesOf({
      method: 'POST',
      url: 'https://picks.example/api',
      headers: {},
      body: { on: true, none: null, all: [1, 'a'] },
      isJson: true,
    });
    expect(python?.split('\n')[2]).to.equal(
      'response = requests.post("https://picks.example/api", json={"on": True, "none": None, "all": [1, "a"]})',
    );
    const [, feed] = sourcesOf({
      method: 'GET',
      url: 'https://picks.example/feed.xml',
      headers: {},
      isJson: false,
    });
    expect(feed).to.contain('print(response.text)');
  });

  it('exist for every operation, with every required value filled in, and are TypeScript that parses', () => {
    const { paths } = declaredDocument<{
      paths: Record<string, Record<string, { 'x-codeSamples': { label: string; source: string }[] }>>;
    }>();
    for (const [path, methods] of Object.entries(paths))
      for (const operation of Object.values(methods)) {
        const samples = operation['x-codeSamples'];
        expect(samples.map(({ label }) => label)).to.deep.equal(['curl', 'Python', 'TypeScript']);
        for (const { source } of samples) expect(source, path).not.to.match(/undefined|\/\{/);
        expect(() => stripTypeScriptTypes(samples[2]!.source), path).not.to.throw();
      }
  });
});
