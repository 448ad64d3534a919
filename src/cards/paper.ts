import type { Node } from '@takumi-rs/core';
import { labelOf } from '../pages/labels.ts';
import { favicon } from '../pages/logo.ts';
import type { LogKind } from '../rules/vocabulary.ts';
import { directionOf, familiesFor, languageOf, lineHeightFor } from './writing.ts';

/** Size recommended by Open Graph and Twitter, in pixels. */
export const cardWidth = 1200;
export const cardHeight = 630;

/** In pixels. */
export const margin = 54;

/** Light colors of the site's stylesheet. */
export const colors = {
  paper: '#faf8f2',
  ink: '#1d2421',
  quiet: '#5c6660',
  rule: '#d9d4c5',
  accent: '#0f5c43',
  win: '#0f6b45',
  loss: '#a13428',
  open: '#805600',
} as const;

export type Style = NonNullable<Node['style']>;

interface TextOptions {
  size: number;
  /** Default: sans serif. */
  serif?: boolean;
  weight?: number;
  color?: string;
  /** Lines before an ellipsis; default 1. */
  lines?: number;
  style?: Style;
}

/** Lays out text in the fonts, direction, and forms of its script. It never grows beyond its box. */
export function text(
  words: string,
  { size, serif, weight = 400, color, lines = 1, style }: TextOptions,
): Node {
  const language = languageOf(words);
  return {
    type: 'text',
    text: words,
    dir: directionOf(words),
    ...(language === undefined ? {} : { lang: language }),
    style: {
      fontFamily: familiesFor(words, serif === true ? 'Source Serif 4' : 'Inter'),
      fontSize: size,
      fontWeight: weight,
      lineHeight: lineHeightFor(words),
      color: color ?? colors.ink,
      textOverflow: 'ellipsis',
      overflow: 'hidden',
      overflowWrap: 'anywhere',
      lineClamp: lines,
      ...style,
    },
  };
}

export function row(style: Style, ...children: Node[]): Node {
  return { type: 'container', style: { display: 'flex', flexDirection: 'row', ...style }, children };
}

export function column(style: Style, ...children: Node[]): Node {
  return { type: 'container', style: { display: 'flex', flexDirection: 'column', ...style }, children };
}

/** Several share a row evenly. */
export function figure(
  name: string,
  value: string,
  { color = colors.ink, struck = false, size = 37 }: { color?: string; struck?: boolean; size?: number } = {},
): Node {
  return column(
    { flexGrow: 1, flexBasis: 0, minWidth: 0, gap: 2 },
    text(name, { size: 21, color: colors.quiet }),
    text(value, {
      size,
      weight: 600,
      color,
      ...(struck && { style: { textDecoration: 'line-through' } }),
    }),
  );
}

export function standing({ tier, verified }: { tier: string; verified: boolean }): Node[] {
  const sharp = tier !== 'listed';
  const mark = text(labelOf('tier', tier), {
    size: 21,
    weight: 600,
    color: sharp ? colors.accent : colors.quiet,
    style: {
      flexShrink: 0,
      padding: '4px 14px',
      border: `2px solid ${sharp ? colors.accent : colors.rule}`,
      borderRadius: 99,
    },
  });
  if (verified) return [mark];
  return [mark, text('not verified', { size: 21, color: colors.quiet, style: { flexShrink: 0 } })];
}

export interface Imprint {
  notice: string;
  logKind: LogKind;
}

/** Prefix of the kind of card, if the log is not live. */
const remarks: Record<LogKind, string> = {
  live: '',
  replay: 'Replay, simulated clock · ',
  demo: 'Demo, made-up data · ',
};

interface Sheet extends Imprint {
  kind: string;
  proof: string;
  body: Node[];
}

const mark = `data:image/svg+xml;base64,${Buffer.from(favicon).toString('base64')}`;

export function sheet({ kind, proof, notice, logKind, body }: Sheet): Node {
  return column(
    {
      width: cardWidth,
      height: cardHeight,
      padding: `30px ${margin}px 26px`,
      backgroundColor: colors.paper,
      overflow: 'hidden',
    },
    row(
      { justifyContent: 'space-between', alignItems: 'center', gap: 40 },
      row(
        { alignItems: 'center', gap: 13, flexShrink: 0 },
        { type: 'image', src: mark, style: { width: 38, height: 38 } },
        text('Public Picks', { size: 34, serif: true, weight: 600 }),
      ),
      text(`${remarks[logKind]}${kind}`, {
        size: 25,
        weight: 400,
        color: colors.quiet,
      }),
    ),
    rule(4, 14),
    rule(1.5, 5),
    column({ flexGrow: 1, flexBasis: 0, minHeight: 0 }, ...body),
    row(
      { justifyContent: 'space-between', alignItems: 'center', gap: 30, marginTop: 18 },
      text(proof, { size: 20, color: colors.quiet, style: { flexShrink: 1 } }),
      text(notice, { size: 20, weight: 600, color: colors.ink, style: { flexShrink: 0 } }),
    ),
  );
}

/** @param above space above it; both in pixels */
export function rule(thickness: number, above: number, color: string = colors.ink): Node {
  return {
    type: 'container',
    style: { width: '100%', height: thickness, marginTop: above, backgroundColor: color, flexShrink: 0 },
  };
}
