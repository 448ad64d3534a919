import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html } from './html.ts';

/** The site's logo: three ledger entries, a double rule below them, and a tick. */
export const logo = html`<svg class="logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
<path class="mark-rules" d="M4 8h13M4 14h9M4 20h6M4 26.5h24M4 29.5h24"/>
<path class="mark-tick" d="m13 16.5 5 5L28 7"/>
</svg>`;

export const magnifier = html`<svg viewBox="0 0 20 20" width="18" height="18" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true" focusable="false"><circle cx="8.5" cy="8.5" r="5.5"/><path d="m13 13 4.5 4.5"/></svg>`;

/** The logo as a file for browser tabs, in a green that is visible on light and dark. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#1d8a66" stroke-linecap="round">
<path stroke-width="2" d="M4 8h13M4 14h9M4 20h6M4 26.5h24M4 29.5h24"/><path stroke-width="3.5" d="m13 16.5 5 5L28 7"/></svg>
`;

/** {@link favicon} as PNG of 16, 32, and 48 pixels, for clients that request `/favicon.ico` and do not support SVG. */
export const faviconIco = readFileSync(join(import.meta.dirname, 'favicon.ico'));

/** {@link favicon} on paper, 512 pixels square, for home screens and notifications. */
export const iconPath = '/assets/icon.png';
export const icon = readFileSync(join(import.meta.dirname, 'icon.png'));

/** Makes the site an app on a home screen, which iOS requires before it allows notifications. */
export const manifestPath = '/manifest.webmanifest';
export const manifest = JSON.stringify({
  name: 'Public Picks',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#faf8f2',
  theme_color: '#faf8f2',
  icons: [
    { src: iconPath, sizes: '512x512', type: 'image/png' },
    { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
});
