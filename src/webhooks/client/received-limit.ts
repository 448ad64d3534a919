import type { Socket } from 'node:net';
import { AttemptFault } from './attempt.ts';

/**
 * Limits the bytes received on a connection: an HTTP parser counts neither chunk extensions nor trailers nor informational
 * responses. A connection that exceeds the limit is destroyed.
 * @returns a function that resets the count
 */
export function limitReceived(socket: Socket, maxBytes: number): () => void {
  let left = maxBytes;
  const push = socket.push.bind(socket);
  // Node.js hands every chunk that it has read and decrypted to this method; a listener would take it from the parser.
  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    left -= chunk?.length ?? 0;
    if (left >= 0) return push(chunk, encoding);
    socket.destroy(new AttemptFault('protocol'));
    return false;
  };
  return () => {
    left = maxBytes;
  };
}
