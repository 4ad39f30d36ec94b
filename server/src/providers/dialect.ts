/** Where a provider speaks a format with a rule of its own. Pure. */
import type { BundledDefinition } from './definitions.ts'
import type { Wire } from './types.ts'
import { asObject, type Json } from './wires/json.ts'

/** The wire, without the fields that this provider refuses, and with those that it insists on. */
export function inDialect(
  wire: Wire,
  { omits = [], insists = {} }: Pick<BundledDefinition, 'omits' | 'insists'>,
): Wire {
  if (omits.length === 0 && Object.keys(insists).length === 0) return wire
  const adapt = (said: Json): Json => ({
    ...insists,
    ...Object.fromEntries(Object.entries(said).filter(([name]) => !omits.includes(name))),
  })
  return { ...wire, say: (turn) => adapt(asObject(wire.say(turn)) ?? {}), adapt }
}
