// Runs on /post. Finds a bet on an upcoming game, shows what will be signed, signs it with this device's key, and posts it.

import { pickIntent, signedPick } from '../../proof/author-statements.ts';
import { lineTyped, oddsTyped, stakeTyped } from '../../rules/typed-numbers.ts';
import { ask, byId, element, keptKeys, send, showPart, tell, whyNoKey } from './key.client.js';

const { line: lineForm, bet: form, odds, stake, send: sendButton } = byId;
const lineValue = byId['line-value'];

const names = { moneyline: 'Moneyline', spread: 'Spread', total: 'Total' };

let signer;
let games = [];
/** The displayed bet, without the values of its fields. */
let bet;
/** A signed pick without an answer yet. It is sent again unchanged, so that it counts once. */
let unanswered;
/** The timer of the next check, which starts when the fields have not changed for a while. */
let resting;
const restMs = 300;

await start();
document.documentElement.dataset.ready = 'yes';

async function start() {
  const why = await whyNoKey();
  if (why !== null) {
    tell(why);
    return;
  }
  const keys = await keptKeys();
  const asked = new URLSearchParams(location.search).get('as');
  signer = keys.find(({ capper }) => capper === asked) ?? keys.at(-1);
  if (signer === undefined) {
    tell('This device has no key yet. ', element('a', { href: '/join', textContent: 'Make one' }));
    return;
  }
  byId.signer.replaceChildren(
    'This device signs as ',
    element('strong', { textContent: signer.capper }),
    ` for Public Picks at ${location.host}, whose log is ${signer.origin}.`,
    ...keys
      .filter((key) => key !== signer)
      .flatMap(({ capper }) => [
        ' ',
        element('a', { href: `/post?as=${capper}`, textContent: `Sign as ${capper}` }),
      ]),
  );
  const { status, body } = await ask('/api/bets');
  if (status === 200 && body.origin !== signer.origin) {
    tell(
      `This site now names its log ${body.origin}, but your key was made for ${signer.origin}. If the operator announced a new log, add this device again with your recovery key on `,
      element('a', { href: '/join', textContent: 'this page' }),
      '.',
    );
    return;
  }
  showPart('choose');
  if (status !== 200) {
    tell(body.detail);
    return;
  }
  ({ games } = body);
  listGames();
}

lineForm.addEventListener('input', () => listGames());
lineForm.addEventListener('submit', async (event) => {
  event.preventDefault();
  const text = lineForm.elements.text.value.trim();
  if (text === '') return;
  const { status, body } = await send('/api/bets/read', { text });
  if (status !== 200) {
    tell(body.detail);
    return;
  }
  byId.trouble.hidden = true;
  if (body.count === 1) pick(body.bets[0]);
  else
    byId.choices.replaceChildren(
      ...(body.why === null ? [] : [element('p', { textContent: body.why })]),
      ...body.bets.map((each) =>
        choice(each.words, `${each.game}, ${when(each.startsAt)}`, () => pick(each)),
      ),
    );
});

/** Lists the games whose name or sport contains the text. */
function listGames() {
  const wanted = lineForm.elements.text.value.trim().toLowerCase();
  const named = games.filter(({ sport, game }) => `${sport} ${game}`.toLowerCase().includes(wanted));
  byId.choices.replaceChildren();
  const shown = named.length === 0 ? games : named;
  byId.games.replaceChildren(
    ...(shown.length === 0
      ? [element('p', { className: 'empty', textContent: 'No game takes picks in the next 36 hours.' })]
      : shown.map(gameOf)),
  );
}

/** Renders a game that opens to its selections. */
function gameOf(game) {
  const opened = element(
    'details',
    { name: 'game' },
    element(
      'summary',
      {},
      element('strong', { textContent: game.game }),
      ' ',
      element('small', { textContent: `${game.sport.toUpperCase()}, ${when(game.startsAt)}` }),
    ),
  );
  opened.addEventListener(
    'toggle',
    () =>
      opened.append(
        ...game.bets.map((each) =>
          choice(
            labelOf(game, each),
            each.oddsAmerican === null
              ? 'no price yet'
              : `${signedNumber(each.oddsAmerican)} at ${each.book}`,
            () => {
              const { bets, ...about } = game;
              pick({ ...about, subject: null, stakeUnits: null, ...each });
            },
          ),
        ),
      ),
    { once: true },
  );
  return opened;
}

function choice(title, note, act) {
  const button = element(
    'button',
    { type: 'button', className: 'choice' },
    element('span', { textContent: title }),
    element('small', { textContent: note }),
  );
  button.addEventListener('click', act);
  return button;
}

function labelOf(game, { market, side, line, pick: words }) {
  if (line !== null || market === 'moneyline') return words;
  return (
    { spread: `${game[side]} spread`, total: `${side === 'over' ? 'Over' : 'Under'} (total)` }[market] ??
    words
  );
}

/** Shows a bet, with its line, odds, and stake to edit. */
function pick(chosen) {
  bet = chosen;
  unanswered = undefined;
  const hasLine = bet.line !== null || bet.market === 'spread' || bet.market === 'total';
  byId['line-field'].hidden = !hasLine;
  lineValue.value =
    bet.line === null ? '' : bet.market === 'spread' ? signedNumber(bet.line) : String(bet.line);
  lineValue.readOnly = !canMove(bet);
  odds.value = bet.oddsAmerican === null ? '' : signedNumber(bet.oddsAmerican);
  if (bet.stakeUnits !== null) stake.value = String(bet.stakeUnits);
  byId.where.textContent = `${bet.sport.toUpperCase()}: ${bet.game}, ${when(bet.startsAt)}`;
  byId['price-hint'].textContent = bet.seenAt == null ? '' : `${bet.book}, seen ${when(bet.seenAt)}.`;
  showPart('bet');
  summarize();
  form.scrollIntoView({ block: 'nearest' });
}

