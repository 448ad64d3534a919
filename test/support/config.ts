import { type Config, readConfig } from '../../src/platform/config/config.ts';

/** Returns the settings of a service in tests. The stores' addresses lead nowhere. @param environment additional settings */
export function testConfig(environment: Record<string, string> = {}): Config {
  return readConfig({
    DATABASE_URL: 'postgres://127.0.0.1:9/none',
    REDIS_URL: 'redis://127.0.0.1:9',
    BASE_URL: 'https://picks.example',
    COMMIT: 'test',
    DEPLOY_ENVIRONMENT: 'test',
    OPERATOR_TOKEN: 'the-token-of-these-tests',
    LEDGER_KEY: Buffer.alloc(32, 7).toString('base64'),
    SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    ...environment,
  });
}
