import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';

const code = readFileSync(new URL('../../src/pages/sw.js', import.meta.url), 'utf8');

describe('the service worker', () => {
  /** Runs it, and hands it an event. @returns what it asked of the browser */
  async function given(type: string, event: object): Promise<unknown[][]> {
    const asked: unknown[][] = [];
    const listeners = new Map<string, (event: object) => void>();
    const waits: Promise<unknown>[] = [];
    const ask =
      (name: string) =>
      async (...given: unknown[]) =>
        asked.push([name, ...given.map((each) => (typeof each === 'object' ? { ...each } : each))]);
    runInNewContext(code, {
      Date,
      Intl,
      addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
      registration: { showNotification: ask('show') },
      clients: { openWindow: ask('open') },
    });
    listeners.get(type)?.({ ...event, waitUntil: (wait: Promise<unknown>) => waits.push(wait) });
    expect(waits, 'the browser may stop it before it has finished otherwise').to.have.length(1);
    await Promise.all(waits);
    return asked;
  }

  it('shows a message as a notification, with the start in the zone of the device', async () => {
    const message = {
      title: 'ada: Foxes −3.5 (−110)',
      body: 'Gulls @ Foxes',
      url: 'https://picks.example/p/1',
      tag: 'a',
    };
    const shown = { tag: 'a', icon: '/assets/icon.png', data: 'https://picks.example/p/1' };
    expect(await given('push', { data: { json: () => message } })).to.deep.equal([
      ['show', message.title, { ...shown, body: 'Gulls @ Foxes' }],
    ]);
    const timed = { ...message, startsAt: '2026-01-16T18:00:00Z' };
    const [[, , { body }]] = (await given('push', { data: { json: () => timed } })) as [
      [string, string, { body: string }],
    ];
    expect(body).to.match(/^Gulls @ Foxes · \S.*\d/);
  });

  it('opens the page of a notification that is tapped', async () => {
    const closed: string[] = [];
    const notification = { data: 'https://picks.example/p/1', close: () => closed.push('closed') };
    expect(await given('notificationclick', { notification })).to.deep.equal([
      ['open', 'https://picks.example/p/1'],
    ]);
    expect(closed).to.deep.equal(['closed']);
  });
});
