// Runs on every page. Pages work without it.

showTimes();
const notice = document.querySelector('[data-live]');
if (notice !== null) followStream(notice);
for (const button of document.querySelectorAll('[data-push]')) void offerNotifications(button);

/** Shows times in the reader's zone if it is not Eastern Time, and counts down to starts. */
function showTimes() {
  const eastern = 'America/New_York';
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

  function local(time) {
    const at = new Date(time.dateTime);
    const thisYear = at.getFullYear() === new Date().getFullYear();
    const text = new Intl.DateTimeFormat('en-US', {
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      ...((!thisYear || 'full' in time.dataset) && { year: 'numeric' }),
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    }).format(at);
    time.title = time.textContent;
    time.textContent = text;
  }

  function left(minutes) {
    if (minutes < 60) return `in ${minutes} min`;
    if (minutes < 1440)
      return `in ${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
    const days = Math.floor(minutes / 1440);
    return `in ${days} ${days === 1 ? 'day' : 'days'}`;
  }

  function count() {
    for (const time of document.querySelectorAll('time.countdown')) {
      const minutes = Math.ceil((Date.parse(time.dateTime) - Date.now()) / 60_000);
      time.textContent = minutes > 0 ? left(minutes).replaceAll(' ', '\u00A0') : 'started';
    }
  }

  /** Shows how long ago the page was rendered. */
  function age() {
    for (const time of document.querySelectorAll('time.age')) {
      const seconds = Math.max(0, Math.round((Date.now() - Date.parse(time.dateTime)) / 1000));
      const minutes = Math.floor(seconds / 60);
      if (minutes < 60) time.textContent = minutes === 0 ? `${seconds} s ago` : `${minutes} min ago`;
    }
  }

  if (here !== undefined && here !== eastern)
    for (const time of document.querySelectorAll('time[datetime*="T"]:not(.countdown)')) local(time);

  // A simulated clock's times have nothing to do with the reader's.
  if (document.documentElement.dataset.clock !== 'set') {
    count();
    setInterval(count, 30_000);
    age();
    setInterval(age, 5_000);
  }
}

/** Counts events of the stream since the page was loaded, and offers to reload it. */
function followStream(notice) {
  const counts = { posted: 0, settled: 0 };
  let last;
  let source;

  function show() {
    const parts = [
      counts.posted > 0 && `${counts.posted} ${counts.posted === 1 ? 'pick' : 'picks'} posted`,
      counts.settled > 0 && `${counts.settled} settled`,
    ].filter(Boolean);
    notice.querySelector('[role=status]').textContent = `${parts.join(', ')} since you opened this page.`;
    notice.querySelector('button').hidden = false;
  }

  function open() {
    if (source !== undefined) return;
    const query = new URLSearchParams(notice.dataset.live);
    if (last !== undefined) query.set('after', last);
    source = new EventSource(`/api/stream?${query}`);
    for (const kind of Object.keys(counts))
      source.addEventListener(kind, ({ lastEventId }) => {
        last = lastEventId;
        counts[kind] += 1;
        show();
      });
  }

  // A hidden page keeps no connection, because browsers limit them per site.
  function follow() {
    if (document.visibilityState === 'visible') return open();
    source?.close();
    source = undefined;
  }

  notice.querySelector('button').addEventListener('click', () => location.reload());
  document.addEventListener('visibilitychange', follow);
  addEventListener('pagehide', () => {
    source?.close();
    source = undefined;
  });
  addEventListener('pageshow', follow);
}

/** Offers to notify this device of picks. The browser's storage holds the ID of what it follows, per filter. */
async function offerNotifications(button) {
  const note = button.nextElementSibling;
  const stored = `push ${button.dataset.push}`;
  const say = (text, usable = true) => {
    note.textContent = text;
    button.disabled = !usable;
  };
  const show = () => {
    button.textContent =
      localStorage.getItem(stored) === null ? 'Notify this device' : 'Stop notifying this device';
  };
  const forget = () => {
    for (const name of Object.keys(localStorage)) if (name.startsWith('push ')) localStorage.removeItem(name);
  };
  const subscription = async () =>
    (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();
  const ask = async (path, options) => {
    const response = await fetch(path, options);
    const body = response.status === 204 ? undefined : await response.json();
    if (!response.ok && response.status !== 404) throw new Error(body.detail);
    return response.ok ? body : undefined;
  };
  const own = ({ keys: { auth } }) => ({ headers: { 'X-Push-Auth': auth } });

  /** Makes a push subscription for the service's current key. */
  async function subscribe() {
    const { public_key: key } = await ask('/api/push');
    const { pushManager } = await navigator.serviceWorker.ready;
    const known = await pushManager.getSubscription();
    const bytes = known?.options.applicationServerKey;
    if (
      known &&
      btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/[+/=]/g, '') === key.replace(/[-_]/g, '')
    )
      return known;
    await known?.unsubscribe();
    forget();
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  }

  async function start() {
    await navigator.serviceWorker.register('/sw.js');
    if ((await Notification.requestPermission()) === 'denied') return denied();
    const device = (await subscribe()).toJSON();
    const filter = Object.fromEntries(new URL(button.dataset.push, location.href).searchParams);
    const { id } = await ask('/api/push', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...device, ...filter }),
    });
    localStorage.setItem(stored, id);
    say('On. New picks and results appear on this device.');
  }

  async function stop() {
    const device = await subscription();
    if (device)
      await ask(`/api/push/${localStorage.getItem(stored)}`, { method: 'DELETE', ...own(device.toJSON()) });
    localStorage.removeItem(stored);
    if (!Object.keys(localStorage).some((name) => name.startsWith('push '))) await device?.unsubscribe();
    say('Off.');
  }

  const denied = () =>
    say('Notifications from this site are blocked. Allow them in the settings of your browser.', false);

  button.hidden = false;
  if (!('serviceWorker' in navigator && 'PushManager' in window))
    return say(
      /iPhone|iPad/.test(navigator.userAgent)
        ? 'First add this site to your home screen (Share, then Add to Home Screen), and open it there.'
        : 'This browser has no push notifications. Chrome, Edge, Firefox, and Safari have them.',
      false,
    );
  button.addEventListener('click', async () => {
    say('', false);
    try {
      await (localStorage.getItem(stored) === null ? start() : stop());
      show();
      if (Notification.permission !== 'denied') button.disabled = false;
    } catch (error) {
      say(`That did not work. ${error.message}`);
    }
  });
  show();
  if (Notification.permission === 'denied') return denied();
  const id = localStorage.getItem(stored);
  if (id === null) return;
  const device = await subscription();
  const followed =
    device && (await ask(`/api/push/${id}`, own(device.toJSON())).catch(() => ({ status: 'active' })));
  if (followed?.status === 'active') return;
  localStorage.removeItem(stored);
  show();
}
