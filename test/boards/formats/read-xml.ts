import { SaxesParser } from 'saxes';

/** An element, as parsed by an independent, strict parser. */
export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  /** The text directly in it. */
  text: string;
}

/**
 * Parses an XML document with its namespaces.
 * @throws Error if it is not well formed
 */
export function readXml(document: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const entries = Object.entries(attributes).map(([key, { value }]) => [key, value]);
    const element = { name, attributes: Object.fromEntries(entries), children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  for (const event of ['text', 'cdata'] as const)
    parser.on(event, (text) => {
      const element = open.at(-1);
      if (element !== undefined) element.text += text;
    });
  parser.write(document).close();
  return root.children[0] as Element;
}

export function all(element: Element, name: string): Element[] {
  return element.children.filter((child) => child.name === name);
}

/** Returns the text of the only child of a name. */
export function textOf(element: Element, name: string): string {
  const [only, another] = all(element, name);
  if (only === undefined || another !== undefined) throw new Error(`not exactly one ${name}`);
  return only.text;
}
