/** Returns the notice of every feed and page: the minimum age, and the gambling help line. */
export function notice(helpLine: string): string {
  return `21+ only. Gambling problem? Call ${helpLine}.`;
}

/** XML 1.0 (section 2.2), in a form that parsers preserve: other characters become U+FFFD, and line ends become line feeds. */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}

/** Makes text valid for iCalendar (RFC 5545, section 3.1): as {@link xmlText}, and DEL becomes U+FFFD too. */
export function icalText(text: string): string {
  return xmlText(text).replaceAll('\u007F', '\uFFFD');
}

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
 * Isolates text that contains right-to-left letters or marks (UAX #9, section 2.4), so that it cannot change the direction of surrounding
 * plain text. Marks within it that would end the isolation are balanced.
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
