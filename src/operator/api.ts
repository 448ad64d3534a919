import { priceCheckSchema } from '../boards/pick.ts';
import { checkedPicksSchema, picksToCheck } from '../http/api/authors/schemas.ts';
import { apiDocument } from '../http/api/openapi.ts';
import type { DescribedRoute } from '../http/routes.ts';
import { describedSchema } from '../intake/kind.ts';
import { kindNames, kinds } from '../intake/kinds.ts';
import { maxChecked } from '../ledger/grading/check-picks.ts';
import { instant } from '../platform/fields.ts';
import { Type } from '../platform/type.ts';
import { maxKey, maxRows } from './intake.ts';

const operatorSections = [
  { name: 'rows', description: 'Picks, games, and prices' },
  { name: 'keys', description: 'Keys of cappers' },
  { name: 'service', description: 'Service' },
] as const;

type OperatorRoute = DescribedRoute<(typeof operatorSections)[number]['name']>;

const outcomes = ['added', 'updated', 'unchanged', 'left out', 'refused'].map((each) => Type.Literal(each));
const outcome = Type.Union(outcomes, {
  description: '`unchanged`: already stored. `left out`: in the future.',
});

const rowAnswer = Type.Object(
  {
    index: Type.Integer({ description: 'Index of the row in the request, from 0.' }),
    outcome,
    reason: Type.Optional(Type.String({ description: 'Reason why the row is refused or left out.' })),
    note: Type.Optional(Type.String({ description: 'Remark about a stored row.' })),
    repeats: Type.Optional(Type.String({ description: 'ID of the pick that a refused pick repeats.' })),
    pickUuid: Type.Optional(Type.String({ format: 'uuid' })),
    postedAt: Type.Optional(instant),
    priceCheck: Type.Optional(priceCheckSchema),
    acknowledgement: Type.Optional(
      Type.String({ description: "The log's signed promise to seal the pick: a signed note." }),
    ),
    unacknowledged: Type.Optional(
      Type.String({
        description:
          'Reason why there is no acknowledgement. Repeat the request under its `Idempotency-Key` to get one.',
      }),
    ),
  },
  { title: 'RowAnswer' },
);

const counts = Type.Record(Type.String(), Type.Integer(), { description: 'Number of rows by outcome.' });

const rowAnswers = Type.Object({ rows: Type.Array(rowAnswer), counts }, { title: 'RowAnswers' });

const refusals = {
  400: 'The body is not JSON.',
  401: 'The token is missing or invalid.',
  413: `The body is larger than 8 MB, or has more than ${maxRows} rows.`,
  415: 'The body is not declared as JSON.',
  422: 'The single row is refused. A list is answered with 200 and the outcome of each row.',
  429: 'The address sent too many wrong tokens.',
};

const keyHeader = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      maxLength: maxKey,
      description:
        'Repeating a request under the same key posts nothing twice, and gets the same answer. In a list, each pick has its own key: this one with its index.',
    }),
  ),
});

const problemsOfKeys = {
  401: refusals[401],
  403: 'The log does not accept the change.',
  404: 'The capper or key does not exist.',
  409: 'The change is already made, or the capper has too many keys.',
};

/** The port's routes for programs. Pages, forms, and Bull Board are for people. */
export const operatorApi: readonly OperatorRoute[] = [
  ...kindNames.map((kind): OperatorRoute => {
    const { about, example } = kinds[kind];
    const schema = describedSchema(kinds[kind]);
    return {
      method: 'POST',
      path: `/${kind}`,
      body: Type.Union([schema, Type.Array(schema, { maxItems: maxRows })]),
      reference: {
        id: `post${kind[0]?.toUpperCase()}${kind.slice(1)}`,
        section: 'rows',
        about: `${about} Send one row, or a list of up to ${maxRows}. Refused rows do not affect the others.`,
        ...(kind === 'picks' ? { headers: keyHeader } : {}),
        bodyExample: example,
        answer: { schema: rowAnswers },
        refusals: kind === 'picks' ? { ...refusals, 409: 'The single pick repeats another one.' } : refusals,
      },
    };
  }),
  {
    method: 'POST',
    path: '/picks/check',
    body: picksToCheck,
    reference: {
      id: 'checkPicks',
      section: 'rows',
      about: `Answers what posting picks would, with the price check so far, and stores nothing. Send one pick, or a list of up to ${maxChecked}.`,
      bodyExample: { ...kinds.picks.example, stakeUnits: 2, line: -4.5, pick: 'Foxes -4.5' },
      answer: { schema: checkedPicksSchema },
      refusals: {
        400: refusals[400],
        401: refusals[401],
        413: `The body is larger than 8 MB, or has more than ${maxChecked} picks.`,
        415: refusals[415],
      },
    },
  },
  {
    method: 'POST',
    path: '/cappers/:handle/invites',
    reference: {
      id: 'inviteCapper',
      section: 'keys',
      about:
        'Creates an invitation for a capper to register a key: a link that works once, within seven days.',
      params: Type.Object({ handle: Type.String() }),
      answer: {
        status: 201,
        schema: Type.Object(
          { link: Type.String({ format: 'uri' }), expiresAt: instant },
          { title: 'Invitation' },
        ),
      },
      refusals: problemsOfKeys,
      examples: [{ handle: 'zoe' }],
    },
  },
  {
    method: 'POST',
    path: '/cappers/:handle/keys/:id/revoke',
    reference: {
      id: 'revokeKey',
      section: 'keys',
      about:
        "Revokes a capper's key. With `?additions`, as for a stolen one, also all keys that it added, directly or through others. The log records that the operator revoked them.",
      params: Type.Object({
        handle: Type.String(),
        id: Type.String({ description: 'ID or fingerprint of the key.' }),
      }),
      answer: {
        schema: Type.Object(
          {
            revoked: Type.String({ description: 'ID of the key.' }),
            additions: Type.Optional(
              Type.Array(Type.String(), { description: 'IDs of keys that it had added.' }),
            ),
          },
          { title: 'Revoked' },
        ),
      },
      refusals: problemsOfKeys,
      examples: [{ handle: 'zoe' }],
    },
  },
  {
    method: 'GET',
    path: '/metrics',
    reference: {
      id: 'metrics',
      section: 'service',
      about: 'Metrics of all processes, for Prometheus.',
      answer: { type: 'text/plain', schema: Type.String(), untagged: true },
      refusals: { 401: refusals[401] },
    },
  },
];

export function operatorDocument(version: string, url: string): object {
  return apiDocument(operatorApi, {
    title: 'Public Picks: operator',
    description: `The operator's port, which must never be public.

- Send a token of \`OPERATOR_TOKEN\` as a bearer token. Every change is recorded under its holder's name.
- Rows are JSON: one object, or a list. A list gets one answer per row. A refused row does not affect the others.
- Errors are \`application/problem+json\` (RFC 9457) with a sentence in \`detail\`. While the ledger is unavailable you get a 503 with \`Retry-After\`.
- The same row again changes nothing. For picks, send an \`Idempotency-Key\`, and send the request again until it is answered.
`,
    version,
    url,
    sections: operatorSections,
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'A token of `OPERATOR_TOKEN`.' },
    },
  });
}
