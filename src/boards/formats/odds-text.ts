import { Type } from '../../platform/type.ts';
import { shownDecimal } from '../../rules/odds.ts';

/** Odds formats: American (`+150`, `−110`, the default) or decimal (`2.50`, `1.91`). */
export const oddsForms = ['american', 'decimal'] as const;
export type OddsForm = (typeof oddsForms)[number];

/** Parameter of pages, feeds, and cards. There is no cookie; a page's links keep it. */
export const oddsParam = Type.Optional(
  Type.Enum([...oddsForms], { description: 'Odds format. Default: american.' }),
);

export const oddsFormOf = (text: string | null): OddsForm => (text === 'decimal' ? 'decimal' : 'american');

let form: OddsForm = 'american';

/** Renderings are synchronous, so no other one runs meanwhile. This spares every function in between a parameter. */
export function inOddsForm<T>(wanted: OddsForm, render: () => T): T {
  const before = form;
  form = wanted;
  try {
    return render();
  } finally {
    form = before;
  }
}

export const presentOddsForm = (): OddsForm => form;

export function oddsText(american: number): string {
  return form === 'decimal' ? decimalText(american) : signed(american);
}

export function otherOddsText(american: number): string {
  return form === 'decimal' ? signed(american) : decimalText(american);
}

/** Formats a number with its sign and a true minus: `+150`, `−110`, `0`. */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value).replace('-', '−');
}

const decimalText = (american: number) => shownDecimal(american).toFixed(2);
