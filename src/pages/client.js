// Runs on every page. Pages work without it.

showTimes();
const notice = document.querySelector('[data-live]');
if (notice !== null) followStream(notice);

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
