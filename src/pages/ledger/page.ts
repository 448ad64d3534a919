import { lifetimes } from '../../cache/lifetimes.ts';
import { html } from '../html.ts';
import type { FixedPage } from '../page.ts';
import { fold, pageHead, section } from '../parts/section.ts';
import { workExample } from './example.ts';

const example = workExample();

/** Shell commands with which anyone can follow the worked example; each prints the hash that stands beside it. */
export const exampleCommands: readonly { what: string; command: string; prints: string }[] = [
  {
    what: 'The hash of the pick: its name, a zero byte, its canonical JSON.',
    command: `(printf 'public-picks/pick/v1\\0'; printf '%s' '${example.body}') | sha256sum`,
    prints: example.pickHash,
  },
  {
    what: 'The leaf: a zero byte, then the entry that names that hash.',
    command: `(printf '\\0'; printf '%s' '${example.entry}') | sha256sum`,
    prints: example.leaves[2]!,
  },
  {
    what: 'One level up: a byte 1, then two neighbours. The right one is in the receipt.',
    command: `perl -e 'print pack("H*", "01${example.leaves[2]}${example.leaves[3]}")' | sha256sum`,
    prints: example.right,
  },
  {
    what: 'The root of this small log. The left half is in the receipt too.',
    command: `perl -e 'print pack("H*", "01${example.left}${example.right}")' | sha256sum`,
    prints: example.root,
  },
];

/** `/ledger`: how the ledger is proven, in plain words, with a worked example. */
export const ledgerPage: FixedPage = {
  path: '/ledger',
  lifetime: lifetimes.release,
  render: () => ({
    title: 'How the ledger is proven',
    about:
      'How anyone can check, offline, that a pick stood in this ledger and was never changed, with a worked example.',
    path: '/ledger',
    under: '/ledger',
    body: html`${pageHead({
      eyebrow: 'Proof',
      title: 'How the ledger is proven',
      lead: 'Anyone can say “we never edit our picks”. Here you need not believe it: you can check it, on your own machine, without asking us.',
    })}${section({
      heading: 'What can be proven',
      id: 'claims',
      body: html`<dl class="claims">
<dt>A pick stood in the ledger, and never changed</dt>
<dd>With the pick’s receipt and the log’s public key. The receipt is a small file; keep it, and nobody can deny the pick later.</dd>
<dt>It was there before the game</dt>
<dd>With a witness’s cosignature in the receipt. A witness is another party that saw the log and signed the time. Without one, we only say so ourselves.</dd>
<dt>None of a capper’s picks was taken out</dt>
<dd>With the log. Every capper’s picks are numbered 1, 2, 3 and so on, in the order they were sealed. A missing number is a missing pick, for everyone to see.</dd>
<dt>Everyone is shown the same log</dt>
<dd>By comparing checkpoints. Two checkpoints of one log must fit together; two that do not are proof of fraud, signed by us.</dd>
</dl>
<p>What cannot be proven: that a capper really placed the bet, or that there are no picks that were never posted here.</p>`,
    })}${section({
      heading: 'How it works',
      id: 'how',
      body: html`<ol class="story">
<li><h3>A pick becomes a fingerprint</h3>
<p>Its fields are written down in one fixed way (canonical JSON) and hashed with SHA-256. Change a single digit of the odds, and the hash is a different one.</p></li>
<li><h3>The fingerprint goes into the log</h3>
<p>The log is a list of entries that only grows. What happens to a pick later, its closing price and its result, becomes a further entry that names the hash of the one before.</p></li>
<li><h3>The log becomes one number</h3>
<p>The entries are hashed, then the hashes in pairs, then those in pairs, up to a single hash: the root of a Merkle tree. It stands for every entry. Change, remove or swap any of them, and the root is another.</p></li>
<li><h3>The root is signed and published</h3>
<p>A <em>checkpoint</em> holds the number of entries and the root, signed with the log’s key. The <a href="/ledger/checkpoint">newest one</a> is always here; once someone has a copy, we cannot go back behind it.</p></li>
<li><h3>A receipt leads from the pick to the checkpoint</h3>
<p>It holds the pick, its entry, and the few neighbouring hashes that are needed to compute the root: about twenty for a million entries.</p></li>
</ol>`,
    })}${section({
      heading: 'A worked example',
      id: 'example',
      body: html`<p>A made-up pick is entry 2 of a log with four entries. You can follow it with commands that most computers have.</p>
<figure class="tree">
<figcaption>The four entries and what is hashed of them. In a receipt for entry 2 are the pick, its entry, and the two hashes that are framed.</figcaption>
<ul>
<li><span class="node">root <code>${short(example.root)}</code></span>
<ul>
<li><span class="node given">left <code>${short(example.left)}</code></span>
<ul><li><span class="node">leaf 0 <code>${short(example.leaves[0]!)}</code></span></li><li><span class="node">leaf 1 <code>${short(example.leaves[1]!)}</code></span></li></ul></li>
<li><span class="node">right <code>${short(example.right)}</code></span>
<ul><li><span class="node own">leaf 2, the pick <code>${short(example.leaves[2]!)}</code></span></li><li><span class="node given">leaf 3 <code>${short(example.leaves[3]!)}</code></span></li></ul></li>
</ul></li>
</ul>
</figure>
${fold(
  'Every step, with its command',
  html`<ol class="worked">${exampleCommands.map(
    ({ what, command, prints }) => html`<li>
<p>${what}</p>
<pre class="command" tabindex="0"><code>${command}</code></pre>
<p class="prints">prints <code>${prints}</code></p>
</li>
`,
  )}</ol>
<p>That root is what the checkpoint says, and what is signed:</p>
<pre tabindex="0"><code>${example.checkpoint}</code></pre>`,
)}`,
    })}${section({
      heading: 'Check it yourself',
      id: 'yourself',
      links: [{ path: '/verify', label: 'Verify a receipt' }],
      body: html`<dl class="claims">
<dt>One pick, in the browser</dt>
<dd><a href="/verify">Verify a receipt</a>: each step is shown as it succeeds or fails. Every pick’s page links to it.</dd>
<dt>One pick, on the command line</dt>
<dd><code>npm run verify -- receipt.json --key &lt;the log’s key&gt;</code>, with the source of this service and without a connection.</dd>
<dt>The whole log, for as long as you like</dt>
<dd><code>npm run monitor -- &lt;address of this site&gt;</code> follows the log, checks that it only grows, and reports forks and gaps.</dd>
<dt>With tools of your own</dt>
<dd>The formats are public: trees as in RFC 6962, canonical JSON as in RFC 8785, checkpoints, tiles and cosignatures as the C2SP specifications say. See <a href="/ledger/checkpoint">the checkpoint</a>, <a href="/ledger/key">the key</a>, and <code>/ledger/tile/…</code>.</dd>
</dl>
<p>Note the <a href="/ledger/key">log’s key</a> today, somewhere that is not this site. A proof is worth as much as the key it is checked with.</p>`,
    })}`,
  }),
};

function short(hash: string): string {
  return `${hash.slice(0, 8)}…`;
}
