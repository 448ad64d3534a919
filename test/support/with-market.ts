import { registerHooks } from 'node:module';

/**
 * Imports modules of `src` as they are with one more declared market. Each call loads the modules again, so that those of other tests do not
 * know the market.
 * @param source the market's file, beside the other markets
 * @param exported the name that it exports
 */
export function modulesWithMarket(
  source: string,
  exported: string,
): (path: string) => Promise<Record<string, never>> {
  const mark = `?with-${exported}`;
  const root = new URL('../../src/', import.meta.url).href;
  registerHooks({
    resolve(specifier, context, next) {
      const own = `${root}rules/markets/${exported}.ts${mark}`;
      if (specifier === `./${exported}.ts${mark}`) return { url: own, shortCircuit: true };
      const found = next(specifier, context);
      const isOurs = found.url.startsWith(root) && context.parentURL?.endsWith(mark) === true;
      return isOurs && !found.url.endsWith(mark) ? { ...found, url: `${found.url}${mark}` } : found;
    },
    load(url, context, next) {
      if (url === `${root}rules/markets/${exported}.ts${mark}`)
        return { format: 'module-typescript', source, shortCircuit: true };
      const found = next(url, context);
      if (url !== `${root}rules/markets/index.ts${mark}`) return found;
      const list = String(found.source).replace(
        '  firstHalfTotal,\n]',
        `  firstHalfTotal,\n  ${exported},\n]`,
      );
      return { ...found, source: `import { ${exported} } from './${exported}.ts${mark}';\n${list}` };
    },
  });
  return (path) => import(`${root}${path}${mark}`);
}
