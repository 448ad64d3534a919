import { expect } from 'chai';
import { all, type Element, readXml, textOf } from './read-xml.ts';

const rfc822 =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const channelElements = [
  'title',
  'link',
  'description',
  'atom:link',
  'fh:archive',
  'language',
  'lastBuildDate',
  'ttl',
  'item',
];
const itemElements = ['title', 'link', 'guid', 'pubDate', 'dc:creator', 'category', 'description'];

/** Checks a document against RSS 2.0 and the expectations of readers beyond it. @returns its channel and items */
export function expectRss(
  document: string,
  helpLine = '1-800-GAMBLER',
): { channel: Element; items: Element[] } {
  const root = readXml(document);
  expect(root.name).to.equal('rss');
  expect(root.attributes.version).to.equal('2.0');
  expect(root.children).to.have.lengthOf(1);
  const channel = root.children[0] as Element;
  for (const { name } of channel.children) expect(name).to.be.oneOf(channelElements);
  for (const name of ['title', 'description']) expect(textOf(channel, name)).not.to.equal('');
  expect(new URL(textOf(channel, 'link')).protocol).to.equal('https:');
  const [self] = all(channel, 'atom:link');
  expect(self?.attributes).to.include({ rel: 'self', type: 'application/rss+xml' });
  expect(new URL(self?.attributes.href ?? '').protocol).to.equal('https:');
  expect(Number(textOf(channel, 'ttl'))).to.be.above(0);
  expect(textOf(channel, 'language')).to.equal('en-us');
  expect(textOf(channel, 'description')).to.contain('21').and.to.contain(helpLine);
  const items = all(channel, 'item');
  expect(items.length).to.be.at.most(100);
  if (items.length > 0) expect(textOf(channel, 'lastBuildDate')).to.match(rfc822);
  for (const item of items) {
    for (const { name } of item.children) expect(name).to.be.oneOf(itemElements);
    for (const name of ['title', 'description']) expect(textOf(item, name)).not.to.equal('');
    expect(new URL(textOf(item, 'link')).protocol).to.equal('https:');
    expect(textOf(item, 'pubDate')).to.match(rfc822);
    expect(all(item, 'guid')[0]?.attributes).to.deep.equal({ isPermaLink: 'false' });
  }
  const guids = items.map((item) => textOf(item, 'guid'));
  expect(new Set(guids).size).to.equal(guids.length);
  const dates = items.map((item) => Date.parse(textOf(item, 'pubDate')));
  expect(dates).to.deep.equal(dates.toSorted((a, b) => b - a));
  return { channel, items };
}
