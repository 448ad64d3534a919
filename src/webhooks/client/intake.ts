import type { Socket } from 'node:net';
import { AttemptFault } from './attempt.ts';

/**
 * Bounds what comes in over a connection, since an HTTP parser counts neither chunk extensions nor trailers nor informational answers.
 * What goes beyond is not kept, and the connection is destroyed.
 * @param most bytes
 * @returns starts the count anew
 */
export function limitIntake(socket: Socket, most: number): () => void {
  let left = most;
  const push = socket.push.bind(socket);
  // Node.js hands every chunk that it has read and decrypted to this method; a listener would take it from the parser.
  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    left -= chunk?.length ?? 0;
    if (left >= 0) return push(chunk, encoding);
    socket.destroy(new AttemptFault('protocol'));
    return false;
  };
  return () => {
    left = most;
  };
}
