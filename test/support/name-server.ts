import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';

/** A name server's answer for a name: its addresses, an error code of RFC 1035, section 4.1.1, or nothing at all. */
export type Zone = (name: string) => readonly string[] | 'not found' | 'failure' | 'silence';

const codes = { failure: 2, 'not found': 3 };
const types: Record<number, number> = { 4: 1, 6: 28 };

export interface NameServer {
  /** `address:port`. */
  server: string;
  /** Every queried name. */
  asked: string[];
  close(): Promise<void>;
}

/**
 * Starts a DNS server on loopback that answers over UDP from a zone.
 * @param at its address; default: a free port of 127.0.0.1
 */
export async function startNameServer(
  zone: Zone,
  at = { address: '127.0.0.1', port: 0 },
): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    asked.push(name);
    const says = zone(name);
    if (says === 'silence') return;
    const found = typeof says === 'string' ? [] : says.filter((each) => types[isIP(each)] === type);
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (typeof says === 'string' ? codes[says] : 0), 2);
    header.writeUInt16BE(found.length, 6);
    header.fill(0, 8, 12);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...found.map(record)]), port, address);
  });
  await new Promise<void>((bound, failed) => {
    socket.once('error', failed);
    socket.bind(at.port, at.address, bound);
  });
  return {
    server: `${at.address}:${socket.address().port}`,
    asked,
    close: () => new Promise((closed) => socket.close(closed)),
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Returns an answer for the queried name, valid for a minute. */
function record(address: string): Buffer {
  const data = bytesOf(address);
  const head = Buffer.alloc(12);
  // A pointer to the question's name (section 4.1.4).
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(types[isIP(address)] as number, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** @param address IPv6 with at most one `::` and no dots */
function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [left = [], right = []] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  const bytes = Buffer.alloc(16);
  [...left, ...zeros, ...right].forEach((group, index) => {
    bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  });
  return bytes;
}
