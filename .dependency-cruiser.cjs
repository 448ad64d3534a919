/**
 * The floors of the house, the lowest first: a room imports only those below its floor. Rooms on one floor may import each other, so a
 * floor of its own for every room is what to aim for.
 */
const floors = [
  // Pure: no I/O, no clock.
  ['^src/rules/', '^src/proof/'],
  ['^src/platform/', '^migrations/'],
  ['^src/cache/'],
  ['^src/jobs/'],
  ['^src/cappers/', '^src/games/'],
  ['^src/ledger/'],
  ['^src/sources/', '^src/demo/'],
  ['^src/projections/'],
  ['^src/boards/'],
  ['^src/record/'],
  ['^src/webhooks/platforms/'],
  ['^src/webhooks/guard/'],
  ['^src/webhooks/client/', '^src/webhooks/subscriptions/'],
  ['^src/webhooks/messages/'],
  ['^src/webhooks/delivery/', '^src/stream/', '^src/status/', '^src/monitor/'],
  ['^src/embed/'],
  ['^src/pages/'],
  ['^src/cards/'],
  ['^src/http/', '^src/operator/', '^src/cli/', '^src/telemetry/'],
  ['^src/(api|server|operator|cli|workers)\\.ts$', '^src/local/', '^workers/'],
];

const upward = floors.slice(0, -1).map((floor, index) => ({
  name: `floor-${index}-imports-only-down`,
  severity: 'error',
  from: { path: floor },
  to: { path: floors.slice(index + 1).flat() },
}));

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'rules-know-no-io',
      comment: 'Rules and proofs are pure: they import their own room, and rules the uuid of a name.',
      severity: 'error',
      from: { path: ['^src/rules/', '^src/proof/'] },
      to: { pathNot: ['^src/rules/', '^src/proof/', 'node_modules/uuid/'] },
    },
    {
      name: 'proof-stands-alone',
      comment: 'It runs in a browser as it is.',
      severity: 'error',
      from: { path: '^src/proof/' },
      to: { pathNot: '^src/proof/' },
    },
    {
      name: 'jobs-know-no-handler',
      severity: 'error',
      from: { path: '^src/jobs/' },
      to: { path: ['^src/(ledger|projections|boards|games|sources|demo)/'] },
    },
    {
      name: 'boards-are-given-their-database',
      comment:
        'A board reads the database of its context; what boards share of reading is in src/projections/.',
      severity: 'error',
      from: { path: '^src/boards/[^/]+/' },
      to: { path: '^src/platform/database' },
    },
    {
      name: 'typebox-is-types',
      comment: 'Its builders are in src/platform/type.ts: 373 modules less in every process.',
      severity: 'error',
      from: { path: '^(src|workers|migrations)' },
      to: { path: 'node_modules/typebox/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { path: '^(src|workers|migrations)' },
      to: { path: '^test/' },
    },
    ...upward,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
    },
  },
};
