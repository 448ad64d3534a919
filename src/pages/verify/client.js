// Runs on /verify. Reads a receipt and shows each step of its proof. All checks run in the browser, with the proof modules that the service
// seals with.

import { parseStrictJson } from '../../proof/strict-json.ts';
import { laterEvents, shownVerdicts } from '../../proof/verdicts.ts';
import { COSIGNATURE, ED25519, parseVerifierKey } from '../../proof/verifier-key.ts';
import { verifyReceipt } from '../../proof/verify-receipt.ts';

const form = document.querySelector('#verify');
const { pick, file, text, key, witnesses, quorum, beforeStart } = form.elements;
const result = document.querySelector('#result');
const drop = document.querySelector('#drop');
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Text and name of the displayed receipt. */
let shown = null;
/** Counts checks, so that a slow one cannot replace the verdict of a newer one. */
let turn = 0;

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void fromForm();
});
file.addEventListener('change', () => void fromFile(file.files[0]));
for (const name of ['dragover', 'drop'])
  document.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.toggle('is-over', name === 'dragover');
    if (name === 'drop') void fromFile(event.dataTransfer.files[0]);
  });
document.addEventListener('dragleave', () => drop.classList.remove('is-over'));

const asked = new URLSearchParams(location.search).get('pick');
await loadKey();
if (asked !== null) {
  pick.value = asked;
  await fromForm();
}
form.dataset.ready = 'yes';

/** Fills in the key that the log publishes. Visitors may replace it with their own copy. */
async function loadKey() {
  if (key.value.trim() !== '') return;
  try {
    const answer = await fetch('/ledger/key', { headers: { Accept: 'text/plain' } });
    if (answer.ok) key.value = [...new Set(keysIn(await answer.text()))].join('\n');
  } catch {
    // The field stays empty; verification then asks for the key.
  }
}

async function fromForm() {
  const pasted = text.value.trim();
  const id = uuid.exec(pick.value)?.[0].toLowerCase();
  if (pasted !== '') await show({ name: 'the pasted receipt', text: pasted });
  else if (id !== undefined) await fromPick(id);
  else if (shown !== null) await show(shown);
  else tell('Enter a pick, drop a file, or paste a receipt.', 'bad');
}

async function fromPick(id) {
  tell('Fetching the receipt …', 'busy');
  try {
    const answer = await fetch(`/api/picks/${id}/receipt`);
    if (answer.status === 404) tell('This ledger has no such pick. Check the ID.', 'bad');
    else if (!answer.ok)
      tell(`The receipt is unavailable right now (status ${answer.status}). Try again in a minute.`, 'bad');
    else await show({ name: `pick ${id}`, text: await answer.text() });
  } catch {
    tell('The receipt could not be downloaded. Check your connection and try again.', 'bad');
  }
}

async function fromFile(given) {
  if (given === undefined) return;
  if (given.size > 1_000_000) {
    tell(`${given.name} is too large to be a receipt. Choose the JSON file you downloaded.`, 'bad');
    return;
  }
  text.value = '';
  pick.value = '';
  await show({ name: given.name, text: await given.text() });
}

/** Verifies a receipt and shows every step. */
async function show(receipt) {
  turn += 1;
  const mine = turn;
  tell('Checking …', 'busy');
  let given;
  let trust;
  try {
    given = parseStrictJson(receipt.text);
    trust = readTrust();
  } catch (error) {
    shown = null;
    tell(error instanceof SyntaxError ? `This is not a receipt: ${error.message}` : error.message, 'bad');
    return;
  }
  const verification = await verifyReceipt(given, trust);
  if (mine !== turn) return;
  shown = receipt;
  result.replaceChildren(...partsOf(verification, receipt, given));
}

function readTrust() {
  const keys = readKeys(key.value, ED25519);
  if (keys.length === 0) throw new Error('The log’s public key is missing. Enter it below the receipt.');
  const trusted = readKeys(witnesses.value, COSIGNATURE);
  return {
    keys,
    ...(trusted.length > 0 ? { witnesses: trusted } : {}),
    ...(quorum.value === '' ? {} : { quorum: Number(quorum.value) }),
    ...(beforeStart.checked ? { beforeStart: true } : {}),
  };
}

