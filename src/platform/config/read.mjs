// @ts-check

import { Unfit } from './kinds.mjs';
import { settings } from './settings.mjs';

/** @typedef {import('./settings.mjs').Setting} Setting */
/** @typedef {import('./processes.mjs').ProcessName} ProcessName */
/** @typedef {{ readonly [name: string]: string | undefined }} Environment */

/** Every setting, in the order of the declaration. @type {readonly Setting[]} */
export const everySetting = settingsOf(settings);

/**
 * Returns a variable's value without surrounding spaces; an empty one counts as absent.
 * @param {Environment} environment
 * @param {string} name
 * @returns {string | undefined}
 */
export function variable(environment, name) {
  return environment[name]?.trim() || undefined;
}

/**
 * Reports whether a process uses a setting.
 * @param {Setting} setting
 * @param {ProcessName} name
 */
export function isUsedBy({ usedBy }, name) {
  return usedBy === undefined || usedBy.includes(name);
}

/**
 * Returns an environment without the settings that a process does not use, so that it cannot leak them.
 * @template {Environment} E
 * @param {E} environment
 * @param {ProcessName} name
 * @returns {Record<string, string | undefined>}
 */
export function environmentOf(environment, name) {
  const others = new Set(everySetting.filter((setting) => !isUsedBy(setting, name)).map(({ env }) => env));
  return Object.fromEntries(Object.entries(environment).filter(([variable]) => !others.has(variable)));
}

/**
 * Reads the settings from an environment.
 * @param {Environment} environment
 * @param {{ usedBy?: ProcessName | undefined, provided?: readonly string[] }} [options] the process whose settings are read, default all;
 * required settings that the caller adds later
 * @returns {{ values: unknown, faults: string[] }} the values in the groups of `settings`, and a sentence for every wrong setting
 */
export function readSettings(environment, { usedBy, provided = [] } = {}) {
  /** @type {string[]} */
  const faults = [];
  /** @param {Setting} setting */
  const value = (setting) => {
    const { env, read, requiredUnless, secret } = setting;
    const required = setting.required || requiredUnless !== undefined;
    if (usedBy !== undefined && !isUsedBy(setting, usedBy)) return undefined;
    if (requiredUnless !== undefined && variable(environment, requiredUnless) !== undefined) return undefined;
    const text = variable(environment, env) ?? setting.default;
    if (text === undefined) {
      if (required && !provided.includes(env)) faults.push(`${env} is missing`);
      return undefined;
    }
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      faults.push(
        secret ? `${env} ${error.message}` : `${env} is ${JSON.stringify(text)} but ${error.message}`,
      );
      return undefined;
    }
  };
  return { values: mapped(settings, value), faults };
}

/**
 * Returns variables that look like a misspelled setting, each with a message.
 * @param {Environment} environment
 * @returns {{ name: string, sentence: string }[]}
 */
export function misspelled(environment) {
  const names = everySetting.map(({ env }) => env);
  return Object.keys(environment).flatMap((name) => {
    if (names.includes(name)) return [];
    const meant = names.find((one) => {
      const limit = one.length < 8 ? 1 : 2;
      if (Math.abs(name.length - one.length) > limit) return false;
      return mayBeWithin(limit, lettersOf(name), lettersOf(one)) && distance(name, one, limit) <= limit;
    });
    return meant === undefined
      ? []
      : [{ name, sentence: `${name} is not a setting. Did you mean ${meant}?` }];
  });
}

/**
 * Returns the letters of a name as bits.
 * @param {string} name
 */
function lettersOf(name) {
  let letters = 0;
  for (let at = 0; at < name.length; at += 1) letters |= 1 << (name.charCodeAt(at) & 31);
  return letters;
}

/**
 * Reports whether two names can be within that many mistakes. A mistake changes at most two letters. This rules out most names
 * without computing a distance.
 * @param {number} mistakes
 * @param {number} letters
 * @param {number} others
 */
function mayBeWithin(mistakes, letters, others) {
  let count = 0;
  for (let left = letters ^ others; left !== 0; left &= left - 1) count += 1;
  return count <= 2 * mistakes;
}

/**
 * @param {readonly string[]} faults
 * @returns {string} one fault a line
 */
export function faultsMessage(faults) {
  return ['Wrong settings:', ...faults.map((fault) => `  ${fault}`)].join('\n');
}

/**
 * Returns the settings of a group, in the order of the declaration.
 * @param {object} node a setting, or a group of settings and groups
 * @returns {Setting[]}
 */
export function settingsOf(node) {
  return isSetting(node) ? [node] : Object.values(node).flatMap(settingsOf);
}

/**
 * @param {object} node a setting, or a group of settings and groups
 * @param {(setting: Setting) => unknown} value
 * @returns {unknown}
 */
function mapped(node, value) {
  if (isSetting(node)) return value(node);
  return Object.fromEntries(Object.entries(node).map(([name, child]) => [name, mapped(child, value)]));
}

/**
 * @param {object} node
 * @returns {node is Setting}
 */
function isSetting(node) {
  return 'env' in node && typeof node.env === 'string';
}

/**
 * Counts the letters to insert, delete, replace, or swap with their neighbor (optimal string alignment). Above the limit, it returns any larger number.
 * @param {string} one
 * @param {string} other
 * @param {number} limit
 */
function distance(one, other, limit) {
  /** @type {number[][]} */
  const rows = [];
  const at = (/** @type {number} */ i, /** @type {number} */ j) => rows[i]?.[j] ?? 0;
  for (let i = 0; i <= one.length; i += 1) {
    /** @type {number[]} */
    const row = [];
    rows.push(row);
    for (let j = 0; j <= other.length; j += 1) {
      const replaced = i * j === 0 ? i + j : at(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          replaced,
          i > 0 ? at(i - 1, j) + 1 : Infinity,
          j > 0 ? at(i, j - 1) + 1 : Infinity,
          isSwap ? at(i - 2, j - 2) + 1 : Infinity,
        ),
      );
    }
    // Later rows depend only on the last two.
    if (Math.min(...row, ...(rows[i - 1] ?? row)) > limit) return Infinity;
  }
  return at(one.length, other.length);
}
