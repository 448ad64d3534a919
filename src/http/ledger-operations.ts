/** What parts of the OpenAPI document that no board is made of share with it. */
interface Shared {
  /** A response that is a problem. */
  problem(description: string): object;
}

const hash = { type: 'string', description: 'SHA-256 in hex.' };
const size = { type: 'integer', minimum: 1 };
const hashes = { type: 'array', items: hash };
const origin = { type: 'string', description: "The log's name." };

/** The published log below `/ledger/`, by path: operations of the OpenAPI document. */
export function ledgerOperations({ problem }: Shared): Record<string, object> {
  const missing = problem('The newest checkpoint does not reach so far.');
  const get = (
    operationId: string,
    summary: string,
    parameters: object[],
    content: Record<string, object>,
    problems: Record<number, object>,
  ) => ({
    get: {
      operationId,
      tags: ['log'],
      summary,
      parameters,
      responses: {
        200: {
          description: 'As the summary says.',
          content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
        },
        304: { description: 'Not changed since the entity tag given.' },
        ...problems,
      },
    },
  });
  const json = (properties: Record<string, object>) => ({
    'application/json': { type: 'object', properties },
  });
  const seq = {
    name: 'seq',
    in: 'path',
    required: true,
    description: "The entry's place in the log, from 0.",
    example: 0,
    schema: { type: 'integer', minimum: 0 },
  };
  const query = (name: string, description: string, required: boolean) => ({
    name,
    in: 'query',
    required,
    description,
    ...(required ? { example: 1 } : {}),
    schema: size,
  });
  const tile = (name: string, description: string, example: string) => ({
    name,
    in: 'path',
    required: true,
    description,
    example,
    schema: { type: 'string' },
  });
  const index = tile('index', 'Its number, as tlog-tiles writes it: `x001/234`, or `000.p/15`.', '000.p/1');
  return {
    '/ledger/checkpoint': get(
      'ledger_checkpoint',
      'The newest checkpoint: size and root of the tree, signed (C2SP tlog-checkpoint).',
      [],
      { 'text/plain': { type: 'string' } },
      { 404: problem('Nothing is signed yet.') },
    ),
    '/ledger/tile/{level}/{index}': get(
      'ledger_tile',
      'Up to 256 hashes of the tree (C2SP tlog-tiles). Full tiles never change.',
      [tile('level', 'The level of the tiles.', '0'), index],
      { 'application/octet-stream': { type: 'string', format: 'binary' } },
      { 404: missing },
    ),
    '/ledger/tile/entries/{index}': get(
      'ledger_entries',
      'Up to 256 entries of the log (C2SP tlog-tiles). Full bundles never change.',
      [index],
      { 'application/octet-stream': { type: 'string', format: 'binary' } },
      { 404: missing },
    ),
    '/ledger/proof/{seq}': get(
      'ledger_proof',
      'An entry, and its inclusion in the newest checkpoint (RFC 6962).',
      [seq],
      json({
        origin,
        kind: { type: 'string', description: '`posted`, `closed`, `settled`, `key` or `notice`.' },
        seq: seq.schema,
        entry: { type: 'string', description: 'Canonical JSON (RFC 8785).' },
        leafHash: hash,
        treeSize: size,
        rootHash: hash,
        checkpoint: { type: 'string', description: 'A signed note.' },
        inclusion: hashes,
      }),
      { 404: missing },
    ),
    '/ledger/body/{seq}': get(
      'ledger_body',
      'What the hash in an entry is of.',
      [seq],
      json({ seq: seq.schema, kind: { type: 'string' }, hash, body: { type: 'object' } }),
      { 404: missing },
    ),
    '/ledger/consistency': get(
      'ledger_consistency',
      'That a tree begins with an older one (RFC 6962).',
      [
        query('from', 'The size of the older tree.', true),
        query('to', 'The size of the later one; by default the newest.', false),
      ],
      json({ origin, from: size, to: size, hashes }),
      { 400: problem('The sizes cannot be read, or there is no proof between them.') },
    ),
    '/ledger/key': get(
      'ledger_key',
      "The log's verifier keys (C2SP signed-note), each announced by the one before.",
      [],
      json({
        origin,
        key: { type: ['string', 'null'], description: 'The present one.' },
        keys: { type: 'array', items: { type: 'object' } },
      }),
      {},
    ),
  };
}
