/** The notice of every feed and page: who it is for, and where to find help with gambling. */
export function notice(helpLine: string): string {
  return `21+ only. Gambling problem? Call ${helpLine}.`;
}

/**
 * Text as XML 1.0 can hold it and gives it back (section 2.2 there): what is no XML character, half a surrogate pair among it, becomes
 * U+FFFD, and every line end a line feed.
 */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}

/** Text as an iCalendar value can hold it (RFC 5545, section 3.1): as {@link xmlText}, and DEL becomes U+FFFD too. */
export function icalText(text: string): string {
  return xmlText(text).replaceAll('\u007F', '\uFFFD');
}

/** Text that is put into HTML as text, also as an attribute's value within quotes. */
export function escapeHtml(text: string): string {
  return xmlText(text).replace(/[&<>"']/g, (character) => entities[character] as string);
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Text whose direction cannot turn what stands around it in plain text: put between isolating marks (UAX #9, section 2.4) when it holds
 * letters or marks that run from right to left. Marks within that would end the isolation are balanced.
 */
export function isolated(text: string): string {
  if (
    !/[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFEFC]|\uD802|\uD803|\uD83A|\uD83B/.test(
      text,
    )
  )
    return text;
  let open = 0;
  let unmatched = 0;
  for (const character of text) {
    if (character >= '\u2066' && character <= '\u2068') open += 1;
    else if (character === '\u2069' && open > 0) open -= 1;
    else if (character === '\u2069') unmatched += 1;
  }
  return '\u2068'.repeat(unmatched + 1) + text + '\u2069'.repeat(open + 1);
}
