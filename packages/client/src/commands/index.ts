import type { Command } from './command.ts';

interface ListedCommand {
  about: string;
  /** Arguments after the program's name. */
  examples: readonly string[];
  load(): Promise<Command>;
}

/** Every command of the package, by name. The service's command line has them too. */
export const commands: Readonly<Record<string, ListedCommand>> = {
  verify: {
    about: 'verifies a receipt, step by step',
    examples: ['verify https://picks.example/p/5f0c…', 'verify receipt.json --key key.txt'],
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
  monitor: {
    about:
      'follows a log from outside and reports forks, gaps, late picks, false figures, and missing entries',
    examples: ['monitor https://picks.example --every 300'],
    load: async () => (await import('./monitor.ts')).monitorCommand,
  },
  mirror: {
    about: 'copies a log to a folder, with all bodies, and verifies it; run it again to continue',
    examples: ['mirror https://picks.example --folder picks', 'mirror https://picks.example --offline'],
    load: async () => (await import('./mirror.ts')).mirrorCommand,
  },
  witness: {
    about: 'runs a witness (C2SP tlog-witness), which cosigns checkpoints of logs and refuses forks',
    examples: ['witness --log https://picks.example --port 4000'],
    load: async () => (await import('./witness.ts')).witnessCommand,
  },
  listen: {
    about: 'forwards events to a program on this machine, signed as webhooks',
    examples: ['listen https://picks.example --forward http://localhost:3000/hook'],
    load: async () => (await import('./listen.ts')).listenCommand,
  },
  'author-key': {
    about: "creates a key to sign picks with, and registers it with the operator's invitation",
    examples: ['author-key --file ada.key "https://picks.example/join#ada.<token>"'],
    load: async () => (await import('./author.ts')).authorKeyCommand,
  },
  post: {
    about: 'signs a pick with the key in a file and posts it',
    examples: ['post --file ada.key "Lakers -3.5 -110 2u"'],
    load: async () => (await import('./author.ts')).postCommand,
  },
};
