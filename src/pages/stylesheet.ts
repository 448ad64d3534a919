import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file that pages load from this site: its path names its content, so copies never expire. */
export interface Asset {
  path: string;
  contentType: string;
  bytes: Buffer;
  hash: string;
}

/** In the order in which they are put together. */
const sheets = [
  'base',
  'layout',
  'parts',
  'tables',
  'slips',
  'records',
  'filters',
  'charts',
  'pages',
  'forms',
  'proof',
  'ops',
];

/** The faces that the styles speak of, each for the characters of western languages; the system's own fonts show all others. */
const faces = [
  {
    family: 'Source Serif 4',
    weight: 600,
    file: import.meta.resolve('@fontsource/source-serif-4/files/source-serif-4-latin-600-normal.woff2'),
  },
  {
    family: 'Inter',
    weight: 400,
    file: import.meta.resolve('@fontsource/inter/files/inter-latin-400-normal.woff2'),
  },
  {
    family: 'Inter',
    weight: 600,
    file: import.meta.resolve('@fontsource/inter/files/inter-latin-600-normal.woff2'),
  },
];

/** What Google's subset `latin` holds: nothing else is asked of these files. */
const latin =
  'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD';

/** The faces' files. */
export const fonts: readonly Asset[] = faces.map(({ file }) => {
  const path = fileURLToPath(file);
  const bytes = readFileSync(path);
  const hash = hashOf(bytes);
  return {
    path: `/assets/${basename(path, '.woff2')}.${hash}.woff2`,
    contentType: 'font/woff2',
    bytes,
    hash,
  };
});

const fontFaces = faces.map(
  ({ family, weight }, index) => `@font-face {
  font-family: "${family}";
  font-weight: ${weight};
  font-display: swap;
  src: url("${fonts[index]?.path}") format("woff2");
  unicode-range: ${latin};
}
`,
);

/** The one stylesheet of all pages. */
export const stylesheet = Buffer.from(
  [
    ...fontFaces,
    ...sheets.map((name) => readFileSync(join(import.meta.dirname, 'styles', `${name}.css`), 'utf8')),
  ].join('\n'),
);

/** Names its content: with it in the URL, copies never expire. */
export const stylesheetHash = hashOf(stylesheet);

export const stylesheetPath = '/assets/site.css';

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
}
