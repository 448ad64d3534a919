import { clientPath } from '../../src/pages/layout.ts';

const shared = `<script type="module" src="${clientPath}">`;

/** Returns the script tags of a page except the one that every page has. */
export function scriptsBeside(page: string): string[] {
  return [...page.matchAll(/<script[^>]*>?/g)].map(([tag]) => tag).filter((tag) => tag !== shared);
}
