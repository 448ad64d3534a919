import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OddsForm } from '../boards/formats/odds-text.ts';
import type { LogKind } from '../rules/vocabulary.ts';

const source = readFileSync(join(import.meta.dirname, 'widget.js'), 'utf8');

export interface WidgetSettings {
  /** Origin of the service, used if the script cannot tell where it was loaded from. */
  origin: string;
  handle: string;
  helpLine: string;
  logKind: LogKind;
  /** Odds format, unless the script element sets one (`data-odds`). Default: American. */
  odds?: OddsForm;
}

export function widgetScript(settings: WidgetSettings): string {
  // Keeps the script from closing a script element that contains it.
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c');
  const script = source.replace('__SETTINGS__', () => json);
  // ASCII only: proxies and embedding pages may declare any encoding.
  return script.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function widgetPath(handle: string): string {
  return `/embed/capper/${encodeURIComponent(handle)}/widget.js`;
}

/** The script, and a link for readers without scripts. @param theme `light` or `dark`; default: the reader's preference */
export function widgetTag(baseUrl: string, handle: string, theme?: string): string {
  const themeAttribute = theme === undefined ? '' : ` data-theme="${theme}"`;
  return `<script src="${baseUrl}${widgetPath(handle)}"${themeAttribute} async></script>
<noscript><a href="${baseUrl}/c/${encodeURIComponent(handle)}">${handle} on Public Picks</a></noscript>`;
}
