/** What a client has read of an event stream, as the HTML Standard has it parsed. */
export interface EventStream {
  /** Reads on. */
  write(text: string): void;
  events: { id: string; event: string; data: string }[];
  /** What the client comes back with; empty where it has no id. */
  lastId(): string;
  /** The newest `retry:`, in milliseconds. */
  retry(): number | undefined;
  comments(): number;
  /** The connection broke: what it has cut off does not count. */
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
