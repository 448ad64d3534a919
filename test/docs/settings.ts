import { type ProcessName, processNames } from '../../src/platform/config/processes.ts';
import { settingsOf } from '../../src/platform/config/read.ts';
import { type Setting, settings } from '../../src/platform/config/settings.ts';
import { declarations } from '../../src/status/index.ts';
import { code, table } from './tables.ts';

const head = `# Settings

The service reads its settings once, from environment variables, and validates them. A wrong setting stops the start with a message
that names it and says what to change. \`npm start\` supplies whatever the embedded PostgreSQL and Redis need.

A process receives only the settings that it uses. An empty variable counts as unset.

\`npm run docs\` writes this page from \`src/platform/config/settings.ts\` and \`src/status/checks\`.`;

const titles: Readonly<Record<keyof typeof settings, string>> = {
  database: 'PostgreSQL',
  redis: 'Redis',
  http: 'Public port',
  site: 'Site',
  cdn: 'CDN',
  operator: "Operator's port",
  ledger: 'Ledger',
  webhooks: 'Webhooks',
  sources: 'Sources',
  status: 'Status and alerts',
  deployment: 'Deployment',
  process: 'Processes',
};

const checksHead = `## Checks

The status worker measures a figure for each check. From the first threshold on the check is degraded, from the second on it is down.
Thresholds are in seconds unless the table says otherwise. For what to do about each check, see the
[runbook](operations.md#runbook).`;

/** Returns the text of `docs/settings.md`. */
export function settingsDocument(): string {
  const groups = Object.entries(titles).map(
    ([name, title]) => `## ${title}\n\n${groupTable(settingsOf(settings[name as keyof typeof settings]))}`,
  );
  return `${[head, ...groups, checksHead, checksTable()].join('\n\n')}\n`;
}

function groupTable(group: readonly Setting[]): string {
  return table(
    ['setting', 'default', 'used by', 'what it is'],
    group.map(({ env, about, usedBy, required, default: fallback = '' }) => [
      code(env),
      required ? 'required' : fallback === '' ? '' : code(fallback),
      usersOf(usedBy),
      about,
    ]),
  );
}

function checksTable(): string {
  return table(
    ['check', 'default', 'what it measures'],
    declarations.map(({ name, about, unit, thresholds: { degraded, down } }) => [
      code(name),
      `${code(`${degraded},${down}`)}${unit === 'seconds' ? '' : ` ${unit}`}`,
      about,
    ]),
  );
}

function usersOf(names: readonly ProcessName[] = processNames): string {
  if (names.length === 0) return code('npm start');
  const others = processNames.filter((name) => !names.includes(name));
  if (others.length === 0) return 'all';
  return others.length === 1 ? `all but ${others[0]}` : names.join(', ');
}
