import type { Board } from './board.ts';
import { settledFeed } from './feeds/settled.ts';

/** Every board, in the order of the interface's tables. Where paths overlap, the more literal one stands first. */
export const boards = [settledFeed] as unknown as readonly Board[];
