// Shows times in the reader's zone, where that is not Eastern Time, and counts down to starts. The page is whole without it.

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

if (here !== undefined && here !== eastern)
  for (const time of document.querySelectorAll('time[datetime]:not(.countdown)')) local(time);

// A service on a set clock shows times that have nothing to do with the reader's.
if (document.documentElement.dataset.clock !== 'set') {
  count();
  setInterval(count, 30_000);
}
