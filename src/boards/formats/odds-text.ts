import { Type } from '../../platform/type.ts';
import { shownDecimal } from '../../rules/odds.ts';

/** How a reader wants prices written: American (`+150`, `−110`, the default) or decimal (`2.50`, `1.91`). */
export const oddsForms = ['american', 'decimal'] as const;
export type OddsForm = (typeof oddsForms)[number];

/** The parameter of pages, feeds and cards. There is no cookie: links of a page keep it. */
export const oddsParam = Type.Optional(
  Type.Enum([...oddsForms], { description: 'Odds format. Default: american.' }),
);

/** The form that a query asks for; of anything else the default. */
export const oddsFormOf = (text: string | null): OddsForm => (text === 'decimal' ? 'decimal' : 'american');

let form: OddsForm = 'american';

/**
 * Runs a rendering in which {@link oddsText} writes prices in a form. Renderings are synchronous, so that no other one runs meanwhile; that
 * spares every function in between a parameter.
 */
export function inOddsForm<T>(wanted: OddsForm, render: () => T): T {
  const before = form;
  form = wanted;
  try {
    return render();
  } finally {
    form = before;
  }
}

/** The form of the rendering that is under way. */
export const presentOddsForm = (): OddsForm => form;

/** A price in the present form. The one place that writes prices. */
export function oddsText(american: number): string {
  return form === 'decimal' ? decimalText(american) : signed(american);
}

/** A price in the other form, where both are shown. */
export function otherOddsText(american: number): string {
  return form === 'decimal' ? signed(american) : decimalText(american);
}

/** A number with its sign and a true minus: `+150`, `−110`, `0`. */
export function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value).replace('-', '−');
}

const decimalText = (american: number) => shownDecimal(american).toFixed(2);
