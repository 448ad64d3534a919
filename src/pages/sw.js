// Shows picks as notifications (Web Push). It keeps nothing and answers no requests.

addEventListener('push', (event) => {
  const { title, body, url, tag, startsAt } = event.data.json();
  const start =
    startsAt &&
    new Intl.DateTimeFormat([], { weekday: 'short', hour: 'numeric', minute: '2-digit' }).format(
      new Date(startsAt),
    );
  const shown = { body: start ? `${body} · ${start}` : body, tag, icon: '/assets/icon.png', data: url };
  event.waitUntil(registration.showNotification(title, shown));
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(clients.openWindow(event.notification.data));
});
