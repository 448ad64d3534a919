import { createHmac, randomBytes, scryptSync } from 'node:crypto';
import { readPasswords, roleOf } from '../../migrations/logins.ts';
import { type Login, logins } from '../../migrations/rights.ts';
import { postgresAddress } from '../platform/config/kinds.mjs';

/** The addresses of one database: under its owner, and under the login of each process. */
export interface DatabaseLogins {
  urls: Record<Login | 'owner', string>;
  /** For `migrate` to set. */
  passwords: Record<Login, string>;
}

export interface DatabaseLoginsOptions {
  ownerUrl: string;
  /** Where the processes find the database, such as a pooler; its user is ignored. Default: `ownerUrl`. */
  url?: string | undefined;
  /** `DATABASE_PASSWORDS`. */
  given?: string | undefined;
}

/**
 * The logins of a database. Passwords that are not given are derived from the owner's, so that they are the same at every start and
 * wherever else the service is started on this database. An owner without a password (trust, peer) gives them new ones at each start.
 */
export function databaseLogins(options: DatabaseLoginsOptions): DatabaseLogins {
  const { ownerUrl, url = ownerUrl, given } = options;
  const owner = new URL(postgresAddress(ownerUrl));
  const database = decodeURIComponent(owner.pathname.slice(1)) || decodeURIComponent(owner.username);
  const secret = decodeURIComponent(owner.password) || randomBytes(24);
  // scrypt: from a login's password the owner's, which a person may have chosen, is not to be guessed.
  const key = scryptSync(secret, `public-picks logins of ${database}`, 32);
  const passwords = Object.fromEntries(
    logins.map((login) => [login, createHmac('sha256', key).update(login).digest('base64url')]),
  ) as Record<Login, string>;
  Object.assign(passwords, readPasswords(given));
  const addresses = logins.map((login) => {
    const address = new URL(postgresAddress(url));
    address.username = encodeURIComponent(roleOf(database, login));
    address.password = encodeURIComponent(passwords[login]);
    return [login, address.href];
  });
  return { urls: { ...Object.fromEntries(addresses), owner: ownerUrl }, passwords };
}
