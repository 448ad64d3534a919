// Part of `npm run check`: the house rules for text that a machine can check. `--count` prints how often each file breaks them.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { verbs } from '../../src/cli/verbs.ts';
import { type Passage, passagesOf } from './prose.ts';
import { findings } from './words.ts';

const root = resolve(import.meta.dirname, '..', '..');
const contentOf = (path: string): string => readFileSync(join(root, path), 'utf8');

const documents = globSync(['*.md', 'docs/**/*.md', 'deploy/*.md', 'src/**/README.md'], { cwd: root }).sort();
const programs = globSync(['{src,workers,migrations,test,deploy}/**/*.{ts,js,mjs,sql,vcl}'], {
  cwd: root,
}).sort();
/** Its examples are wordings to avoid. */
const examples = 'test/docs/words.test.ts';
const longest: Record<string, number> = { 'README.md': 150, 'docs/performance.md': 120 };

const faults = [
  ...documents.flatMap((path) => [
    ...wording(path, { kind: 'comment', line: 1, text: contentOf(path) }),
    ...tooLong(path),
    ...brokenLinks(path),
    ...unknownCommands(path),
  ]),
  ...programs.flatMap((path) => [
    ...(path === examples ? [] : wordingOfProgram(path)),
    ...brokenCitations(path),
  ]),
];

if (process.argv.includes('--count')) {
  const files = Map.groupBy(faults, (fault) => fault.slice(0, fault.indexOf(':')));
  for (const [path, found] of files) process.stdout.write(`${found.length}\t${path}\n`);
} else for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) {
  process.stderr.write(`${faults.length} faults of wording.\n`);
  process.exitCode = 1;
}

function wording(path: string, { kind, line: firstLine, text }: Passage): string[] {
  return findings(text, kind).map(
    ({ line, phrase, instead }) => `${path}:${firstLine + line - 1}: "${phrase}" (${instead})`,
  );
}

function wordingOfProgram(path: string): string[] {
  return passagesOf(contentOf(path), extname(path).slice(1)).flatMap((passage) => wording(path, passage));
}

function tooLong(path: string): string[] {
  const lines = contentOf(path).trimEnd().split('\n').length;
  const most = longest[path] ?? Infinity;
  return lines > most ? [`${path}:${lines}: more than ${most} lines`] : [];
}

function brokenLinks(path: string): string[] {
  const links = [...contentOf(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string);
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
    })
    .map((link) => `${path}:1: the link ${link} leads nowhere`);
}

/** Returns the cited sections of documents that do not exist. */
function brokenCitations(path: string): string[] {
  const cited = [...contentOf(path).matchAll(/\b((?:docs\/[a-z/-]+|[A-Z]{4,})\.md)#([\w-]+)/g)];
  return cited
    .filter(([, file = '', anchor = '']) => !existsSync(join(root, file)) || !anchorsOf(file).has(anchor))
    .map(([citation]) => `${path}:1: there is no section ${citation}`);
}

/** Returns the anchors of a document's headings, as GitHub derives them. */
function anchorsOf(path: string): Set<string> {
  const headings = contentOf(path).match(/^#+ .+$/gm) ?? [];
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function unknownCommands(path: string): string[] {
  const { scripts } = JSON.parse(contentOf('package.json')) as { scripts: Record<string, string> };
  const asked = [
    ...contentOf(path).matchAll(
      /\bnpm (?:run ([a-z][\w-]*)|(start|test))\b(?: -- ([a-z][a-z-]*)\b(?![/.]))?/g,
    ),
  ];
  const known = (script: string, name: string): boolean => {
    if (script === 'cli') return name in verbs;
    if (script === 'stack') return existsSync(join(root, `test/stacks/${name}.ts`));
    return script !== 'bench' || existsSync(join(root, `test/bench/${name}.ts`));
  };
  return asked
    .filter(([, script = '', plain = '', name]) => {
      if (!((script || plain) in scripts)) return true;
      return name !== undefined && !known(script, name);
    })
    .map(([command]) => `${path}:1: there is no command "${command}"`);
}
