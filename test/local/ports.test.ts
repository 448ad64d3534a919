import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { anyFreePort, choosePorts, isTaken } from '../../src/local/ports.ts';
import { Refusal } from '../../src/local/terminal.ts';

describe('ports', () => {
  let server: Server | undefined;
  const printed: string[] = [];
  const say = (line: string) => printed.push(line);

  async function listen(port: number, host: string): Promise<void> {
    server = createServer().listen(port, host);
    await once(server, 'listening');
  }

  afterEach(() => {
    server?.close();
    server = undefined;
  });

  for (const host of ['127.0.0.1', '0.0.0.0']) {
    it(`count as taken if there is a listener on ${host}`, async () => {
      const port = await anyFreePort();
      expect(await isTaken(port)).to.equal(false);
      await listen(port, host);
      expect(await isTaken(port)).to.equal(true);
    });
  }

  it('are used as the user set them, or refused if taken', async () => {
    const [PORT, OPERATOR_PORT] = [String(await anyFreePort()), String(await anyFreePort())];
    expect(await choosePorts({ PORT, OPERATOR_PORT }, say)).to.deep.equal({ PORT, OPERATOR_PORT });
    await listen(Number(PORT), '127.0.0.1');
    const refused = await choosePorts({ PORT, OPERATOR_PORT }, say).catch((error) => error);
    expect(refused).to.be.instanceOf(Refusal);
    expect(refused.message).to.include(`Port ${PORT} (PORT) is taken`);
  });

  it('are two different free ones if unset', async () => {
    const { PORT, OPERATOR_PORT } = await choosePorts({}, say);
    expect(PORT).to.not.equal(OPERATOR_PORT);
    expect(await isTaken(Number(PORT))).to.equal(false);
    expect(await isTaken(Number(OPERATOR_PORT))).to.equal(false);
  });
});
