import { markets } from '../../rules/markets/index.ts';

/** The columns of the record export, version 1, as the page about it explains them: CSV name, JSON name, type, meaning. */
export const recordColumns: readonly (readonly [csv: string, json: string, type: string, meaning: string])[] =
  [
    ['id', 'id', 'integer', 'Number of the row; it never changes'],
    ['sport', 'sport', 'text', 'Sport key: lower case in CSV, upper case in JSON'],
    ['game', 'game', 'text', 'Away @ home'],
    ['market', 'market', 'text', `${markets.map(({ label }) => label).join(', ')} or another market`],
    ['pick', 'pick', 'text', 'The selection, in the words of the capper or operator who posted it'],
    ['odds_american', 'odds_american', 'integer', 'Price when posted'],
    [
      'closing_odds_american',
      'closing_odds',
      'integer',
      'Last price before the start; empty where there is none',
    ],
    ['clv_bps', 'clv_bps', 'integer', 'Closing line value in basis points; empty without a closing price'],
    ['stake_units', 'stake_units', 'number', 'Stake in units'],
    ['result', 'result', 'text', 'pending, win, loss, push or void'],
    ['posted_at', 'posted_at', 'instant', 'When the pick was posted and locked (ISO 8601, UTC)'],
    ['graded_at', 'graded_at', 'instant', 'When it settled; empty while it is pending'],
    ['permalink', 'permalink', 'address', 'Page of this row'],
    ['', 'source', 'text', 'Where the pick came from; JSON only'],
  ];
