// Counts what happened since the page was loaded, from the event stream, and offers to load it again. The page is whole without it.

const notice = document.querySelector('[data-live]');
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

// A page that nobody looks at keeps no connection: browsers have few for one site.
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
