// Readers turn the text of a setting into its value.

import { parseWitnessList, type Witness } from '../../proof/witness.ts';

/** The message continues the setting's name and never contains the invalid text, which may be a secret. */
export class Unfit extends Error {}

/** @param isValid a further condition; default: none */
export function matching(pattern: RegExp, what: string, isValid: (text: string) => boolean = () => true) {
  return (text: string) => {
    if (!pattern.test(text) || !isValid(text)) throw new Unfit(`must be ${what}`);
    return text;
  };
}

export function anyText(text: string) {
  return text;
}

/** Minimum length of a token, so that it is hard to guess. */
const shortestToken = 16;

/**
 * A token, whose holder is named `operator`, or `<name>:<token>` pairs separated by commas. A token has neither colons nor commas, so
 * that a misspelled list is not taken for one token.
 */
export function operatorTokens(text: string): readonly { name: string; token: string }[] {
  if (!/[:,]/.test(text)) {
    if (text.length >= shortestToken) return [{ name: 'operator', token: text }];
    const count = `${text.length} character${text.length === 1 ? '' : 's'}`;
    throw new Unfit(`has ${count}; it needs at least ${shortestToken}`);
  }
  const operators = text.split(',').map((one) => {
    const [, name, token] = /^([a-z][a-z0-9-]{0,39}):([^:\s]+)$/.exec(one) ?? [];
    if (name === undefined || token === undefined)
      throw new Unfit(
        'must be one token without colons and commas, or <name>:<token> pairs separated by commas, with names of lowercase letters, digits, and hyphens',
      );
    if (token.length < shortestToken)
      throw new Unfit(`has a token that is too short: each needs at least ${shortestToken} characters`);
    return { name, token };
  });
  if (new Set(operators.map(({ name }) => name)).size < operators.length)
    throw new Unfit('must not name an operator twice');
  if (new Set(operators.map(({ token }) => token)).size < operators.length)
    throw new Unfit('must not give two operators the same token');
  return operators;
}

/** 32 bytes in base64, kept as text. */
export const key32 = matching(
  /^[A-Za-z0-9+/]{43}=$/,
  '32 bytes in base64, as `openssl rand -base64 32` prints them',
);

export function wholeNumber(least: number, greatest: number) {
  return (text: string) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > greatest)
      throw new Unfit(`must be a whole number from ${least} to ${greatest}`);
    return number;
  };
}

export function flag(text: string) {
  if (['1', 'true'].includes(text)) return true;
  if (['0', 'false'].includes(text)) return false;
  throw new Unfit('must be 0 or 1');
}

export function oneOf<Choice extends string>(choices: readonly Choice[]): (text: string) => Choice {
  return (text) => {
    const choice = choices.find((one) => one === text);
    if (choice === undefined) throw new Unfit(`must be one of ${choices.join(', ')}`);
    return choice;
  };
}

