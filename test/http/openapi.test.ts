import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { boards } from '../../src/boards/index.ts';
import { declaredDocument } from '../support/declared-routes.ts';

interface Operation {
  operationId: string;
  responses: Record<string, object>;
  parameters: { name: string; in: string }[];
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
}

describe('/openapi.json', () => {
  const document = declaredDocument<Document>();

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });
    expect(valid, JSON.stringify(errors)).to.equal(true);
  });

  it('has every board and format, each with all of its parameters', () => {
    for (const board of boards)
      for (const { path, params } of [board, ...board.formats]) {
        const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.get;
        expect(operation, path).to.not.equal(undefined);
        expect(operation?.parameters.map(({ name }) => name)).to.deep.equal(Object.keys(params.properties));
      }
  });

  it('has the endpoints that belong to no board', () => {
    for (const path of [
      '/api/status',
      '/api/version',
      '/ledger/checkpoint',
      '/ledger/proof/{seq}',
      '/oembed',
    ])
      expect(document.paths, path).to.have.property(path);
  });

  it('says 429 for exactly what the reference calls limited: streams and POST requests', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => ({
        name: `${method} ${path}`,
        isPost: method === 'post',
        isLimited: '429' in responses,
      })),
    );
    const exceptions = operations.filter(({ isPost, isLimited }) => isPost !== isLimited);
    expect(exceptions.map(({ name }) => name)).to.deep.equal(['get /api/stream']);
  });

  it('gives every operation its own name', () => {
    const names = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(names).size).to.equal(names.length);
  });
});
