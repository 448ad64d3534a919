/** Every room, the lowest first: a room imports only rooms before it. ARCHITECTURE.md shows the same list. */
const rooms = require('./floors.json')
  .flatMap(({ rooms }) => rooms)
  .map(({ room, at = `^src/${room}/` }) => ({ room, at }));

const upward = rooms.slice(0, -1).map(({ room, at }, index) => ({
  name: `${room}-imports-only-down`,
  severity: 'error',
  from: { path: at },
  to: { path: rooms.slice(index + 1).map(({ at }) => at) },
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
      name: 'every-file-is-in-a-room',
      severity: 'error',
      from: { path: '^(src|workers|migrations)/', pathNot: rooms.map(({ at }) => at) },
      to: {},
    },
    {
      name: 'platform-knows-no-product',
      comment: 'Its settings name witnesses in the format of src/proof/.',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^(src|workers|migrations)/', pathNot: ['^src/platform/', '^src/proof/'] },
    },
    {
      name: 'only-http-and-operator-know-koa',
      severity: 'error',
      from: { path: '^(src|workers|migrations)/', pathNot: '^src/(http|operator)/' },
      to: { path: 'node_modules/(koa|@koa/[^/]+|@types/koa|@bull-board/koa)/' },
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
