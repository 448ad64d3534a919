/** Currencies by sign. */
export const signs: Readonly<Record<string, string>> = {
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  A$: 'AUD',
  C$: 'CAD',
  CA$: 'CAD',
  R$: 'BRL',
  NZ$: 'NZD',
  US$: 'USD',
  HK$: 'HKD',
  S$: 'SGD',
  MX$: 'MXN',
};

const codes =
  'usdt?|eur|gbp|cad|aud|nzd|sek|nok|dkk|chf|jpy|pln|brl|inr|mxn|czk|huf|ron|zar|ars|clp|cop|pen|m?btc|eth';
const codeBehind = new RegExp(`(?:^|[\\d\\s.,])(${codes}|kr|zł)\\b`, 'iu');
const currencies = new RegExp(`(?:\\b(?:a|ca?|r|nz|us|hk|s|mx))?\\p{Sc}|\\s|${codes}|kr\\.?|zł`, 'giu');
const headedBy = new RegExp(`^(.{3,}?)[\\s_(-]*(\\p{Sc}|${codes})\\)?$`, 'iu');

export function currencyOf(cell: string): string | undefined {
  const sign = /(?<!\p{L})\p{L}{0,2}\p{Sc}/u.exec(cell)?.[0].toUpperCase();
  if (sign !== undefined) return signs[sign] ?? sign;
  return codeBehind.exec(cell)?.[1]?.toUpperCase();
}

/** Reports whether stakes are in money: any has a currency, or most are 10 or more. */
export function isMoney(cells: readonly string[]): boolean {
  if (cells.some((cell) => currencyOf(cell) !== undefined)) return true;
  const amounts = cells.map(amountOf).filter((amount) => amount !== undefined);
  return amounts.filter((amount) => amount >= 10).length > amounts.length / 2;
}

export const inUnits =
  /(?<=\d\s*)(?:u(?:nits?)?\.?|p(?:oin)?ts?\.?|unidad(?:es)?|unit[aàée]s?|einheit(?:en)?|eenhe(?:id|den)|enhet(?:er)?)$/iu;

/** A stake on the scale of tipsters: `2/10`. */
export const outOfTen = /^\s*(\d{1,2}(?:[.,]\d{1,2})?)\s*\/\s*10\s*$/;

/** Reads an amount, with or without a currency. */
export function amountOf(cell: string): number | undefined {
  const [, points] = outOfTen.exec(cell) ?? [];
  if (points !== undefined) return amountOf(points);
  const text = cell
    .trim()
    .replaceAll('½', '.5')
    .replace(inUnits, '')
    .replace(/^(?=\.\d)/, '0')
    .replace(currencies, '');
  const plainText = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)
    ? text.replaceAll(',', '')
    : /^\d{1,3}(?:\.\d{3})+,\d+$/.test(text)
      ? text.replaceAll('.', '').replace(',', '.')
      : text.replace(',', '.');
  return /^\d{1,9}(?:\.\d{1,6})?$/.test(plainText) ? Number(plainText) : undefined;
}

/** Reads an amount with a sign, or in parentheses, which mean minus. */
export function signedAmountOf(cell: string): number | undefined {
  const text = cell
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/^\((.*)\)$/, '-$1')
    .replace(/\s/g, '');
  const isMinus = /^\p{Sc}?-/u.test(text);
  const amount = amountOf(text.replace(/[+-]/, ''));
  return amount === undefined ? undefined : isMinus ? -amount : amount;
}

/** Normalizes a header that ends with a currency: `Stake_GBP`, `Profit/Loss (£)`. */
export function withoutCurrency(header: string): { text: string; currency?: string } {
  const [, text, currency] = headedBy.exec(header) ?? [];
  return text === undefined || currency === undefined
    ? { text: header }
    : { text, currency: currency.toUpperCase() };
}

/** Returns the currency that the header of a column of amounts names. */
export function currencyIn(header: string): string {
  const { currency = '' } = withoutCurrency(header);
  return signs[currency] ?? currency;
}
