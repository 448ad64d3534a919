import { html } from '../html.ts';
import type { FixedPage } from '../page.ts';
import { fold, pageHead, section } from '../parts/section.ts';
import { workExample } from './example.ts';

const example = workExample();

/** Shell commands to follow the worked example. Each prints the hash next to it. */
export const exampleCommands: readonly { what: string; command: string; prints: string }[] = [
  {
    what: 'The hash of the pick: a format name, a zero byte, and the pick’s canonical JSON.',
    command: `(printf 'public-picks/pick/v1\\0'; printf '%s' '${example.body}') | sha256sum`,
    prints: example.pickHash,
  },
  {
    what: 'The leaf: a zero byte, then the entry that contains that hash.',
    command: `(printf '\\0'; printf '%s' '${example.entry}') | sha256sum`,
    prints: example.leaves[2]!,
  },
  {
    what: 'One level up: a byte 1, then two neighboring hashes. The right one is in the receipt.',
    command: `perl -e 'print pack("H*", "01${example.leaves[2]}${example.leaves[3]}")' | sha256sum`,
    prints: example.right,
  },
  {
    what: 'The root of this small log. The left half is in the receipt too.',
    command: `perl -e 'print pack("H*", "01${example.left}${example.right}")' | sha256sum`,
    prints: example.root,
  },
];

export const ledgerPage: FixedPage = {
  path: '/ledger',
  render: () => ({
    title: 'How the ledger is proven',
    about:
      'How anyone can check offline that a pick is in this ledger and was never changed, with a worked example.',
    under: '/ledger',
    body: html`${pageHead({
      eyebrow: 'Proof',
      title: 'How the ledger is proven',
      lead: 'Anyone can say “we never edit our picks”. Here you do not have to take our word for it: you can check it on your own machine.',
    })}${section({
      heading: 'What can be proven',
      id: 'claims',
      body: html`<dl class="claims">
<dt>A pick is in the ledger and never changed</dt>
<dd>You need the pick’s receipt and the log’s public key. The receipt is a small file. Keep it, and nobody can deny the pick later.</dd>
<dt>The pick was there before the game</dt>
<dd>You need a witness’s cosignature in the receipt. A witness is an independent party that saw the log and signed the time. Without one, you have only our word.</dd>
<dt>No pick was removed</dt>
<dd>You need the log. Every capper’s picks are numbered 1, 2, 3, and so on, in the order they were sealed. A missing number is a missing pick, and everyone can see it.</dd>
<dt>Everyone sees the same log</dt>
<dd>Compare checkpoints. Two checkpoints of one log must be consistent. Two that are not are proof of fraud, signed by us.</dd>
</dl>
<p>What cannot be proven: that a capper really placed the bet, or that a capper posts every pick here.</p>`,
    })}${section({
      heading: 'How it works',
      id: 'how',
      body: html`<ol class="prose">
<li><h3>A pick becomes a fingerprint</h3>
<p>Its fields are written in one fixed format (canonical JSON) and hashed with SHA-256. Change a single digit of the odds, and the hash changes.</p></li>
<li><h3>The fingerprint goes into the log</h3>
<p>The log is a list of entries that only grows. The pick’s closing odds and result become new entries, each with the hash of the one before.</p></li>
<li><h3>The log becomes one number</h3>
<p>The entries are hashed, then the hashes are hashed in pairs, and so on up to a single hash: the root of a Merkle tree. The root covers every entry. Change, remove, or swap any of them, and the root changes.</p></li>
<li><h3>The root is signed and published</h3>
<p>A <em>checkpoint</em> holds the number of entries and the root, signed with the log’s key. The <a href="/ledger/checkpoint">latest one</a> is always available. Once someone has a copy, we cannot take back anything it covers.</p></li>
<li><h3>A receipt connects the pick to the checkpoint</h3>
<p>It contains the pick, its entry, and the few neighboring hashes needed to compute the root: about twenty for a million entries.</p></li>
</ol>`,
    })}${section({
      heading: 'A worked example',
      id: 'example',
      body: html`<p>A made-up pick is entry 2 of a log with four entries. You can follow along with commands that most computers have.</p>
<figure class="tree">
<figcaption>The four entries and their hashes. A receipt for entry 2 contains the pick, its entry, and the two framed hashes.</figcaption>
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
  html`<ol class="prose">${exampleCommands.map(
    ({ what, command, prints }) => html`<li>
<p>${what}</p>
<pre class="command" tabindex="0"><code>${command}</code></pre>
<p class="note">prints <code>${prints}</code></p>
</li>
`,
  )}</ol>
<p>The checkpoint contains that root, and this is what gets signed:</p>
<pre tabindex="0"><code>${example.checkpoint}</code></pre>`,
)}`,
    })}${section({
      heading: 'Check it yourself',
      id: 'yourself',
      links: [{ path: '/verify', label: 'Verify a receipt' }],
      body: html`<dl class="claims">
<dt>One pick, in the browser</dt>
<dd><a href="/verify">Verify a receipt</a> and see each step pass or fail. Every pick’s page links to it.</dd>
<dt>One pick, on the command line</dt>
<dd><code>npm run verify -- receipt.json --key &lt;the log’s key&gt;</code>, in a checkout of this service’s source code. It works offline.</dd>
<dt>The whole log, for as long as you like</dt>
<dd><code>npm run monitor -- &lt;address of this site&gt;</code> follows the log, checks that it only grows, and reports forks and gaps.</dd>
<dt>With your own tools</dt>
<dd>The formats are public standards: trees from RFC 6962, canonical JSON from RFC 8785, and checkpoints, tiles, and cosignatures from the C2SP specifications. See <a href="/ledger/checkpoint">the checkpoint</a>, <a href="/ledger/key">the key</a>, and <code>/ledger/tile/…</code>.</dd>
</dl>
<p>Save the <a href="/ledger/key">log’s key</a> somewhere other than this site. A proof is only as good as the key you check it with.</p>`,
    })}`,
  }),
};

function short(hash: string): string {
  return `${hash.slice(0, 6)}…`;
}
