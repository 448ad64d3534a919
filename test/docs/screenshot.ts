// `npm run screenshot`: starts the demo on its own ports and in its own folder, and renews the picture in README.md.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { anyFreePort } from '../../src/local/ports.ts';
import { findChromium } from '../support/chromium.ts';
import { discardPostgres } from '../support/discard-postgres.ts';
import { ownRedis } from '../support/own-redis.ts';

const root = resolve(import.meta.dirname, '..', '..');
const picture = 'docs/pick.png';
const maxBytes = 150_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

const dataDir = join(root, '.data', 'screenshot');
discardPostgres(dataDir);
rmSync(dataDir, { recursive: true, force: true });
mkdirSync(dataDir, { recursive: true });
const redis = await ownRedis();
const port = await anyFreePort();
const site = `http://localhost:${port}`;
const start = spawn('npm', ['start'], {
  cwd: root,
  env: {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    DATA_DIR: dataDir,
    PORT: String(port),
    OPERATOR_PORT: String(await anyFreePort()),
    REDIS_URL: redis.url,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(start, 'exit');
try {
  await started();
  await draw();
} finally {
  start.kill('SIGINT');
  await ended;
  await redis.close();
}

/** Resolves once the demo's history is complete. */
async function started(): Promise<void> {
  for await (const line of createInterface(start.stdout)) {
    say(line);
    if (line.includes('Stop  ')) return void start.stdout.resume();
  }
  throw new Error('The demo did not start.');
}

async function draw(): Promise<void> {
  const { executablePath, env } = await findChromium(say);
  const browser = await chromium.launch({
    executablePath,
    env: { ...(process.env as Record<string, string>), ...env },
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 900 }, reducedMotion: 'reduce' });
    await page.goto(`${site}/p/${await settledPick()}`);
    // After working through 90 days, a service reports for a while that it is behind.
    await page.locator('aside.trouble').evaluateAll((banners) => {
      for (const banner of banners) banner.remove();
    });
    await page.screenshot({ path: join(root, picture) });
  } finally {
    await browser.close();
  }
  const { size } = statSync(join(root, picture));
  say(`${picture}: ${size} bytes`);
  if (size > maxBytes) throw new Error(`The picture is larger than ${maxBytes} bytes.`);
}

/** Returns the latest sealed pick that won, took better odds than the closing ones, and closed at its own line. */
async function settledPick(): Promise<string> {
  for (;;) {
    const { picks } = await asked<{ picks: Settled[] }>('/api/feed/settled?limit=200');
    const found = picks.find(
      ({ result, clvBps, line, closingLine, sealedAt }) =>
        result === 'win' && (clvBps ?? 0) > 0 && line === closingLine && sealedAt,
    );
    if (found !== undefined) return found.pickUuid;
    await pause(1_000);
  }
}

async function asked<Body>(path: string): Promise<Body> {
  const response = await fetch(site + path);
  return (await response.json()) as Body;
}

interface Settled {
  pickUuid: string;
  result: string;
  clvBps: number | null;
  line: number | null;
  closingLine: number | null;
  sealedAt: string | null;
}
