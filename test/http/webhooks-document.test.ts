import { expect } from 'chai';
import type { TSchema } from 'typebox';
import { checker } from '../../src/platform/schema.ts';
import { withDatabase } from '../support/database.ts';
import { declaredDocument, strictSchema } from '../support/declared-routes.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { type Receiver, startReceiver } from '../support/receivers.ts';
import { withRedis } from '../support/redis.ts';
import { startWebhookSite, type WebhookSite } from '../support/webhook-site.ts';

type Content = Record<string, { schema: TSchema }>;

interface Document {
  components: { schemas: Record<string, TSchema> };
  paths: Record<string, Record<string, { responses: Record<string, { content?: Content }> }>>;
  webhooks: Record<string, { post: { parameters: { name: string }[]; requestBody: { content: Content } } }>;
}

describe('the webhooks in /openapi.json', () => {
  const database = withDatabase();
  const redis = withRedis();
  const clock = fixedClock('2026-01-15T12:00:00Z');
  const document = declaredDocument<Document>();
  let receiver: Receiver;
  let site: WebhookSite;

  before(async () => {
    receiver = await startReceiver();
    site = await startWebhookSite({ database, redis }, { clock, receivers: [receiver] });
  });
  after(async () => {
    await site.close();
    await receiver.close();
  });

  it('cover every status and body of the endpoints', async () => {
    const headers: Record<string, string> = {};
    const asked = new Set<string>();
    const ask = async (method: string, path: string, given: object = {}) => {
      const template = path.replace(/\?.*/, '').replace(/\/\d+/, '/{id}');
      const name = `${method} ${template}`;
      const answer = await site.ask(path, { method, headers, ...given });
      const documented = document.paths[template]?.[method.toLowerCase()]?.responses[answer.status];
      expect(documented, `${name} ${answer.status}`).to.not.equal(undefined);
      asked.add(name);
      const schema = documented?.content?.['application/json']?.schema;
      if (schema === undefined) return answer;
      expect(checker(strictSchema(schema, document))(answer.body), name).to.have.property('ok', true);
      return answer;
    };
    const body = { owner_email: 'owner@mail.net', target_url: receiver.url() };
    await ask('POST', '/api/webhooks', { body: {} });
    const { body: made } = await ask('POST', '/api/webhooks', { body });
    const path = `/api/webhooks/${made.id}`;
    await ask('GET', '/api/webhooks?email=owner@mail.net');
    await ask('GET', '/api/webhooks');
    await ask('DELETE', path);
    headers['X-Webhook-Secret'] = made.secret;
    await ask('POST', `${path}/ping`);
    await ask('GET', `${path}/attempts`);
    await ask('POST', `${path}/pause`);
    await ask('POST', `${path}/resume`);
    await ask('POST', `${path}/resend`, { body: { delivery_id: `msg_${made.id}_1` } });
    await ask('POST', `${path}/enable`);
    const { body: renewed } = await ask('POST', `${path}/rotate`);
    await ask('POST', `${path}/ping`);
    headers['X-Webhook-Secret'] = renewed.secret;
    await ask('DELETE', path);
    const described = Object.entries(document.paths)
      .filter(([template]) => template.startsWith('/api/webhooks'))
      .flatMap(([template, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${template}`),
      );
    expect([...asked]).to.have.members(described);
  });

  it('cover each delivered event, its headers, and its body', () => {
    expect(Object.keys(document.webhooks)).to.deep.equal(['pick.posted', 'pick.settled', 'ping']);
    for (const [event, { post }] of Object.entries(document.webhooks)) {
      const { schema } = post.requestBody.content['application/json']!;
      const { properties } = schema as unknown as { properties: { event: { const: string } } };
      expect(properties.event.const).to.equal(event);
      expect(post.parameters.map(({ name }) => name)).to.include.members([
        'X-Service-Signature',
        'webhook-signature',
      ]);
      expect(undescribed(schema), event).to.deep.equal([]);
    }
  });
});

interface Field extends TSchema {
  description?: string;
  properties?: Record<string, Field>;
  anyOf?: Field[];
  const?: unknown;
}

/** Returns the names of fields whose meaning the document does not say. */
function undescribed({ properties = {}, anyOf = [] }: Field): string[] {
  const within = Object.entries(properties).flatMap(([name, field]) =>
    field.description || field.const || field.properties || field.anyOf ? undescribed(field) : [name],
  );
  return [...within, ...anyOf.flatMap(undescribed)];
}
