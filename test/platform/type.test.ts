import { expect } from 'chai';
import fc from 'fast-check';
import { type TProperties, type TSchema, Type as TypeBox } from 'typebox';
import { Type } from '../../src/platform/type.ts';

type Builders = typeof Type;

/** Builds a schema with the given builders. */
type Build = (builders: Builders) => TSchema;

const options = fc.option(fc.record({ title: fc.string(), description: fc.string() }), { nil: undefined });
const texts = fc.uniqueArray(fc.string(), { minLength: 1 });

const { build } = fc.letrec<{ build: Build; properties: (builders: Builders) => TProperties }>((tie) => ({
  build: fc.oneof(
    { maxDepth: 4 },
    options.map(
      (o): Build =>
        (b) =>
          b.Boolean(o),
    ),
    options.map(
      (o): Build =>
        (b) =>
          b.Integer(o),
    ),
    options.map(
      (o): Build =>
        (b) =>
          b.Null(o),
    ),
    options.map(
      (o): Build =>
        (b) =>
          b.Number(o),
    ),
    options.map(
      (o): Build =>
        (b) =>
          b.String(o),
    ),
    options.map(
      (o): Build =>
        (b) =>
          b.Unknown(o),
    ),
    fc.tuple(texts, options).map(
      ([values, o]): Build =>
        (b) =>
          b.Enum(values, o),
    ),
    fc.tuple(fc.oneof(fc.string(), fc.integer(), fc.boolean()), options).map(
      ([value, o]): Build =>
        (b) =>
          b.Literal(value, o),
    ),
    fc.tuple(tie('build'), options).map(
      ([items, o]): Build =>
        (b) =>
          b.Array(items(b), o),
    ),
    fc.tuple(fc.constantFrom(undefined, '^[a-z]+$'), tie('build'), options).map(
      ([pattern, values, o]): Build =>
        (b) =>
          b.Record(b.String({ ...(pattern && { pattern }) }), values(b), o),
    ),
    fc.tuple(fc.array(tie('build'), { minLength: 1, maxLength: 3 }), options).map(
      ([anyOf, o]): Build =>
        (b) =>
          b.Union(
            anyOf.map((each) => each(b)),
            o,
          ),
    ),
    fc.tuple(tie('properties'), options).map(
      ([properties, o]): Build =>
        (b) =>
          b.Object(properties(b), o),
    ),
  ),
  properties: fc
    .dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.tuple(tie('build'), fc.boolean()), { maxKeys: 4 })
    .map(
      (fields) => (b: Builders) =>
        Object.fromEntries(
          Object.entries(fields).map(([name, [schema, isOptional]]) => [
            name,
            isOptional ? b.Optional(schema(b)) : schema(b),
          ]),
        ),
    ),
}));

describe('the schema builders', () => {
  it('build what TypeBox builds, in the same order', () => {
    fc.assert(
      fc.property(build, (make) => {
        expect(JSON.stringify(make(Type))).to.equal(JSON.stringify(make(TypeBox)));
      }),
    );
  });

  it('leave the original schema unchanged when making it optional', () => {
    const name = Type.String();
    expect(Type.Object({ one: Type.Optional(name), other: name }))
      .to.have.property('required')
      .that.eqls(['other']);
  });
});
