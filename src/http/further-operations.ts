import { recordJsonSchema } from '../record/record-json.ts';

/** What parts of the OpenAPI document that no board is made of share with it. */
interface Shared {
  /** Where the service is. */
  baseUrl: string;
  /** A response that is a problem. */
  problem(description: string): object;
  /** What parameters may look like, by name. */
  examples: Readonly<Record<string, string>>;
}

const text = { type: 'string' };
const hex = { type: ['string', 'null'], description: 'SHA-256 in hex; null until the event is sealed.' };
const list = (properties: object) => ({ type: 'array', items: { type: 'object', properties } });
const body = (description: string) => ({ type: ['object', 'null'], description });

/** The public endpoints beside the boards, by path: the operations of the OpenAPI document. */
export function furtherOperations({ baseUrl, problem, examples }: Shared): Record<string, object> {
  const answer = (description: string, contentType: string, schema: object) => ({
    description,
    content: { [contentType]: { schema } },
  });
  const query = (name: string, description: string, schema: object, required = false) => ({
    name,
    in: 'query',
    required,
    description,
    schema,
  });
  const exportFilters = [
    query('since', 'Only picks posted at or after this date or instant (ISO 8601).', text),
    query('sport', 'One sport key.', text),
    query('limit', 'Most rows.', { type: 'integer', minimum: 1, maximum: 5000, default: 1000 }),
    query('after_id', 'Only rows with a larger `id`, in its order: the way through everything.', {
      type: 'integer',
    }),
  ];
  return {
    '/api/picks/{uuid}/receipt': {
      get: {
        operationId: 'picks_uuid_receipt',
        tags: ['record'],
        summary:
          'The receipt of a pick: the hashed bodies, their hashes, and the proof that the log holds them.',
        parameters: [
          {
            name: 'uuid',
            in: 'path',
            required: true,
            description: 'The uuid of a pick.',
            example: examples.uuid,
            schema: text,
          },
        ],
        responses: {
          200: answer('The receipt.', 'application/json', {
            type: 'object',
            properties: {
              pickUuid: text,
              hashStatus: { type: 'string', description: '`sealed` or `unhashed`.' },
              pick: body('What was hashed when it was posted.'),
              pick_hash: hex,
              closing: body('What was hashed when it closed.'),
              closing_hash: hex,
              settlement: body('What was hashed when it settled.'),
              settlement_hash: hex,
              clv_bps: { type: ['integer', 'null'] },
              proof: body('For each event its entry, leaf hash, inclusion path and signed checkpoint.'),
            },
          }),
          304: { description: 'Not changed since the entity tag given.' },
          404: problem('There is no such pick.'),
          503: problem('The ledger is out of reach; try again as Retry-After says.'),
        },
      },
    },
    '/record/export.json': {
      get: {
        operationId: 'record_export_json',
        tags: ['record'],
        summary: 'Every pick of the record as JSON. A filter that cannot be read falls back to its default.',
        parameters: exportFilters,
        responses: {
          200: answer('The record. Lifetime: 900 s.', 'application/json', recordJsonSchema(baseUrl)),
          304: { description: 'Not changed since the entity tag given.' },
        },
      },
    },
    '/record/export.csv': {
      get: {
        operationId: 'record_export_csv',
        tags: ['record'],
        summary: 'Every pick of the record as CSV (RFC 4180).',
        parameters: exportFilters,
        responses: {
          200: answer('The record. Lifetime: 900 s.', 'text/csv', text),
          304: { description: 'Not changed since the entity tag given.' },
        },
      },
    },
    '/record/rss.xml': {
      get: {
        operationId: 'record_rss_xml',
        tags: ['record'],
        summary: 'The settled picks of the record as RSS, at most 100, the latest first.',
        parameters: exportFilters,
        responses: {
          200: answer('The feed. Lifetime: 900 s.', 'application/rss+xml', text),
          304: { description: 'Not changed since the entity tag given.' },
        },
      },
    },
    '/oembed': {
      get: {
        operationId: 'oembed',
        tags: ['record'],
        summary: 'What a permalink of a pick unfolds into (oEmbed 1.0).',
        parameters: [
          {
            ...query('url', 'The permalink of a pick.', { type: 'string', format: 'uri' }, true),
            example: `${baseUrl}/p/${examples.uuid}`,
          },
          query('format', 'Only `json`.', text),
          query('maxwidth', 'The card is left out where it is wider.', { type: 'integer', minimum: 1 }),
          query('maxheight', 'The card is left out where it is higher.', { type: 'integer', minimum: 1 }),
        ],
        responses: {
          200: answer('The link. Lifetime: 300 s.', 'application/json', {
            type: 'object',
            properties: {
              version: text,
              type: { const: 'link' },
              title: text,
              author_name: text,
              author_url: text,
              provider_name: text,
              provider_url: text,
              cache_age: { type: 'integer' },
              thumbnail_url: text,
              thumbnail_width: { type: 'integer' },
              thumbnail_height: { type: 'integer' },
            },
          }),
          400: problem('A parameter is missing, wrong or given twice.'),
          404: problem('That is no permalink of a pick.'),
          501: problem('Another format than JSON.'),
          503: problem('The ledger is out of reach; try again as Retry-After says.'),
        },
      },
    },
    '/api/status': {
      get: {
        operationId: 'status',
        tags: ['status'],
        summary: 'Every freshness check, the overall status, totals, incidents and notices. Always 200.',
        responses: {
          200: answer('The status. Lifetime: 60 s.', 'application/json', {
            type: 'object',
            properties: {
              generatedAt: { type: 'string', format: 'date-time' },
              status: { enum: ['ok', 'degraded', 'down'] },
              checks: list({
                name: text,
                title: text,
                status: { enum: ['ok', 'degraded', 'down'] },
                ageSeconds: { type: 'integer' },
                value: { type: 'number' },
                threshold: { type: 'object' },
                message: text,
                checkedAt: { type: 'string', format: 'date-time' },
                cause: text,
              }),
              totals: {
                type: ['object', 'null'],
                properties: Object.fromEntries(
                  ['picks', 'settled', 'pending', 'cappers', 'subscriptions', 'deliveries24h'].map((name) => [
                    name,
                    { type: 'integer' },
                  ]),
                ),
              },
              incidents: { type: 'array', items: { type: 'object' } },
              notices: { type: 'array', items: { type: 'object' } },
            },
          }),
          304: { description: 'Not changed since the entity tag given.' },
        },
      },
    },
    '/api/version': {
      get: {
        operationId: 'version',
        tags: ['status'],
        summary: 'What runs here, told without any data store.',
        responses: {
          200: answer('The version. It is never kept.', 'application/json', {
            type: 'object',
            properties: {
              version: text,
              commit: text,
              environment: text,
              vaultRing: text,
              uptimeSeconds: { type: 'integer' },
              startedAt: { type: 'string', format: 'date-time' },
            },
          }),
        },
      },
    },
  };
}
