import { lifetimes } from '../../cache/lifetimes.ts';
import { html } from '../html.ts';
import type { FixedPage } from '../page.ts';
import { pageHead, section } from '../parts/section.ts';

/** Where the page's script is. */
export const verifyScriptPath = '/assets/verify.js';

/** `/verify`: drop a receipt, see each step of its proof succeed or fail. All of it happens in the browser. */
export const verifyPage: FixedPage = {
  path: '/verify',
  lifetime: lifetimes.release,
  render: () => ({
    title: 'Verify a receipt',
    about: 'Check in your own browser that a pick stood in the signed ledger and was never changed.',
    path: '/verify',
    under: '/ledger',
    head: html`<script type="module" src="${verifyScriptPath}"></script>
`,
    body: html`${pageHead({
      eyebrow: html`<a href="/ledger">How the proof works</a>`,
      title: 'Verify a receipt',
      lead: 'A receipt proves that a pick stood in the signed log and was never changed. Your browser checks it here, step by step; the receipt is not sent anywhere.',
    })}${section({
      heading: 'Receipt',
      id: 'receipt',
      note: 'Every pick’s page offers one. It proves each event against the first checkpoint that covered it, so it stays valid for ever.',
      body: html`<noscript><p class="empty">This page needs JavaScript to do the checking. On the command line it is <code>npm run verify -- &lt;file or address&gt;</code>, with the source of this service.</p></noscript>
<form id="verify" class="verify" novalidate>
<div class="field">
<label for="pick">Pick</label>
<input id="pick" name="pick" type="text" autocomplete="off" spellcheck="false" aria-describedby="pick-hint">
<p class="hint" id="pick-hint">Its id, or the address of its page.</p>
</div>
<div class="field" id="drop">
<label for="file">Or a receipt in a file</label>
<input id="file" name="file" type="file" accept=".json,application/json">
<p class="hint">You can drop it anywhere on this page.</p>
</div>
<details class="field">
<summary>Or paste it</summary>
<label for="text">Receipt, as JSON</label>
<textarea id="text" name="text" rows="6" spellcheck="false"></textarea>
</details>
<div class="field">
<label for="key">Public key of the log</label>
<textarea id="key" name="key" rows="2" spellcheck="false" aria-describedby="key-hint"></textarea>
<p class="hint" id="key-hint">Filled in with the key that this site shows. A proof is worth as much as the key: to be sure, put in one that you have from elsewhere, or noted earlier.</p>
</div>
<details class="field">
<summary>Ask for witnesses too</summary>
<label for="witnesses">Keys of witnesses that you trust, one a line</label>
<textarea id="witnesses" name="witnesses" rows="2" spellcheck="false"></textarea>
<label for="quorum">How many of them must have cosigned</label>
<input id="quorum" name="quorum" type="number" min="1" max="99" aria-describedby="quorum-hint">
<p class="hint" id="quorum-hint">All of them, where this is left empty.</p>
<label class="check"><input type="checkbox" name="beforeStart"> Before the game's start</label>
</details>
<button type="submit">Verify</button>
</form>`,
    })}${section({
      heading: 'Result',
      id: 'verdict',
      note: 'From what happened up to who signed for it. A step that fails is where the receipt and the log part.',
      body: html`<div id="result" class="result" aria-live="polite"><p class="empty">Nothing checked yet.</p></div>`,
    })}`,
  }),
};
