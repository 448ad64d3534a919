import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = readFileSync(join(import.meta.dirname, 'widget.js'), 'utf8');

/** What the script is filled in with. */
export interface WidgetSettings {
  /** Where the service is, for elements whose script does not tell. */
  origin: string;
  handle: string;
  /** Where help with gambling is found. */
  helpLine: string;
  /** The ledger is made up. */
  demo: boolean;
}

/** The script of a capper's widget. */
export function widgetScript(settings: WidgetSettings): string {
  // So that it stays inert where somebody puts it into a page's markup.
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c');
  const filled = source.replace('__SETTINGS__', () => json);
  // Nothing but ASCII, so that it means the same whatever encoding whoever passes it on gives it.
  return filled.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The path of a capper's widget. */
export function widgetPath(handle: string): string {
  return `/embed/capper/${encodeURIComponent(handle)}/widget.js`;
}

/**
 * What whoever embeds a capper's widget copies: the script, and a link for where scripts do not run.
 * @param theme `light` or `dark`; default: as the reader prefers
 */
export function widgetTag(baseUrl: string, handle: string, theme?: string): string {
  const colours = theme === undefined ? '' : ` data-theme="${theme}"`;
  return `<script src="${baseUrl}${widgetPath(handle)}"${colours} async></script>
<noscript><a href="${baseUrl}/c/${encodeURIComponent(handle)}">${handle} on Public Picks</a></noscript>`;
}
