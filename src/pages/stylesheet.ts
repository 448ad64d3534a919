import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file that pages load from this site. Its path contains a content hash, so copies never expire. */
export interface Asset {
  path: string;
  contentType: string;
  bytes: Buffer;
}

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

/** Font faces of the styles, for Western European characters. System fonts show all others. */
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

/** Characters of Google's subset `latin`. Browsers request these files only for them. */
const latin =
  'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD';

export const fonts: readonly Asset[] = faces.map(({ file }) => {
  const path = fileURLToPath(file);
  const bytes = readFileSync(path);
  return {
    path: `/assets/${basename(path, '.woff2')}.${hashOf(bytes)}.woff2`,
    contentType: 'font/woff2',
    bytes,
  };
});

/** Every page preloads the fonts. One that is late is used from the next page on, because a late swap would move the text. */
const fontFaces = faces.map(
  ({ family, weight }, index) => `@font-face {
  font-family: "${family}";
  font-weight: ${weight};
  font-display: optional;
  src: url("${fonts[index]?.path}") format("woff2");
  unicode-range: ${latin};
}
`,
);

export const stylesheet = Buffer.from(
  [
    ...fontFaces,
    ...sheets.map((name) => readFileSync(join(import.meta.dirname, 'styles', `${name}.css`), 'utf8')),
  ].join('\n'),
);

/** Content hash: with it in the URL, copies never expire. */
export const stylesheetHash = hashOf(stylesheet);

export const stylesheetPath = '/assets/site.css';

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
}
