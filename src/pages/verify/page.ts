import { type Html, html } from '../html.ts';
import type { FixedPage } from '../page.ts';
import { pageHead, section } from '../parts/section.ts';

export const verifyScriptPath = '/assets/verify.js';

/** `/verify`: drop a receipt and see each step of its proof pass or fail, in the browser. */
export const verifyPage: FixedPage = {
  path: '/verify',
  render: () => ({
    title: 'Verify a receipt',
    about: 'Check in your own browser that a pick is in the signed ledger and was never changed.',
    under: '/ledger',
    head: html`<script type="module" src="${verifyScriptPath}"></script>
`,
    body: verifyBody(
      html`<a href="/ledger">How the proof works</a> · <a href="/verify.html" download>Save this page as one file</a>`,
    ),
  }),
};

/** @param eyebrow the line above the title */
export function verifyBody(eyebrow: Html): Html {
  return html`${pageHead({
    eyebrow,
    title: 'Verify a receipt',
    lead: 'A receipt proves that a pick is in the signed log and was never changed. Your browser checks it step by step and sends it nowhere.',
  })}${section({
    heading: 'Receipt',
    id: 'receipt',
    note: 'Download one from any pick’s page. It never expires.',
    body: html`<noscript><p class="empty">This page needs JavaScript. You can also run <code>npx public-picks verify &lt;file or URL&gt;</code> with the package for clients.</p></noscript>
<form id="verify" class="verify" novalidate>
<div class="field">
<label for="pick">Pick</label>
<input id="pick" name="pick" type="text" autocomplete="off" spellcheck="false" aria-describedby="pick-hint">
<p class="hint" id="pick-hint">The pick’s ID or the address of its page.</p>
</div>
<div class="field" id="drop">
<label for="file">Or a receipt file</label>
<input id="file" name="file" type="file" accept=".json,application/json">
<p class="hint">You can drop it anywhere on this page.</p>
</div>
<details class="field">
<summary>Or paste a receipt</summary>
<label for="text">Receipt, as JSON</label>
<textarea id="text" name="text" rows="6" spellcheck="false"></textarea>
</details>
<div class="field">
<label for="key">Public key of the log</label>
<textarea id="key" name="key" rows="3" spellcheck="false" aria-describedby="key-hint"></textarea>
<p class="hint" id="key-hint">This is the key that this site publishes. A proof is only as good as its key: to be sure, use a copy you saved earlier or got elsewhere.</p>
</div>
<details class="field">
<summary>Also require witnesses</summary>
<label for="witnesses">Keys of witnesses you trust, one per line</label>
<textarea id="witnesses" name="witnesses" rows="2" spellcheck="false"></textarea>
<label for="quorum">Minimum number of cosignatures</label>
<input id="quorum" name="quorum" type="number" min="1" max="99" aria-describedby="quorum-hint">
<p class="hint" id="quorum-hint">Leave empty to require all of them.</p>
<label class="check"><input type="checkbox" name="beforeStart"> Require cosignatures from before the start of the game</label>
</details>
<button type="submit">Verify</button>
</form>`,
  })}${section({
    heading: 'Result',
    id: 'verdict',
    note: 'Steps run from the pick up to the signatures. A failed step shows where the receipt and the log disagree.',
    body: html`<div id="result" class="result" aria-live="polite"><p class="empty">No receipt checked yet.</p></div>`,
  })}`;
}
