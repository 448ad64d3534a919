import { expect } from 'chai';
import fc from 'fast-check';
import { fromUtf8, utf8 } from '../../src/proof/encoding.ts';
import type { SealedReceipt } from '../../src/proof/receipt.ts';
import { parseStrictJson } from '../../src/proof/strict-json.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { exampleReceipt, logSigner, witnesses } from './example-log.ts';

const trust = { keys: [logSigner.key], witnesses: witnesses.map(({ key }) => key), beforeStart: true };

describe('a forged receipt', () => {
  let receipt: SealedReceipt;
  before(async () => {
    receipt = await exampleReceipt({ cosigners: witnesses });
  });

  it('is detected by one changed bit', async () => {
    const bytes = utf8(JSON.stringify(receipt));
    expect((await verifyReceipt(parseStrictJson(fromUtf8(bytes)), trust)).proof).to.equal('ok');
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
        const changed = bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
        expect(await isVerified(changed), `bit ${bit}`).to.equal(false);
      }),
      { numRuns: 1500 },
    );
  });

  it('is detected by one changed value', async () => {
    const paths = leaves(receipt);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.jsonValue(), async (path, value) => {
        const copy = structuredClone(receipt);
        fc.pre(JSON.stringify(put(copy, path, value)) !== JSON.stringify(value));
        expect((await verifyReceipt(copy, trust)).proof).to.equal('failed');
      }),
      { numRuns: 300 },
    );
  });

  it('gets a verdict, whatever the value', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.jsonValue(), fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true })),
        async (value) => {
          const { proof, failed } = await verifyReceipt(value, trust);
          expect(proof).to.equal('failed');
          expect(failed?.detail).to.match(/^Receipt.*\.$/s);
        },
      ),
    );
  });

  it('gets a verdict even if it is deep, large, or throws', async () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const thrower = new Proxy({}, { get: () => fail(), ownKeys: () => fail() });
    const given = [
      {
        ...receipt,
        proof: {
          ...receipt.proof,
          events: [{ ...receipt.proof.events[0]!, entry: deep }, ...receipt.proof.events.slice(1)],
        },
      },
      { ...receipt, closing: JSON.parse(deep) as unknown },
      { ...receipt, proof: { ...receipt.proof, events: Array(100_000).fill(receipt.proof.events[0]) } },
      thrower,
    ];
    for (const value of given) {
      const { proof, failed } = await verifyReceipt(value, trust);
      expect(proof).to.equal('failed');
      expect(failed?.detail.length).to.be.greaterThan(10);
    }
  });
});

describe('strict JSON', () => {
  it('is parsed as by JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
        expect(parseStrictJson(JSON.stringify(value, null, indent))).to.deep.equal(
          JSON.parse(JSON.stringify(value)),
        );
      }),
    );
  });

  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '[{"x":{"b":[],"b" :[]}}]',
    '{"":0,"":0}',
    '{"a":"\\"b\\":","a":1}',
  ]) {
    it(`excludes ${text}`, () => expect(() => parseStrictJson(text)).to.throw(SyntaxError));
  }

  it('may have colons and quotes in strings', () => {
    const value = { 'a": "b': '": "', c: ['":', '"', '\\', '\\"', ':'] };
    expect(parseStrictJson(JSON.stringify(value))).to.deep.equal(value);
  });
});

async function isVerified(bytes: Uint8Array): Promise<boolean> {
  let receipt: unknown;
  try {
    receipt = parseStrictJson(fromUtf8(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
  return (await verifyReceipt(receipt, trust)).proof !== 'failed';
}

type Path = (string | number)[];

function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries: [string, unknown][] = Object.entries(value);
  return entries.flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

/** Puts a value at a path. @returns the previous value */
function put(target: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  const object = target as Record<string, unknown>;
  if (rest.length > 0) return put(object[key!], rest, value);
  const before = object[key!];
  object[key!] = value;
  return before;
}

function fail(): never {
  throw new Error('it cannot be read');
}
