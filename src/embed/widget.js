// A capper's record as a custom element, for any site. Plain JavaScript, served unchanged except for the settings inserted at its end. It
// sets no cookies, stores nothing, loads only figures, and never parses HTML: all text is set as text.
((settings) => {
  const script = document.currentScript;
  const origin = script?.src ? new URL(script.src).origin : settings.origin;
  const tag = 'public-picks-capper';
  const refreshMs = 300_000;
  const timeoutMs = 10_000;
  const staleMinutes = 15;
  // Decided picks below which a hit rate says little.
  const minSample = 30;
  // Settled live picks above which only live ones are shown.
  const enoughLive = 20;

  const css = `
:host { all: initial !important; display: block !important; direction: ltr !important; }
:host([hidden]) { display: none !important; }
.card {
  --paper: #faf8f2; --sheet: #fffefb; --ink: #1d2421; --quiet: #5c6660; --rule: #d9d4c5; --accent: #0f5c43;
  --win: #0f6b45; --loss: #a13428; --open: #805600;
  container-type: inline-size; contain-intrinsic-inline-size: 280px; box-sizing: border-box; max-width: 440px; padding: 16px 18px 12px;
  color: var(--ink); background: var(--paper); border: 1px solid var(--rule); border-top: 4px double var(--ink);
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; font-variant-numeric: tabular-nums;
  text-align: start; overflow-wrap: anywhere;
}
@media (prefers-color-scheme: dark) {
  :host(:not([theme="light"])) .card {
    --paper: #121715; --sheet: #1a211e; --ink: #e6e9e4; --quiet: #9aa69f; --rule: #35403b; --accent: #7fd1ae;
    --win: #77d3a4; --loss: #f09a8d; --open: #e2b659;
  }
}
:host([theme="dark"]) .card {
  --paper: #121715; --sheet: #1a211e; --ink: #e6e9e4; --quiet: #9aa69f; --rule: #35403b; --accent: #7fd1ae;
  --win: #77d3a4; --loss: #f09a8d; --open: #e2b659;
}
p, ul, ol, dl, dd { margin: 0; padding: 0; }
ul, ol { list-style: none; }
a { color: inherit; text-decoration-color: var(--rule); text-underline-offset: 3px; }
a:hover { text-decoration-color: currentColor; }
abbr { text-decoration: none; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 10px; }
.name { font: 600 21px/1.25 "Iowan Old Style", Palatino, Georgia, serif; text-decoration: none; }
.name:hover { text-decoration: underline; }
.head small { color: var(--quiet); font-size: 12px; }
.tier { color: var(--accent); font-size: 13px; font-weight: 600; }
.listed { color: var(--quiet); }
.figures { display: grid; grid-template-columns: repeat(3, 1fr); gap: 1px; margin: 12px 0; background: var(--rule); border: 1px solid var(--rule); }
.figures div { padding: 7px 10px 8px; background: var(--sheet); }
dt, .note { color: var(--quiet); font-size: 12.5px; }
dd { font-size: 19px; font-weight: 600; line-height: 1.3; overflow-wrap: normal; white-space: nowrap; }
.long { font-size: 13.5px; line-height: 1.8; }
dd small { display: block; white-space: normal; line-height: 1.3; color: var(--quiet); font-size: 12px; font-weight: 400; }
.up { color: var(--win); } .down { color: var(--loss); }
.form { display: flex; flex-wrap: wrap; gap: 4px; margin: 6px 0 10px; }
.form li { width: 24px; height: 24px; border: 1.5px solid; font: 600 12px/24px system-ui, sans-serif; text-align: center; }
.W { color: var(--win); } .L { color: var(--loss); } .P, .V { color: var(--quiet); } .open { color: var(--open); }
.picks li { display: flex; gap: 10px; justify-content: space-between; padding: 5px 0; border-top: 1px solid var(--rule); font-size: 14px; }
.picks span { flex: none; color: var(--quiet); }
.picks { margin-bottom: 8px; border-bottom: 1px solid var(--rule); }
.foot { margin-top: 8px; padding-top: 8px; border-top: 1px solid var(--rule); }
.warning { margin-top: 8px; padding: 7px 10px; color: var(--ink); background: var(--sheet); border: 1px solid var(--rule); border-inline-start: 3px solid var(--open); font-size: 13.5px; }
.warning:empty { display: none; }
@container (max-width: 330px) {
  .figures { grid-template-columns: repeat(2, 1fr); }
  .figures div { padding: 6px 8px; }
  dd:not(.long) { font-size: 16px; }
  .picks li, .picks span { display: block; }
}
@media (forced-colors: active) { .card, .form li { border-color: CanvasText; } }
`;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);

  // Distinguished from an outage, because only the owner of the embedding page can fix it.
  let blockedByPolicy = false;
  document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
    if (effectiveDirective === 'connect-src' && blockedURI.startsWith(origin)) blockedByPolicy = true;
  });

  /** Creates an element. String children are set as text. */
  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children.filter((child) => child !== null));
    return element;
  }

  const signed = (value) =>
    value > 0 ? `+${value}` : String(value).replace('-', Number(value) === 0 ? '' : '−');

  const count = (number) => number.toLocaleString('en-US');
  const units = (value) => `${signed(value.toFixed(2))}u`;
  const percent = (value) => `${signed(value.toFixed(1))}%`;
  const recordOf = ({ record }) => record.replaceAll('-', '–');

  const decimal = (script?.dataset.odds ?? settings.odds) === 'decimal';
  const price = ({ oddsAmerican, oddsDecimal }) => (decimal ? oddsDecimal.toFixed(2) : signed(oddsAmerican));
  /** Returns the URL of a page of the site, with the widget's odds format. */
  const pageOf = (path) => `${origin}${path}${decimal ? '?odds=decimal' : ''}`;

  /** Renders a time in the reader's zone. */
  function timeOf(instant) {
    const text = new Date(instant).toLocaleString('en-US', {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    });
    return make('time', { datetime: instant }, text.replace(/\s/g, ' '));
  }

  /** Returns the 95% Wilson interval of a hit rate, in percent. */
  function interval(wins, decided) {
    const z2 = 1.96 ** 2;
    const share = wins / decided;
    const middle = share + z2 / (2 * decided);
    const margin = 1.96 * Math.sqrt((share * (1 - share) + z2 / (4 * decided)) / decided);
    const limits = [middle - margin, middle + margin].map((limit) =>
      Math.round((100 * limit) / (1 + z2 / decided)),
    );
    return limits.join('\u2060–\u2060');
  }

  function figure(name, value, detail, tone = '') {
    return make(
      'div',
      {},
      make('dt', {}, name),
      // Keeps a record of thousands on one line.
      make(
        'dd',
        { class: value.length > 9 ? `${tone} long` : tone },
        value,
        detail ? make('small', {}, detail) : null,
      ),
    );
  }

  function hitRate({ wins, losses, hitRatePct }) {
    const decided = wins + losses;
    if (decided === 0) return figure('Hit rate', '–', 'no results yet');
    const size = decided < minSample ? `small sample: ${decided}` : `${count(decided)} picks`;
    return figure('Hit rate', `${hitRatePct.toFixed(1)}%`, `${size}; 95% range ${interval(wins, decided)}`);
  }

  function figures({ lifetime, last30d }, { sample, beatSample, medianBps }) {
    const { edgeMeanPct, edgeSample } = lifetime;
    return make(
      'dl',
      { class: 'figures' },
      figure(
        'Record',
        recordOf(lifetime),
        lifetime.importedPicks > 0
          ? lifetime.importedPicks === lifetime.picks
            ? `${count(lifetime.picks)} picks, all imported`
            : `${count(lifetime.importedPicks)} of ${count(lifetime.picks)} imported`
          : lifetime.latePicks > 0
            ? `${count(lifetime.latePicks)} sealed late`
            : `${count(lifetime.picks)} picks`,
      ),
      hitRate(lifetime),
      figure(
        'Net units',
        units(lifetime.unitsNet),
        lifetime.roiPct === null ? '' : `ROI ${percent(lifetime.roiPct)}`,
      ),
      figure(
        'Average edge',
        edgeMeanPct === null ? '–' : `${signed(edgeMeanPct.toFixed(2))}%`,
        `${count(edgeSample)} ${edgeSample === 1 ? 'pick' : 'picks'}`,
      ),
      figure(
        'Median CLV',
        medianBps === null ? '–' : `${signed((medianBps / 100).toFixed(2))}%`,
        sample === 0 ? '' : `${((100 * beatSample) / sample).toFixed(0)}% beat the close`,
      ),
      figure('30 days', recordOf(last30d), units(last30d.unitsNet)),
    );
  }

  const tiers = { elite: 'Elite', verified_sharp: 'Verified sharp', listed: 'Listed' };
  const verdicts = { proven: 'Proven', promising: 'Promising', losing: 'Losing', unproven: 'Unproven' };
  const letters = { win: 'W', loss: 'L', push: 'P', void: 'V' };
  const words = { win: 'win', loss: 'loss', push: 'push', void: 'void' };

  function streakText({ kind, length }) {
    if (kind === null) return 'No streak yet';
    return `${kind === 'W' ? 'Won' : 'Lost'} the last ${length === 1 ? 'one' : length}`;
  }

  const isCounted = ({ priceCheck }) => priceCheck?.verdict !== 'unseen';

  // Figures use the price that could be had.
  function counting(check) {
    if (check?.verdict === 'unseen') return ' · not counted';
    if (check?.verdict !== 'above_market') return '';
    const odds = check.countedAmerican;
    return ` · counted at ${price({ oddsAmerican: odds, oddsDecimal: odds > 0 ? 1 + odds / 100 : 1 - 100 / odds })}`;
  }

  function form(picks) {
    const settled = picks.filter((pick) => pick.result !== null && isCounted(pick)).reverse();
    if (settled.length === 0) return [];
    const list = make(
      'ol',
      { class: 'form' },
      ...settled.map(({ result }) =>
        make('li', { class: letters[result] }, make('abbr', { title: words[result] }, letters[result])),
      ),
    );
    return [make('p', { class: 'note' }, 'Latest results, newest last:'), list];
  }

  function picks(latest) {
    return make(
      'ul',
      { class: 'picks', 'aria-label': 'Latest picks' },
      ...latest
        .slice(0, 3)
        .map(({ pickUuid, bet, result, half, provenance, sealedInTime, postedBy, ...prices }) =>
          make(
            'li',
            {},
            make(
              'a',
              { href: pageOf(`/p/${encodeURIComponent(pickUuid)}`) },
              make('bdi', {}, bet.replace(/(?<=^|\s)-(?=\d)/g, '−')),
            ),
            make(
              'span',
              {},
              `${price(prices)} · ${half ? 'half ' : ''}${words[result] ?? 'pending'}${provenance === 'imported' ? ' · imported' : sealedInTime === 'late' ? ' · sealed late' : ''}${postedBy === 'author' ? ' · posted by its author' : ''}${counting(prices.priceCheck)}`,
            ),
          ),
        ),
    );
  }

  class CapperWidget extends HTMLElement {
    static observedAttributes = ['handle'];
    #loads = 0;
    #timer;
    #shown;
    #card = make('section', { class: 'card' });
    #content = make('div', {});
    #warning = make('p', { class: 'warning', role: 'status' });

    constructor() {
      super();
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [sheet];
      root.append(this.#card);
    }

    connectedCallback() {
      this.#start();
    }

    disconnectedCallback() {
      clearInterval(this.#timer);
      this.#loads += 1;
    }

    attributeChangedCallback() {
      if (this.isConnected) this.#start();
    }

    get #handle() {
      return (this.getAttribute('handle') ?? settings.handle).toLowerCase();
    }

    #start() {
      clearInterval(this.#timer);
      this.#shown = undefined;
      const handle = this.#handle;
      this.#card.setAttribute('aria-label', `Record of ${handle} on Public Picks`);
      this.#content.replaceChildren(this.#head(handle), make('p', { class: 'note' }, 'Loading …'));
      this.#warning.replaceChildren();
      const foot = make(
        'p',
        { class: 'note foot' },
        make(
          'a',
          { href: pageOf(`/c/${encodeURIComponent(handle)}`) },
          'Every pick, with proof, on Public Picks',
        ),
        ` · 21+ · Gambling problem? Call ${settings.helpLine}`,
        {
          demo: ' · Demo: cappers and picks are made up.',
          replay: ' · Replay on a simulated clock: times do not show when picks were really posted.',
        }[settings.logKind] ?? null,
      );
      this.#card.replaceChildren(this.#content, this.#warning, foot);
      this.#timer = setInterval(() => document.hidden || this.#load(), refreshMs);
      this.#load();
    }

    async #load() {
      this.#loads += 1;
      const load = this.#loads;
      try {
        const live = await figuresOf(this.#handle, 'stats?provenance=live');
        const isLive = live.lifetime.picks >= enoughLive;
        const shown = isLive ? 'live' : 'all';
        const [stats, close, streak] = await Promise.all([
          isLive ? live : figuresOf(this.#handle, 'stats'),
          figuresOf(this.#handle, `clv?last_n=1&provenance=${shown}`),
          // Streaks include imported picks.
          isLive ? null : figuresOf(this.#handle, 'streak'),
        ]);
        if (load === this.#loads) this.#show(stats, close, streak);
      } catch (error) {
        // The violation event arrives shortly after the failed fetch.
        await new Promise((resolve) => setTimeout(resolve, 100));
        if (load === this.#loads) this.#fail(error);
      }
    }

    #show(stats, close, streak) {
      const content = [
        this.#head(stats.handle, stats.tier, stats.verified),
        make(
          'p',
          { class: { proven: 'up', promising: 'up', losing: 'down' }[stats.verdict.word] ?? '' },
          `${verdicts[stats.verdict.word]}. ${stats.verdict.sentence}`,
        ),
        figures(stats, close),
        make(
          'p',
          { class: 'note' },
          streak === null ? 'Live picks only.' : `Live and imported picks. ${streakText(streak)}.`,
        ),
        ...form(stats.lastPicks),
        picks(stats.lastPicks),
        make('p', { class: 'note' }, 'Updated ', timeOf(stats.generatedAt)),
      ];
      const minutes = Math.round(stats.ageSeconds / 60);
      this.#content.replaceChildren(...content);
      this.#warning.replaceChildren(
        minutes < staleMinutes
          ? ''
          : `These figures are ${minutes} minutes old. Newer ones are not available right now.`,
      );
      this.#shown = stats.generatedAt;
    }

    #fail(error) {
      const { message } = error instanceof NoSuchCapper ? error : { message: unavailableText() };
      if (this.#shown === undefined) this.#content.replaceChildren(this.#head(this.#handle));
      const kept = this.#shown === undefined ? [] : [' Showing figures from ', timeOf(this.#shown), '.'];
      this.#warning.replaceChildren(message, ...kept);
    }

    #head(handle, tier, verified) {
      return make(
        'div',
        { class: 'head' },
        make('a', { class: 'name', href: pageOf(`/c/${encodeURIComponent(handle)}`) }, handle),
        tier === undefined ? null : make('span', { class: `tier ${tier}` }, tiers[tier]),
        verified === false ? make('small', {}, 'not verified') : null,
      );
    }
  }

  class NoSuchCapper extends Error {}

  function unavailableText() {
    return blockedByPolicy
      ? `This page's Content-Security-Policy blocks the figures. Add ${origin} to its connect-src.`
      : 'Public Picks is unavailable right now. This page tries again every 5 minutes.';
  }

  async function figuresOf(handle, what) {
    const response = await fetch(`${origin}/api/cappers/${encodeURIComponent(handle)}/${what}`, {
      credentials: 'omit',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status === 404) throw new NoSuchCapper(`There is no capper ${handle} on Public Picks.`);
    if (!response.ok) throw new Error(`status ${response.status}`);
    // The service sends Age only with stale answers.
    return { ...(await response.json()), ageSeconds: Number(response.headers.get('Age') ?? 0) };
  }

  if (customElements.get(tag) === undefined) customElements.define(tag, CapperWidget);
  // Inserts no element if the script is in the head, or if data-manual says that the page places elements itself.
  if (script === null || script.closest('head') !== null || script.dataset.manual !== undefined) return;
  const element = make(tag, { handle: settings.handle });
  if (script.dataset.theme !== undefined) element.setAttribute('theme', script.dataset.theme);
  script.after(element);
})(__SETTINGS__);
