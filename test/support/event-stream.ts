/** A client's view of an event stream, parsed as the HTML Standard specifies. */
export interface EventStream {
  /** Parses more text. */
  write(text: string): void;
  events: { id: string; event: string; data: string }[];
  /** The `Last-Event-ID` for a reconnection; empty without an id. */
  lastId(): string;
  /** The newest `retry:`, in milliseconds. */
  retry(): number | undefined;
  comments(): number;
  /** Ends the connection. An incomplete event is dropped. */
  cut(): void;
}

export function eventStream(onEvent: (event: EventStream['events'][number]) => void = () => {}): EventStream {
  const events: EventStream['events'] = [];
  let rest = '';
  let id = '';
  let lastId = '';
  let event = '';
  let data: string[] = [];
  let retry: number | undefined;
  let comments = 0;

  function line(text: string): void {
    if (text === '') {
      lastId = id;
      const dispatched = { id, event, data: data.join('\n') };
      if (data.length > 0) {
        events.push(dispatched);
        onEvent(dispatched);
      }
      event = '';
      data = [];
      return;
    }
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(text) ?? [];
    if (name === '') comments += 1;
    if (name === 'id') id = value;
    if (name === 'event') event = value;
    if (name === 'data') data.push(value);
    if (name === 'retry') retry = Number(value);
  }

  return {
    events,
    write(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const each of lines) line(each);
    },
    lastId: () => lastId,
    retry: () => retry,
    comments: () => comments,
    cut() {
      rest = '';
      id = lastId;
      event = '';
      data = [];
    },
  };
}
