import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { boards } from '../../src/boards/index.ts';
import { jobs } from '../../src/jobs/index.ts';
import { checker } from '../../src/platform/schema.ts';
import { Type } from '../../src/platform/type.ts';

// Processes do not compile the metaschema of JSON Schema. This suite checks all declarations by it once.
describe('schemas', () => {
  it('of jobs and boards are valid by the metaschema', () => {
    const ajv = new Ajv2020({ strict: false });
    const declared = [...jobs.map(({ payload }) => payload), ...boards.map(({ params }) => params)];
    for (const schema of declared) {
      ajv.validateSchema(schema);
      expect(ajv.errors ?? [], JSON.stringify(schema)).to.deep.equal([]);
    }
  });

  it('are refused with an unknown keyword', () => {
    const check = checker(Type.String({ maxLenght: 3 }));
    expect(() => check('long')).to.throw('maxLenght');
  });
});
