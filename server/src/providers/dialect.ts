/** Where a provider speaks a format with a rule of its own. Pure. */
import type { BundledDefinition } from './definitions.ts'
import type { Wire } from './types.ts'
import { asObject } from './wires/json.ts'

/** The wire, without the fields that this provider refuses, and with those that it insists on. */
export function inDialect(
  wire: Wire,
  { omits = [], insists = {} }: Pick<BundledDefinition, 'omits' | 'insists'>,
): Wire {
  if (omits.length === 0 && Object.keys(insists).length === 0) return wire
  return {
    ...wire,
    say(turn) {
      const said = Object.entries(asObject(wire.say(turn)) ?? {}).filter(([name]) => !omits.includes(name))
      return { ...insists, ...Object.fromEntries(said) }
    },
  }
}