export const redisAddress = matching(/^rediss?:\/\//, 'a redis:// or rediss:// address');

/**
 * The address of a PostgreSQL. As in libpq, it may name several servers and which kind to use:
 * `postgres://user:password@one:5432,two:5432/picks?target_session_attrs=read-write`. The hosts become a
 * parameter `hosts`, so that the result is a URL.
 */
export function postgresAddress(text: string) {
  const [, before, hosts, after] = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/.exec(text) ?? [];
  if (before === undefined || hosts === undefined)
    throw new Unfit('must be a postgres:// or postgresql:// address');
  if (!hosts.includes(',')) return text;
  const [first] = hosts.split(',');
  const address = URL.parse(`${before}${first}${after}`);
  if (address === null || !/^[^,:]+(:\d+)?(,[^,:]+(:\d+)?)+$/.test(hosts))
    throw new Unfit('must name its hosts as one:5432,two:5432');
  address.searchParams.set('hosts', hosts);
  return address.href;
}

/** Nodes or sentinels of a Redis: `[[<user>]:<password>@]<host>:<port>`, separated by commas. */
export function redisNodes(
  text: string,
): readonly { host: string; port: number; username?: string; password?: string }[] {
  return text.split(',').map((one) => {
    const address = URL.parse(`redis://${one.trim()}`);
    if (!address?.hostname || address.port === '' || address.pathname !== '')
      throw new Unfit('must be <host>:<port>, separated by commas');
    const { hostname, port, username, password } = address;
    return {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port),
      ...(username !== '' && { username: decodeURIComponent(username) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
    };
  });
}

/** Sentinels of a Redis, and the name under which they know the primary: {@link redisNodes}, then `/<name>` unless it is `mymaster`. */
export function redisSentinels(text: string) {
  const [nodes = '', name = 'mymaster', ...rest] = text.split('/');
  if (!/^[\w.-]+$/.test(name) || rest.length > 0)
    throw new Unfit('must be <host>:<port>, separated by commas, and may end with /<name of the primary>');
  return { name, nodes: redisNodes(nodes) };
}

/** Pool sizes by process, such as `web:20,webhooks:10`. Other processes keep their defaults. */
export function poolSizes<Name extends string>(
  defaults: Readonly<Record<Name, number>>,
): (text: string) => Readonly<Record<Name, number>> {
  const names = Object.keys(defaults);
  return (text) => {
    const sizes = { ...defaults };
    for (const each of text.split(',').filter((one) => one !== '')) {
      const [, name = '', size] = /^([a-z]+):([1-9]\d{0,3})$/.exec(each) ?? [];
      if (!names.includes(name))
        throw new Unfit(`must be sizes such as web:20,webhooks:10, of ${names.join(', ')}`);
      Object.assign(sizes, { [name]: Number(size) });
    }
    return sizes;
  };
}

const httpAddress = matching(/^https?:\/\/\S+$/, 'an http:// or https:// address', URL.canParse);

export function webAddress(text: string) {
  return new URL(httpAddress(text));
}

/** {@link webAddress}es, separated by spaces. */
export function webAddresses(text: string) {
  return text === '' ? [] : text.split(/\s+/).map(webAddress);
}

/** `Name: value` */
export function headerLine(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([A-Za-z0-9-]{1,100}): *([\x21-\x7e][\x20-\x7e]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new Unfit('must be a header as Name: value, such as Authorization: Bearer abc');
  return [name, value];
}

/** The address of a site, kept as text: paths are appended to it. */
export const siteAddress = matching(
  /^https?:\/\/[^/?#\s]+$/,
  'an http:// or https:// address without a path or a trailing slash',
  URL.canParse,
);

const withoutQuery = matching(
  /^https?:\/\/[^?#\s]+$/,
  'an http:// or https:// address without a query',
  URL.canParse,
);

/** The address of an API, kept as text without a trailing slash: paths are appended to it. */
export function apiAddress(text: string) {
  return withoutQuery(text).replace(/\/+$/, '');
}

/** A help line as shown, and the number to dial, with letters mapped to digits as on a keypad. */
export function helpLine(text: string) {
  const [, phone] = /^(?:.*?\s)?(\+?[0-9][0-9A-Z() -]{1,24})$/.exec(text) ?? [];
  if (phone === undefined || text.length > 80)
    throw new Unfit(
      'must be a telephone number, or a name and a telephone number, such as GamCare 0808 8020 133',
    );
  const number = phone
    .replace(/[A-Z]/g, (letter) => keypad[letter.charCodeAt(0) - 65] ?? '')
    .replaceAll(' ', '-');
  return { name: text, number };
}

const keypad = '22233344455566677778889999';

/** Thresholds by check: `<check>:<degraded>,<down>`, separated by spaces. */
export function checkThresholds<Name extends string>(
  names: readonly Name[],
): (text: string) => Readonly<Partial<Record<Name, { degraded: number; down: number }>>> {
  return (text) => {
    const found: Partial<Record<Name, { degraded: number; down: number }>> = {};
    const unfit = (why: string) => new Unfit(`${why}. The checks are ${names.join(', ')}`);
    for (const entry of text.split(/\s+/).filter((one) => one !== '')) {
      const [given, limits = ''] = entry.split(':', 2);
      const name = names.find((one) => one === given);
      if (name === undefined) throw unfit(`${given} is not a check`);
      if (name in found) throw unfit(`${name} is named twice`);
      const [, degraded, down] = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/.exec(limits) ?? [];
      if (degraded === undefined || down === undefined)
        throw unfit(`${name} needs two numbers, such as ${name}:60,300`);
      if (Number(degraded) > Number(down))
        throw unfit(`${name} would be down before it is degraded: the smaller number comes first`);
      found[name] = { degraded: Number(degraded), down: Number(down) };
    }
    return found;
  };
}

/** A list whose items match a pattern. It is empty only if that is the setting's default: an empty variable counts as absent. */
export function listOf(separator: RegExp | string, item: RegExp, what: string, maxItems = Infinity) {
  return (text: string): readonly string[] => {
    const items = text === '' ? [] : text.split(separator);
    if (items.length > maxItems || !items.every((one) => item.test(one))) throw new Unfit(`must be ${what}`);
    return items;
  };
}

function isTimeZone(name: string) {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Orders of teams in calendar titles, by their spelling in the setting. */
const orders = { 'home-first': 'home first', 'away-first': 'away first' } as const;

/**
 * Calendars as `sport=address`, `sport@zone=address`, or `sport,away-first=address`, separated by spaces. Addresses stay text because
 * a feed's state is stored under their hash. `webcal:` means `https:`.
 * @returns zone: for times without one; order: of teams in titles such as `A vs B`
 */
export function calendars(text: string) {
  const entries = text === '' ? [] : text.split(/\s+/);
  return entries.map((entry) => {
    const [, sport, zone, given, address] =
      /^([a-z0-9][a-z0-9_-]{0,39})(?:@([A-Za-z][A-Za-z0-9_+/-]{0,49}))?(?:,(home-first|away-first))?=((?:https?|webcals?):\/\/\S+)$/.exec(
        entry,
      ) ?? [];
    const url = address?.replace(/^webcals?:/, 'https:');
    if (sport === undefined || url === undefined || !URL.canParse(url))
      throw new Unfit(
        'must be sport=address pairs separated by spaces, such as nfl=https://example.com/nfl.ics, nfl@America/New_York=webcal://example.com/nfl.ics or nfl,away-first=https://example.com/nfl.ics',
      );
    if (zone !== undefined && !isTimeZone(zone))
      throw new Unfit(`names the time zone ${zone}, which does not exist`);
    const order = given === undefined ? undefined : orders[given as keyof typeof orders];
    return { sport, url, ...(zone && { zone }), ...(order && { order }) };
  });
}

/**
 * Hosts as `host:port`, separated by commas: names, IPv4 addresses, or IPv6 addresses in brackets.
 * @returns `hostname:port` as URLs write the host name, without brackets and trailing dot
 */
export function allowedHosts(text: string): ReadonlySet<string> {
  const entries = text === '' ? [] : text.split(',');
  return new Set(
    entries.map((entry) => {
      const host = entry.trim();
      const url = URL.parse(`https://${host}`);
      if (url === null || !/^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):[1-9][0-9]{0,4}$/.test(host))
        throw new Unfit('must be host:port pairs separated by commas, such as localhost:4433,10.0.0.7:443');
      const { hostname, port } = url;
      return `${hostname.replace(/\.$/, '').replace(/^\[(.*)\]$/, '$1')}:${port === '' ? 443 : Number(port)}`;
    }),
  );
}

/** Witnesses as `<verifier key> <address>`, separated by commas. */
export function witnessList(text: string): readonly Witness[] {
  try {
    return parseWitnessList(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Unfit(error.message);
    throw error;
  }
}

/** The log's signer: a command, a Unix socket, or a web server on a loopback address. */
export function signerAddress(text: string) {
  if (text.startsWith('unix:') ? /^unix:\/[^\0]+$/.test(text) : !text.includes('://')) return text;
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' || !['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname))
    throw new Unfit('must be a command, unix:/path/of/a/socket, or an http:// address on a loopback host');
  return text;
}

export const fileOrPostgres = matching(
  /^postgres(ql)?:\/\/|^(?!.*:\/\/)/s,
  'the path of a file or a postgres:// address',
);

/** A folder, or a bucket with a prefix of its keys: `s3://<bucket>/<prefix>?region=<region>&endpoint=<address of the store>`. */
export function folderOrBucket(
  text: string,
): { folder: string } | { bucket: string; prefix: string; region: string; endpoint: string } {
  if (!text.includes('://')) return { folder: text };
  const unfit = new Unfit(
    'must be a folder, or s3://<bucket>/<prefix> of letters, digits, dots, hyphens, and underscores, optionally followed by ?region= and &endpoint=',
  );
  const [, bucket, prefix = '', query] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?(?:\?(.*))?$/.exec(text) ?? [];
  if (bucket === undefined) throw unfit;
  const { region = 'us-east-1', endpoint, ...others } = Object.fromEntries(new URLSearchParams(query));
  if (!/^[a-z0-9-]{1,40}$/.test(region) || Object.keys(others).length > 0) throw unfit;
  if (endpoint !== undefined && !/^https?:\/\/[^\s?#]+$/.test(endpoint)) throw unfit;
  return {
    bucket,
    prefix: prefix.slice(1),
    region,
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
  };
}

/**
 * The shown instant of a clock and the real instant at which it shows it (default: the start), both in epoch milliseconds.
 * Written `<instant>` or `<instant>@<real instant>`.
 */
export function clockSetting(text: string) {
  const [shown, anchor, ...rest] = text.split('@').map((part) => Date.parse(part));
  if (shown === undefined || Number.isNaN(shown) || Number.isNaN(anchor) || rest.length > 0)
    throw new Unfit('must be an ISO 8601 instant such as 2026-01-10T17:00:00Z, or two with @ between them');
  return { shown, anchor };
}
