import { expect } from 'chai';
import { clientKey, createFairQueue } from '../../src/platform/fair-queue.ts';
import { Overloaded } from '../../src/platform/limiter.ts';
import { until } from '../support/until.ts';

describe('a fair queue', () => {
  /** Returns a queue whose work is recorded when it starts and runs until released. */
  function bench(options: Parameters<typeof createFairQueue>[0]) {
    const queue = createFairQueue(options);
    const begun: string[] = [];
    const finish: (() => void)[] = [];
    const ask = (client: string) =>
      queue.run(
        client,
        () =>
          new Promise<string>((resolve) => {
            begun.push(client);
            finish.push(() => resolve(client));
          }),
      );
    return { queue, begun, finish, ask };
  }

  it('lets clients take turns, however many requests one of them has', async () => {
    const { begun, finish, ask } = bench({ running: 1 });
    const asked = ['a', 'a', 'a', 'a', 'b', 'c'].map(ask);
    for (let done = 0; done < asked.length; done += 1) {
      await until(() => finish.length > done);
      finish[done]?.();
    }
    expect(await Promise.all(asked)).to.have.length(6);
    expect(begun).to.deep.equal(['a', 'b', 'c', 'a', 'a', 'a']);
  });

  it('bounds the work running at once, per client and in total', async () => {
    const { begun, finish, ask } = bench({ running: 3, runningPerClient: 2 });
    const asked = ['a', 'a', 'a', 'b', 'b'].map(ask);
    await until(() => begun.length === 3);
    expect(begun).to.deep.equal(['a', 'a', 'b']);
    for (let done = 0; done < asked.length; done += 1) {
      await until(() => finish.length > done);
      finish[done]?.();
    }
    await Promise.all(asked);
  });

  it('refuses work when too much waits, per client and in total', async () => {
    const { begun, finish, ask } = bench({ running: 1, waitingPerClient: 2, waiting: 3 });
    const asked = ['a', 'a', 'a', 'b'].map(ask);
    for (const client of ['a', 'c'])
      expect(await ask(client).catch((error: unknown) => error)).to.be.instanceOf(Overloaded);
    for (let done = 0; done < asked.length; done += 1) {
      await until(() => finish.length > done);
      finish[done]?.();
    }
    await Promise.all(asked);
    expect(begun).to.have.length(4);
  });

  it('refuses work that waited too long, and gives its turn to others', async () => {
    const { begun, finish, ask } = bench({ running: 1, waitMs: 20 });
    const first = ask('a');
    expect(await ask('b').catch((error: unknown) => error)).to.be.instanceOf(Overloaded);
    finish[0]?.();
    await first;
    const second = ask('b');
    await until(() => finish.length === 2);
    finish[1]?.();
    await second;
    expect(begun).to.deep.equal(['a', 'b']);
  });

  it('continues after a failure', async () => {
    const { queue } = bench({ running: 1 });
    const failed = queue.run('a', () => Promise.reject(new Error('broken')));
    expect(await failed.catch((error: unknown) => error)).to.include({ message: 'broken' });
    expect(await queue.run('a', () => Promise.resolve('done'))).to.equal('done');
  });
});

describe('the client that an address counts as', () => {
  const same: [string, string[]][] = [
    ['192.0.2.7', ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:0207', '192.0.2.7:50123', ' 192.0.2.7 ']],
    [
      '2001:db8:1:2::/64',
      [
        '2001:db8:1:2::1',
        '2001:DB8:1:2:ffff:ffff:ffff:ffff',
        '2001:0db8:0001:0002:0:0:0:9',
        '[2001:db8:1:2::5]:443',
        '[2001:db8:1:2::5]',
      ],
    ],
    ['2001:db8:1:3::/64', ['2001:db8:1:3::1']],
    ['no address', ['', 'unknown', '_hidden', 'a.b.c.d', '1.2.3.4.5', "'; drop table"]],
  ];
  for (const [key, addresses] of same)
    for (const address of addresses)
      it(`is ${key} for ${JSON.stringify(address)}`, () => expect(clientKey(address)).to.equal(key));
});
