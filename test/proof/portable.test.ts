import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const folder = resolve(import.meta.dirname, '../../src/proof');
const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));

describe('the proof folder', () => {
  for (const file of files) {
    it(`runs in a browser unchanged: ${file}`, () => {
      const script = stripTypeScriptTypes(readFileSync(join(folder, file), 'utf8'));
      const code = script.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      for (const [, imported = ''] of code.matchAll(/\bfrom '([^']+)'/g)) {
        expect(imported).to.match(/^\.\/[a-z0-9-]+\.ts$/);
        expect(files).to.include(imported.slice(2));
      }
      expect(code).to.not.match(
        /\b(?:Buffer|process|require|global|__dirname|setImmediate)\b|node:|\bimport\(/,
      );
    });
  }
});
