import { settingsSchema } from '../../src/platform/settings-schema.ts';
import type { CheckSettings } from '../../src/status/index.ts';

/** The thresholds of all checks as they are where nobody sets them. */
export function checkSettings(given: Partial<CheckSettings> = {}): CheckSettings {
  const defaults = Object.entries(settingsSchema.properties)
    .filter(([name]) => name.startsWith('CHECK_'))
    .map(([name, schema]) => [name, (schema as { default?: unknown }).default]);
  return { ...Object.fromEntries(defaults), ...given };
}
