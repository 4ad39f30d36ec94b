/** Rates that no measure comes near. */
import { type LimitName, limits } from '../contract/src/route.ts'

export const wide = Object.fromEntries(
  Object.keys(limits).map((name) => [name, { max: 10_000_000, windowMs: 60_000 }]),
) as Record<LimitName, { max: number; windowMs: number }>