function readKeys(given, type) {
  return given
    .split(/\s+/)
    .filter((line) => line !== '')
    .map((line) => {
      let found;
      try {
        found = parseVerifierKey(line);
      } catch (error) {
        throw new Error(`“${line}” is not a verifier key: ${error.message}.`);
      }
      if (found.type !== type)
        throw new Error(
          `“${line}” is the key of a ${type === ED25519 ? 'witness, not of a log' : 'log, not of a witness'}.`,
        );
      return found;
    });
}

function keysIn(given) {
  return given.match(/[^\s"'+,<>]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*/g) ?? [];
}

function partsOf({ proof, verdicts, laterEventsMayExist, steps, failed }, receipt, given) {
  const parts = [
    element('p', { className: `outcome-of ${proof}`, textContent: outcomeOf(proof, failed, receipt) }),
    verdictList(verdicts),
  ];
  if (proof === 'ok' && laterEventsMayExist)
    parts.push(element('p', { className: 'later-events', textContent: laterEvents }));
  for (const event of [...new Set(steps.map((step) => step.event))]) {
    const list = element('ol', { className: 'finds steps' });
    for (const step of steps.filter((one) => one.event === event))
      list.append(
        element(
          'li',
          { className: step.ok ? 'good' : 'bad' },
          element('strong', { textContent: upperFirst(step.step) }),
          ' ',
          element('span', { className: 'verdict-of', textContent: step.ok ? 'passes' : 'fails' }),
          ' ',
          element('span', { className: 'detail', textContent: curly(step.detail) }),
        ),
      );
    parts.push(
      element('h4', { textContent: event === null ? 'The whole receipt' : `The pick was ${event}` }),
      list,
    );
  }
  if (proof === 'ok') parts.push(tamperOffer(given));
  return parts;
}

function outcomeOf(proof, failed, receipt) {
  if (proof === 'ok') return `Every step of the proof passes for ${receipt.name}.`;
  if (proof === 'failed')
    return `The proof fails at the step “${failed.step}”${failed.event === null ? '' : ` (${failed.event})`}. ${curly(failed.detail)}`;
  return 'The pick is stored but not in the log yet, so there is nothing to verify. Try again in a few seconds.';
}

/** Renders the four verdicts, as on the pick's page. */
function verdictList(verdicts) {
  return element(
    'dl',
    { className: 'verdicts' },
    ...shownVerdicts(verdicts).map(({ name, word, tone, meaning }) =>
      element(
        'div',
        { className: tone },
        element('dt', { textContent: name }),
        element(
          'dd',
          {},
          element('strong', { textContent: word }),
          ' ',
          element('small', { textContent: meaning }),
        ),
      ),
    ),
  );
}

/** Demonstrates that a change is detected, by changing one number of the pick in this browser only. */
function tamperOffer(given) {
  const { pick: body } = given;
  const changed = body.odds_american === 100 ? 101 : body.odds_american + 1;
  const button = element('button', {
    type: 'button',
    className: 'tamper',
    textContent: `Change its odds from ${signed(body.odds_american)} to ${signed(changed)}`,
  });
  button.addEventListener('click', () => {
    const forged = { ...given, pick: { ...body, odds_american: changed } };
    text.value = JSON.stringify(forged, null, 2);
    void show({ name: 'the changed receipt', text: text.value });
  });
  return element(
    'div',
    { className: 'tamper-offer' },
    element('p', { textContent: 'Would a change be detected? Try it on the copy in your browser.' }),
    button,
  );
}

function upperFirst(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Formats American odds with their sign. */
function signed(odds) {
  return odds < 0 ? `−${-odds}` : `+${odds}`;
}

/** The proof's sentences have straight apostrophes, because terminals show them too. */
function curly(sentence) {
  return sentence.replaceAll("'", '’');
}

function tell(sentence, kind) {
  if (kind !== 'busy') turn += 1;
  result.replaceChildren(
    element('div', { className: `verdict ${kind}` }, element('p', { textContent: sentence })),
  );
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}
