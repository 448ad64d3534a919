import { Type } from 'typebox';

const instant = (description: string) => Type.String({ format: 'date-time', description });

/** The object `pick` of both events (interface, section 2.1). */
export const payloadPick = Type.Object({
  pickUuid: Type.String({ format: 'uuid', description: 'The pick; both of its events have it.' }),
  capperHandle: Type.String({ description: 'Who posted it.' }),
  capperTier: Type.Union([Type.Literal('elite'), Type.Literal('verified_sharp'), Type.Literal('listed')], {
    description: "The capper's tier when it was posted.",
  }),
  sport: Type.String({ description: 'Sport key, such as nfl.' }),
  game: Type.String({ description: 'Away team @ home team.' }),
  market: Type.String({ description: 'Such as moneyline, spread or total.' }),
  pick: Type.String({ description: 'The selection, in words.' }),
  oddsAmerican: Type.Integer({ description: 'American odds.' }),
  oddsDecimal: Type.Number({ description: 'The same price in decimal odds, 4 decimals.' }),
  stakeUnits: Type.Number({ description: 'The stake in units.' }),
  postedAt: instant('When it was posted, UTC.'),
  verifyUrl: Type.String({ format: 'uri', description: 'Its permalink.' }),
});

/** The object `settlement` of `pick.settled` (interface, section 2.2). */
export const payloadSettlement = Type.Object({
  result: Type.Union(
    [Type.Literal('win'), Type.Literal('loss'), Type.Literal('push'), Type.Literal('void')],
    { description: 'How it graded.' },
  ),
  settledAt: instant('When it settled, UTC.'),
  closingOddsAmerican: Type.Union([Type.Integer(), Type.Null()], {
    description: 'American odds at the close; null where no price was known then.',
  }),
});

const envelope = <Event extends string>(event: Event) => ({
  event: Type.Literal(event, { description: 'The same as the header X-Service-Event.' }),
  webhook_id: Type.String({ description: "The subscription's id." }),
  delivered_at: instant('When this attempt was made, UTC.'),
});

/** The bodies of deliveries, by event: the source of what `/openapi.json` and the page about webhooks say of them. */
export const payloadSchemas = {
  'pick.posted': Type.Object({ ...envelope('pick.posted'), pick: payloadPick }),
  'pick.settled': Type.Object({
    ...envelope('pick.settled'),
    pick: payloadPick,
    settlement: payloadSettlement,
  }),
  ping: Type.Object(envelope('ping')),
};
