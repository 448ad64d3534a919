/** A comment or a text of a program. */
export interface Passage {
  kind: 'comment' | 'text';
  /** The line of the program that it starts on. */
  line: number;
  /** The words, on as many lines as in the program. Marks of comments and expressions in templates are blank. */
  text: string;
}

/** Returns the comments and texts of a program, by the extension of its file. */
export function passagesOf(program: string, extension: string): Passage[] {
  return extension === 'sql' || extension === 'vcl'
    ? flatPassages(program, flat[extension])
    : scriptPassages(program);
}

/** Tokens of languages without templates: comments and texts are the groups. */
const flat = {
  sql: /(\/\*[\s\S]*?\*\/|--[^\n]*(?:\n[^\S\n]*--[^\n]*)*)|'((?:[^']|'')*)'|"[^"\n]*"/g,
  vcl: /(\/\*[\s\S]*?\*\/|(?:#|\/\/)[^\n]*(?:\n[^\S\n]*(?:#|\/\/)[^\n]*)*)|"([^"\n]*)"/g,
};

function flatPassages(program: string, tokens: RegExp): Passage[] {
  const lineOf = lines(program);
  return [...program.matchAll(tokens)].flatMap(({ index, 1: comment, 2: text }) => {
    if (comment !== undefined) return passage('comment', lineOf(index), unmarked(comment));
    return text === undefined ? [] : passage('text', lineOf(index), text);
  });
}

/** Tokens of JavaScript and TypeScript that comments and texts can be found by: comment, text, regular expression, the rest. */
const script = new RegExp(
  [
    /(\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[^\S\n]*\/\/[^\n]*)*)/,
    /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"/,
    /(?<=(?:[=(,:;!&|?{}[\n>]|\breturn)\s*)\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//,
    /[`{}]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);
const templatePart = /`|\$\{|(?:[^`\\$]|\\[\s\S]|\$(?!\{))+/y;

function scriptPassages(program: string): Passage[] {
  const lineOf = lines(program);
  const found: Passage[] = [];
  const add = (kind: Passage['kind'], line: number, words: string) =>
    found.push(...passage(kind, line, words));

  /** Reads code up to the brace that closes it, or to the end. @returns the index after it */
  function code(from: number): number {
    let depth = 0;
    for (let at = from; ; ) {
      script.lastIndex = at;
      const token = script.exec(program);
      if (token === null) return program.length;
      const [whole, comment, single, double] = token;
      at = script.lastIndex;
      if (whole === '`') at = template(at);
      else if (whole === '{') depth += 1;
      else if (whole === '}') {
        if (depth === 0) return at;
        depth -= 1;
      } else if (comment !== undefined) add('comment', lineOf(token.index), unmarked(comment));
      else add('text', lineOf(token.index), single ?? double ?? '');
    }
  }

  /** Reads a template after its first quotation mark. @returns the index after it */
  function template(from: number): number {
    const line = lineOf(from);
    let words = '';
    for (let at = from; ; ) {
      templatePart.lastIndex = at;
      const part = templatePart.exec(program)?.[0] ?? '`';
      const end = at + part.length;
      if (part === '`') {
        add('text', line, words);
        return end;
      }
      at = part === '${' ? code(end) : end;
      words += part === '${' ? blank(program.slice(end - 2, at)) : part;
    }
  }

  for (let at = 0; at < program.length; ) at = code(at);
  return found;
}

/** The words of a comment, without its marks. */
function unmarked(comment: string): string {
  return comment
    .replace(/\{@link [^}]*\}/g, blank)
    .replace(/^([^\S\n]*)(?:\/\*+|\*+\/|\*|\/\/+|--+|#+)/gm, blank)
    .replace(/\*\/$/, blank);
}

function passage(kind: Passage['kind'], line: number, words: string): Passage[] {
  const text = words.trimStart();
  const skipped = words.slice(0, words.length - text.length).split('\n').length - 1;
  return text === '' ? [] : [{ kind, line: line + skipped, text: text.trimEnd() }];
}

/** Returns a function from indexes, in ascending order, to their lines. */
function lines(program: string): (index: number) => number {
  let line = 1;
  let at = 0;
  return (index) => {
    for (; at < index; at += 1) if (program[at] === '\n') line += 1;
    return line;
  };
}

/** Replaces everything except line breaks with blanks. */
export function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