/** Reports whether the selection's words can follow another line. Those of other markets come from the service. */
function canMove({ market, subject, home }) {
  return home !== undefined && subject === null && (market === 'spread' || market === 'total');
}

form.addEventListener('input', () => {
  unanswered = undefined;
  summarize();
});
for (const button of [byId.back, byId.again]) button.addEventListener('click', () => showPart('choose'));

/** A field whose text means nothing, or several things. */
class Unread extends Error {
  constructor(field, problem) {
    super(problem.fault ?? `${problem.why} Which one?`);
    this.field = field;
    this.choices = problem.choices ?? [];
  }
}

/** Reads a field as the operator's page does. @throws Unread */
function read(field, typed) {
  const found = typed(field.value.trim());
  if (!('value' in found)) throw new Unread(field, found);
  return found.value;
}

/** Parses the fields. @throws Unread */
function readFields() {
  const line = byId['line-field'].hidden ? null : read(lineValue, lineTyped);
  const oddsAmerican = read(odds, oddsTyped);
  const units = read(stake, stakeTyped);
  const isListed = bet.oddsAmerican === oddsAmerican && bet.line === line;
  return {
    line,
    oddsAmerican,
    units,
    pick: wordsOf(line),
    // Other odds are not that book's.
    book: isListed || bet.seenAt === undefined ? bet.book : null,
  };
}

function wordsOf(line) {
  if (!canMove(bet) || line === bet.line) return bet.pick;
  if (bet.market === 'spread') return `${bet[bet.side]} ${line === 0 ? 'PK' : signedNumber(line)}`;
  return `${bet.away} @ ${bet.home} ${bet.side} ${line}`;
}

/** Shows exactly what will be signed. It can be sent once the service has said at which odds it would count. */
function summarize() {
  clearTimeout(resting);
  byId.counts.textContent = '';
  sendButton.disabled = true;
  byId.what.textContent = bet.pick;
  try {
    const fields = readFields();
    const { pick: words, line, oddsAmerican, units, book } = fields;
    byId.what.textContent = words;
    const summary = [
      ['Capper', signer.capper],
      ['Service', `Public Picks at ${location.host}`],
      ['Log', signer.origin],
      [
        'Market',
        [names[bet.market] ?? bet.market, bet.subject, bet.side].filter((each) => each !== null).join(', '),
      ],
      ...(line === null ? [] : [['Line', String(line)]]),
      ['Odds', signedNumber(oddsAmerican)],
      ['Stake', `${units} u`],
      ...(book === null ? [] : [['Book', book]]),
    ];
    byId.unread.hidden = true;
    byId.signed.replaceChildren(
      ...summary.map(([name, value]) =>
        element('div', {}, element('dt', { textContent: name }), element('dd', { textContent: value })),
      ),
    );
    resting = setTimeout(check, restMs, fields);
  } catch (error) {
    if (!(error instanceof Unread)) throw error;
    byId.signed.replaceChildren();
    byId.unread.replaceChildren(
      element('p', { textContent: error.message }),
      ...error.choices.map(({ label, text }) =>
        choice(label, '', () => {
          error.field.value = text;
          summarize();
        }),
      ),
    );
    byId.unread.hidden = false;
  }
}

/** Asks at which odds the bet would count, and whether it would be refused. */
async function check({ line, oddsAmerican, units, pick: words, book }) {
  const mine = resting;
  const { status, body } = await send('/api/picks/check', {
    capperHandle: signer.capper,
    sport: bet.sport,
    game: bet.game,
    startsAt: bet.startsAt,
    market: bet.market,
    subject: bet.subject,
    side: bet.side,
    line,
    pick: words,
    book,
    oddsAmerican,
    stakeUnits: units,
  });
  if (mine !== resting) return;
  const { reason, sentence } = status === 200 ? body.rows[0] : {};
  sendButton.disabled = reason !== undefined;
  if (reason !== undefined) byId.counts.textContent = `The pick would be refused: ${reason}.`;
  else byId.counts.textContent = sentence ?? `Its price could not be checked. ${body.detail}`;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (sendButton.disabled) return;
  sendButton.disabled = true;
  unanswered ??= await sign();
  const { status, body } = await send('/api/picks', unanswered);
  sendButton.disabled = false;
  if (status === 201 || status === 200) {
    unanswered = undefined;
    show(body);
    return;
  }
  // Without an answer the pick may be stored, so the same one is sent again. A refused one is signed anew.
  if (status !== 0 && status < 500) unanswered = undefined;
  tell(body.detail);
});

async function sign() {
  const { units, ...fields } = readFields();
  return signedPick(signer, pickIntent(signer, { ...bet, ...fields, stakeUnits: units }));
}

function show({ pickUuid, postedAt, priceCheck }) {
  const words = {
    available: 'Its price was there, as far as stored prices say.',
    above_market: `Its odds are above the market: as it stands, it counts at ${priceCheck?.countedAmerican > 0 ? '+' : ''}${priceCheck?.countedAmerican}.`,
    unseen: 'Nobody has seen its price yet: until somebody has, it does not count.',
  };
  byId.result.textContent = `Signed and posted ${when(postedAt)}. ${words[priceCheck?.verdict] ?? ''}`;
  byId.view.href = `/p/${pickUuid}`;
  showPart('posted');
}

function signedNumber(value) {
  return value > 0 ? `+${value}` : String(value);
}

function when(at) {
  return new Date(at).toLocaleString([], { weekday: 'short', hour: 'numeric', minute: '2-digit' });
}
