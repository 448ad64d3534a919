import { distance } from 'fastest-levenshtein';
import { Unfit } from './kinds.ts';
import type { ProcessName } from './processes.ts';
import { type Setting, settings } from './settings.ts';

interface Environment {
  readonly [name: string]: string | undefined;
}

export const everySetting: readonly Setting[] = settingsOf(settings);

/** Returns a variable's value without surrounding spaces; an empty one counts as absent. */
export function variable(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || undefined;
}

export function isUsedBy({ usedBy }: Setting, name: ProcessName) {
  return usedBy === undefined || usedBy.includes(name);
}

/** Returns an environment without the settings that a process does not use, so that it cannot leak them. */
export function environmentOf(
  environment: Environment,
  name: ProcessName,
): Record<string, string | undefined> {
  const others = new Set(everySetting.filter((setting) => !isUsedBy(setting, name)).map(({ env }) => env));
  return Object.fromEntries(Object.entries(environment).filter(([variable]) => !others.has(variable)));
}

/**
 * @param options the process whose settings are read, default all; required settings that the caller adds later
 * @returns the values in the groups of `settings`, and a sentence for every wrong setting
 */
export function readSettings(
  environment: Environment,
  { usedBy, provided = [] }: { usedBy?: ProcessName | undefined; provided?: readonly string[] } = {},
): { values: unknown; faults: string[] } {
  const faults: string[] = [];
  const value = (setting: Setting) => {
    const { env, read, requiredUnless, secret } = setting;
    const required = setting.required || requiredUnless !== undefined;
    if (usedBy !== undefined && !isUsedBy(setting, usedBy)) return undefined;
    if (requiredUnless !== undefined && variable(environment, requiredUnless) !== undefined) return undefined;
    const own = variable(environment, env) ?? setting.default;
    const text = own ?? variable(environment, setting.defaultsTo ?? '');
    if (text === undefined) {
      if (required && !provided.includes(env)) faults.push(`${env} is missing`);
      return undefined;
    }
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      // The other variable has the fault.
      if (own === undefined) return undefined;
      faults.push(
        secret ? `${env} ${error.message}` : `${env} is ${JSON.stringify(text)} but ${error.message}`,
      );
      return undefined;
    }
  };
  return { values: mapped(settings, value), faults };
}

/** Returns variables that look like a misspelled setting, each with a message. */
export function misspelled(environment: Environment): { name: string; sentence: string }[] {
  const names = everySetting.map(({ env }) => env);
  return Object.keys(environment).flatMap((name) => {
    if (names.includes(name)) return [];
    const meant = names.find((one) => distance(name, one) <= (one.length < 8 ? 1 : 2));
    return meant === undefined
      ? []
      : [{ name, sentence: `${name} is not a setting. Did you mean ${meant}?` }];
  });
}

/** One fault a line. */
export function faultsMessage(faults: readonly string[]): string {
  return ['Wrong settings:', ...faults.map((fault) => `  ${fault}`)].join('\n');
}

/** In the order of the declaration. @param node a setting, or a group of settings and groups */
export function settingsOf(node: object): Setting[] {
  return isSetting(node) ? [node] : Object.values(node).flatMap(settingsOf);
}

/** @param node a setting, or a group of settings and groups */
function mapped(node: object, value: (setting: Setting) => unknown): unknown {
  if (isSetting(node)) return value(node);
  return Object.fromEntries(Object.entries(node).map(([name, child]) => [name, mapped(child, value)]));
}

function isSetting(node: object): node is Setting {
  return 'env' in node && typeof node.env === 'string';
}
