import type { Static } from 'typebox';
import { checker } from '../../../platform/schema.ts';
import { Type } from '../../../platform/type.ts';

// Requests and responses between the service and a signer, one JSON object each (docs/signer.md).

export const maxMessageBytes = 65_536;

export const maxExchangeBytes = 131_072;

const base64 = (bytes: number) =>
  Type.String({
    pattern: '^[A-Za-z0-9+/]*={0,2}$',
    minLength: Math.ceil(bytes / 3) * 4,
    maxLength: Math.ceil(bytes / 3) * 4,
    must: `${bytes} bytes in base64`,
  });

const request = Type.Union([
  Type.Object({ request: Type.Literal('public-key') }, { additionalProperties: false }),
  Type.Object(
    {
      request: Type.Literal('sign'),
      message: Type.String({
        pattern: '^[A-Za-z0-9+/]+={0,2}$',
        maxLength: Math.ceil(maxMessageBytes / 3) * 4,
        must: `up to ${maxMessageBytes} bytes in base64`,
      }),
    },
    { additionalProperties: false },
  ),
]);
export type SignerRequest = Static<typeof request>;
export const checkRequest = checker(request);

/** Signers can add further fields. */
const publicKey = Type.Object({ publicKey: base64(32) });
const signature = Type.Object({ signature: base64(64) });
const failure = Type.Object({ error: Type.String({ maxLength: 1000 }) });
export type SignerResponse = Static<typeof publicKey> | Static<typeof signature> | Static<typeof failure>;
export const checkPublicKey = checker(publicKey);
export const checkSignature = checker(signature);
export const checkFailure = checker(failure);
