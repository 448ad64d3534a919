import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, resolve } from 'node:path';

/**
 * Joins a script of a page and the modules that it imports to one script without types, so that a page loads one file. Each module becomes
 * a function that returns what it exports.
 * @throws Error if a module imports or exports in a form that is not known here
 */
export function joinedScript(entry: string): string {
  const names = new Map<string, string>();
  const parts: string[] = [];

  /** Adds a module after those that it imports. @returns the name of its exports */
  const add = (file: string): string => {
    const known = names.get(file);
    if (known !== undefined) return known;
    const { code, exported } = linked(file);
    const module = `m${names.size}`;
    names.set(file, module);
    parts.push(`const ${module} = (() => {\n${code}\nreturn { ${exported.join(', ')} };\n})();\n`);
    return module;
  };

  const linked = (file: string) => {
    const exported: string[] = [];
    const code = stripTypeScriptTypes(readFileSync(file, 'utf8'))
      .replace(/^import \{([^}]*)\} from '(\..*)';$/gm, (_, list: string, from: string) => {
        const taken = list.split(',').map((each) => each.trim().replace(/ as /, ': '));
        return `const { ${taken.filter(Boolean).join(', ')} } = ${add(resolve(dirname(file), from))};`;
      })
      .replace(/^export ((?:async )?function\*?|const|class) (\w+)/gm, (_, kind: string, symbol: string) => {
        exported.push(symbol);
        return `${kind} ${symbol}`;
      });
    if (/^(import|export)\b/m.test(code)) throw new Error(`${file} has an import or export in another form`);
    return { code, exported };
  };

  const { code } = linked(entry);
  return parts.join('') + code;
}
