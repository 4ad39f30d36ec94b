/** Ratios, and how busy the machine is, as this benchmark writes them. */
import { loadavg } from 'node:os'
import { times } from '../row.ts'

export const ratio = (over: number, under: number): string => times(over / under)

/** How busy the machine is, this benchmark included: processes that run or wait to, over the last minute. */
export const busy = (): string => (loadavg()[0] ?? 0).toFixed(1)
