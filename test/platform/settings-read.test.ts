import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { settings } from '../../src/platform/config/settings.ts';

const root = resolve(import.meta.dirname, '..', '..');
const table = 'src/platform/config/';

/** Code with its path, without comments. */
interface Source {
  path: string;
  code: string;
}

const sources: Source[] = globSync('{src,workers}/**/*.{ts,mjs}', { cwd: root })
  .filter((path) => !path.startsWith(table))
  .map((path) => ({ path, code: withoutComments(readFileSync(join(root, path), 'utf8')) }));

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '');
}

/** Returns the path of each setting in the configuration, such as `['http', 'port']`. */
function pathsOf(node: object, path: string[] = []): string[][] {
  if ('env' in node && typeof node.env === 'string') return [path];
  return Object.entries(node).flatMap(([name, child]) => pathsOf(child, [...path, name]));
}

/**
 * Reports whether a file reads a property of that name, by access or destructuring, and mentions its group in its code or its path. Code
 * passes groups on under other names, so the access itself need not name the group.
 */
function reads({ path, code }: Source, [name, group]: [name: string, group: string]): boolean {
  const access = new RegExp(`\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\}\\s*(?:=[^=>]|:)`);
  const kebab = group.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return access.test(code) && (new RegExp(`\\b${group}\\b`).test(code) || path.includes(kebab));
}

const isRead = (path: readonly string[]) =>
  sources.some((source) => reads(source, [path.at(-1)!, path.at(-2)!]));

describe('the settings', () => {
  it('are each read by some code', () => {
    const unread = pathsOf(settings).filter((path) => !isRead(path));
    expect(unread.map((path) => path.join('.'))).to.deep.equal([]);
  });

  it('are reported if nothing reads them', () => {
    expect(isRead(['http', 'port'])).to.equal(true);
    expect(isRead(['http', 'bookmakers']), 'a name that another group has').to.equal(false);
    expect(isRead(['http', 'keepAliveSeconds'])).to.equal(false);
  });
});
