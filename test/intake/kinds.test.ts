import { expect } from 'chai';
import type { TObject } from 'typebox';
import { describedSchema, type RowKind } from '../../src/intake/kind.ts';
import { kindNames, kinds } from '../../src/intake/kinds.ts';
import { operatorDocument } from '../../src/operator/api.ts';
import { ownColumn } from '../../src/sheets/own-columns.ts';

interface Document {
  components: { schemas: Record<string, { properties: Record<string, { description?: string }> }> };
}

describe('a kind of row', () => {
  const { components } = operatorDocument('1.2.3', '') as Document;

  for (const name of kindNames) {
    const kind: RowKind = kinds[name];
    const { properties } = kind.schema as TObject;

    it(`${name}: declares each field once, for every door`, () => {
      const live = Object.entries(kind.fields).filter(([, { onlyInFiles }]) => onlyInFiles === undefined);
      expect(Object.keys(properties).sort()).to.deep.equal(live.map(([field]) => field).sort());
      const { properties: shown } = components.schemas[kind.title]!;
      expect(Object.keys(shown)).to.have.members(Object.keys(properties));
      for (const [field, { about }] of live) {
        expect(about, field).to.match(/^\S.*\.$/s);
        expect(shown[field]!.description, field).to.contain(about);
      }
    });

    it(`${name}: reads each field from a column of its own name, or says that none holds it`, () => {
      for (const [field, { cell }] of Object.entries(kind.fields))
        expect(ownColumn(field, kind.fields).field, field).to.equal(cell === null ? undefined : field);
    });

    it(`${name}: has an example that its own check accepts`, () => {
      expect(kind.check(kind.example)).to.have.property('ok', true);
      const { required } = describedSchema(kind) as unknown as { required: string[] };
      expect(Object.keys(kind.example)).to.include.members(required);
    });
  }
});
