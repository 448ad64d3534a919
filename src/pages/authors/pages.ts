import { html } from '../html.ts';
import type { FixedPage } from '../page.ts';
import { pageHead, section } from '../parts/section.ts';

export const authorScripts = { join: '/assets/join.js', post: '/assets/post.js' } as const;

const needsScript = html`<noscript><p class="empty">This page needs JavaScript: your browser signs with a key that never leaves it.</p></noscript>`;

/** `/join`: creates a device's key. An invitation's token is in the fragment, which no server receives. */
const joinPage: FixedPage = {
  path: '/join',
  render: () => ({
    title: 'Sign your picks',
    about:
      'Make a key in your browser with which you sign your picks, so that nobody else can post in your name.',
    head: html`<script type="module" src="${authorScripts.join}"></script>
`,
    body: html`${pageHead({
      eyebrow: 'For cappers',
      title: 'Sign your picks',
      lead: 'Your browser makes a key that cannot leave it. With it you sign your picks, and nobody else can post in your name.',
    })}${section({
      heading: 'Your key',
      id: 'key',
      body: html`${needsScript}
<p id="trouble" class="verdict bad" role="alert" hidden></p>
<div id="invited" hidden>
<p>You are invited to sign picks as <strong data-capper></strong>. The invitation works once.</p>
<p><button type="button" id="make">Make my key</button></p>
</div>
<div id="made" hidden>
<p>This is your <strong>recovery key</strong>. It is shown only now. Keep it where you keep passwords: it adds your next device, and revokes a lost one.</p>
<p><output id="recovery" class="code"></output></p>
<p class="actions"><button type="button" id="copy">Copy</button> <a id="download" download="public-picks-recovery-key.txt" href="/join">Download</a></p>
<p id="kept" class="quiet"></p>
<p><button type="button" id="register" disabled>I have kept it: register</button></p>
</div>
<div id="second" hidden>
<p>To start, open the link of your invitation on this device. If you sign on another device already, add this one with your recovery key.</p>
<form id="recover" novalidate>
<div class="field"><label for="code">Recovery key</label>
<input id="code" name="code" type="text" autocomplete="off" autocapitalize="off" spellcheck="false"></div>
<p><button type="submit">Add this device</button></p>
</form>
</div>
<div id="done" hidden>
<p id="summary"></p>
<p>Compare the fingerprint with the one on <a id="page" href="/cappers">your page</a>.</p>
<p id="lasting" class="quiet"></p>
<p><a class="button" id="next" href="/post">Post a pick</a></p>
<details class="field"><summary>Your keys</summary>
<p class="hint">Revoke the key of a device that you lost. That cannot be undone.</p>
<div id="keys" class="choices"></div>
</details>
<details class="field"><summary>What your page says about you</summary>
<form id="profile" novalidate>
<div class="field"><label for="name">Name</label>
<input id="name" name="name" type="text" maxlength="60" autocomplete="off"></div>
<div class="field"><label for="link">Link</label>
<input id="link" name="link" type="url" maxlength="200" autocomplete="off" placeholder="https://"></div>
<div class="field"><label for="about">About you</label>
<textarea id="about" name="about" rows="3" maxlength="280"></textarea></div>
<p class="actions"><button type="submit">Sign and save</button> <span id="saved" role="status"></span></p>
</form>
</details>
</div>`,
    })}`,
  }),
};

/** `/post`: posts a pick signed by the browser. */
const postPage: FixedPage = {
  path: '/post',
  render: () => ({
    title: 'Post a pick',
    about: 'Post a pick that your browser signs with your own key.',
    head: html`<script type="module" src="${authorScripts.post}"></script>
`,
    body: html`${pageHead({
      eyebrow: 'For cappers',
      title: 'Post a pick',
      lead: html`<span id="signer">Your browser signs it with your own key.</span>`,
    })}${section({
      heading: 'The pick',
      id: 'pick',
      body: html`${needsScript}
<p id="trouble" class="verdict bad" role="alert" hidden></p>
<div id="choose" hidden>
<form id="line" class="field" novalidate>
<label for="text">One line, or the name of a team</label>
<input id="text" name="text" type="search" maxlength="300" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="Lakers -3.5 -110 2u" aria-describedby="line-hint">
<p class="hint" id="line-hint">A name filters the games. Press Read for a whole bet.</p>
<p class="actions"><button type="submit" class="second">Read</button></p>
</form>
<div id="choices" class="choices"></div>
<div id="games" class="choices"></div>
</div>
<form id="bet" hidden novalidate>
<p><strong id="what"></strong><br><span id="where" class="quiet"></span></p>
<div class="field" id="line-field"><label for="line-value">Line</label>
<input id="line-value" type="text" inputmode="text" autocomplete="off"></div>
<div class="field"><label for="odds">Odds, American or decimal</label>
<input id="odds" type="text" inputmode="text" autocomplete="off"><p class="hint" id="price-hint"></p></div>
<div class="field"><label for="stake">Stake in units</label>
<input id="stake" type="text" inputmode="decimal" autocomplete="off" value="1"></div>
<div id="unread" class="problem" role="status" hidden></div>
<dl class="facts" id="signed"></dl>
<p id="counts" role="status"></p>
<p class="actions"><button type="submit" id="send">Sign and post</button> <button type="button" id="back" class="second">Another bet</button></p>
</form>
<div id="posted" hidden>
<p id="result"></p>
<p><a class="button" id="view" href="/">See the pick</a></p>
<p><button type="button" id="again" class="second">Post another one</button></p>
</div>`,
    })}`,
  }),
};

export const authorPages: readonly FixedPage[] = [joinPage, postPage];
