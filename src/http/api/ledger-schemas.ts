import type { TSchema } from 'typebox';
import { Field } from '../../platform/field-schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { bodyRules, kinds } from '../../proof/bodies.ts';
import { entryProof, receiptRules } from '../../proof/receipt.ts';
import type { Rule } from '../../proof/shape.ts';

/** Schemas of the bodies, receipts, and proofs that `src/proof` declares, for the API reference. */
const schemaOf = ({ schema }: Rule) => schema as unknown as TSchema;

const hash = schemaOf(entryProof.leafHash);
export const seq = Type.Integer({ minimum: 0, description: "The entry's index in the log, from 0." });
const treeSize = Type.Integer({ minimum: 1 });
const origin = Field.text("The log's name.");

const inclusion = Object.fromEntries(
  Object.entries(entryProof).map(([name, rule]) => [name, schemaOf(rule)]),
);

export const receiptSchema = Type.Union([schemaOf(receiptRules.sealed), schemaOf(receiptRules.unhashed)], {
  title: 'Receipt',
});

const kind = Type.Enum(kinds, { title: 'EntryKind' });

export const entryProofSchema = Type.Object({ origin, kind, ...inclusion }, { title: 'EntryProof' });

export const entryBodySchema = Type.Union(
  kinds.map((name) =>
    Type.Object(
      { seq, kind: Type.Literal(name), hash, body: schemaOf(bodyRules[name]) },
      { description: `An entry of kind ${name}.` },
    ),
  ),
  { title: 'EntryBody' },
);

export const consistencySchema = Type.Object(
  { origin, from: treeSize, to: treeSize, hashes: Type.Array(hash) },
  { title: 'ConsistencyProof' },
);

export const checkpointsSchema = Type.Object(
  {
    checkpoints: Type.Array(Field.text(), {
      description: 'Signed notes (C2SP tlog-checkpoint), oldest first.',
    }),
    witnesses: Type.Array(Field.text(), {
      description: 'Verifier keys of all witnesses that ever cosigned a checkpoint.',
    }),
  },
  { title: 'Checkpoints' },
);

export const keysSchema = Type.Object(
  {
    origin: nullable(origin),
    key: Field.orNull.text('The current verifier key.'),
    keys: Type.Array(
      Type.Object({
        key: Field.text('The verifier key (C2SP signed-note).'),
        id: Field.text("The key's ID in signatures."),
        publicKey: Field.text('Base64.'),
        announcedAt: Field.orNull.integer('Index of the entry that announced the key.'),
        announcement: Field.orNull.text('The signed note of that entry.'),
      }),
      { description: 'All keys, newest last.' },
    ),
    continues: Type.Array(Field.text(), {
      description:
        'Verifier keys of the earlier logs that this one continues. Statements that cappers signed for them count here.',
    }),
  },
  { title: 'LogKeys' },
);
