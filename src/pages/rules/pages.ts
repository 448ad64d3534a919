import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import type { Token, Tokens } from 'marked';
import { lazy } from '../../platform/once.ts';
import { curly, type Html, html } from '../html.ts';
import type { FixedPage } from '../page.ts';
import { pageHead, section } from '../parts/section.ts';
import { fragmentOf, markup, type Parsed, parsed } from './markdown.ts';

const folder = 'docs/rules';

interface Rule {
  /** `/rules/clv`, from `docs/rules/clv.md`. */
  path: string;
  title: string;
  question: string;
}

export const rules = lazy((): readonly Rule[] =>
  index()
    .parts.flatMap(({ tokens }) => tokens)
    .filter(isTable)
    .flatMap(({ rows }) => rows)
    .map(([link, question]) => {
      const [, title = '', name = ''] = /^\[(.+)\]\((.+)\.md\)$/.exec(link?.text ?? '') ?? [];
      return { path: `/rules/${name}`, title, question: curly(question?.text ?? '') };
    }),
);

const index = lazy(() => documentAt('README'));

/** `/rules`, and a page per file of `docs/rules`. */
export function rulesPages(): FixedPage[] {
  return [
    {
      path: '/rules',
      render: () => rulesPage('/rules', index(), link('/how', 'How figures are computed')),
    },
    ...rules().map(({ path }) => ({
      path,
      render: () => rulesPage(path, documentAt(posix.basename(path)), link('/rules', 'Exact rules')),
    })),
  ];
}

function link(path: string, label: string): Html {
  return html`<a href="${path}">${label}</a>`;
}

function rulesPage(path: string, { title, parts }: Parsed, eyebrow: Html): ReturnType<FixedPage['render']> {
  return {
    title: path === '/rules' ? title : `Rules: ${title}`,
    about:
      path === '/rules'
        ? 'The exact rules by which this site computes its figures.'
        : `The exact rules by which this site computes its figures: ${title}.`,
    under: '/how',
    body: html`${pageHead({ eyebrow, title })}${parts.map(({ heading, tokens }) => {
      const body = html`${markup(tokens, { heading: heading ?? title, resolve: addressOf })}`;
      if (heading !== undefined) return section({ heading, id: fragmentOf(heading), body });
      return (
        tokens.some(({ type }) => type !== 'space') &&
        html`<div class="entry"><div class="sheet">\n${body}</div></div>\n`
      );
    })}`,
  };
}

/** Resolves a rule's link. Other documents of the repository have no page. */
function addressOf(target: string): { href: string } | { file: string } {
  if (/^(https?:|#)/.test(target)) return { href: target };
  const [, name, fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  if (name === undefined) return { file: posix.join(folder, target.replace(/#.*/, '')) };
  return { href: `/rules${name === 'README' ? '' : `/${name}`}${fragment}` };
}

/** Returns the first paragraph of a rule, such as `/rules/records#yield`, which explains it to bettors. */
export function leadOf(exact: string): Html {
  return textOf(exact, (tokens) => tokens.filter(({ type }) => type === 'paragraph').slice(0, 1));
}

/** Returns the text of a rule, such as `/rules/webhooks#failures`, for the page of what it rules. */
export function textOf(exact: string, chosen = (tokens: Token[]) => tokens): Html {
  const [name = '', fragment] = exact.slice('/rules/'.length).split('#');
  const { title, parts } = documentAt(name);
  const tokens = chosen(
    parts
      .filter(({ heading }) => fragment === undefined || fragmentOf(heading ?? '') === fragment)
      .flatMap((part) => part.tokens),
  );
  if (tokens.length === 0) throw new Error(`${exact} has no text`);
  return html`${markup(tokens, { heading: title, resolve: addressOf })}`;
}

/** Returns the glossary's words of betting, each with its meaning and a link to the rule that defines it. */
export function bettingTerms(): { term: string; meaning: Html[]; rule: Html[] }[] {
  const betting = documentAt('../glossary').parts.find(({ heading }) => heading === 'Betting');
  const [table] = betting?.tokens.filter(isTable) ?? [];
  const around = {
    heading: 'Glossary',
    resolve: (target: string) => addressOf(target.replace(/^rules\//, '')),
  };
  return (table?.rows ?? []).map(([term, meaning, rule]) => ({
    term: term!.text,
    meaning: markup(meaning!.tokens, around),
    rule: markup(rule!.tokens, around),
  }));
}

function documentAt(name: string): Parsed {
  const text = readFileSync(new URL(`../../../${folder}/${name}.md`, import.meta.url), 'utf8');
  // Paragraphs for maintainers.
  return parsed(text.replace(/^Code:(.+\n?)+/gm, ''));
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table';
}
