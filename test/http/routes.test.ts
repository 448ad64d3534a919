import { expect } from 'chai';
import { inOrder, type Route } from '../../src/http/routes.ts';

const routes = (...paths: string[]): Route[] =>
  paths.map((path) => ({ method: 'GET', path, handle: () => ({}) }));

describe('the order of routes', () => {
  it('puts the most literal path first, whatever the order of the list', () => {
    const given = [
      '/c/:handle',
      '/api/cappers/:handle/vs/:other',
      '/api/cappers/:handle/clv',
      '/api/cappers/streaks',
    ];
    const more = ['/api/cappers/:handle', '/c/:handle.csv'];
    const paths = inOrder(routes(...given, ...more)).map(({ path }) => path);
    const isBefore = (one: string, other: string) =>
      expect(paths.indexOf(one)).to.be.below(paths.indexOf(other));
    isBefore('/api/cappers/streaks', '/api/cappers/:handle');
    isBefore('/c/:handle.csv', '/c/:handle');
  });

  for (const [one, other] of [
    ['/api/pod', '/api/pod'],
    ['/api/cappers/:handle', '/api/cappers/:id'],
  ] as const)
    it(`refuses ${one} beside ${other}`, () => {
      expect(() => inOrder(routes(one, other))).to.throw('two routes on one path');
    });

  it('allows one path with two methods', () => {
    const [get] = routes('/api/webhooks');
    expect(inOrder([get as Route, { ...(get as Route), method: 'POST' }])).to.have.lengthOf(2);
  });
});
