import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { boards } from '../../src/boards/index.ts';
import { everySetting } from '../../src/platform/config/read.mjs';

export const readmePath = resolve(import.meta.dirname, '..', '..', 'README.md');

/** The README with its tables made anew from the declarations. */
export function renewedReadme(): string {
  const text = readFileSync(readmePath, 'utf8');
  return fill(fill(text, 'boards', boardsTable()), 'settings', settingsTable());
}

function fill(text: string, name: string, table: string): string {
  return text.replace(
    new RegExp(`<!-- ${name} -->[^]*<!-- /${name} -->`),
    () => `<!-- ${name} -->\n${table}\n<!-- /${name} -->`,
  );
}

function boardsTable(): string {
  const rows = boards.map(({ path, params, about, lifetime }) => {
    const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
    const query = Object.keys(params.properties).filter((name) => !inPath.has(name));
    return `| \`${path}\` | ${query.map((name) => `\`${name}\``).join(' ')} | ${cell(about)} | ${lifetime} s |`;
  });
  return ['| path | parameters | what it is | lifetime |', '|---|---|---|---|', ...rows].join('\n');
}

function settingsTable(): string {
  const rows = everySetting.map(({ env, about, default: fallback = '' }) => {
    const shown = fallback === '' ? '' : `\`${fallback}\``;
    return `| \`${env}\` | ${shown} | ${cell(about)} |`;
  });
  return ['| setting | default | what it is |', '|---|---|---|', ...rows].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
