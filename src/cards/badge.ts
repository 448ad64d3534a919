import { escapeHtml } from '../boards/formats/safe-text.ts';

export interface Badge {
  subject: string;
  finding: string;
  tone: 'good' | 'bad' | 'neutral';
  /** The whole in one sentence, for screen readers and as a tooltip. */
  title: string;
}

/** Backgrounds with a contrast of at least 4.5 to white text. */
const colors = { good: '#1f6f43', bad: '#a3342b', neutral: '#59636b' } as const;

const padding = 8;

/** Readers have other fonts, so the widths of the texts are estimates that `textLength` makes true. */
export function badgeSvg({ subject, finding, tone, title }: Badge): string {
  const [left, right] = [subject, finding].map((text) => widthOf(text) + 2 * padding) as [number, number];
  const part = (text: string, at: number, width: number) =>
    `<text x="${at + width / 2}" y="14" textLength="${width - 2 * padding}" lengthAdjust="spacingAndGlyphs">${escapeHtml(text)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-labelledby="t"><title id="t">${escapeHtml(title)}</title><clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="20" fill="#2b3238"/><rect x="${left}" width="${right}" height="20" fill="${colors[tone]}"/></g><g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${part(subject, 0, left)}${part(finding, left, right)}</g></svg>
`;
}

/** Estimates the width of a text at 11 pixels. Characters outside of Latin scripts are about twice as wide. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += character < '\u0250' ? 6.6 : 12;
  return Math.ceil(width);
}
