/** How figures of this benchmark are told. */
import { loadavg } from 'node:os'

/** Name of a measure, its figure, what it aims at. */
export type Row = readonly [string, string, string]

export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
export const ratio = (over: number, under: number): string => `${(over / under).toFixed(2)}×`

/** How busy the machine is, this benchmark included: processes that run or wait to, over the last minute. */
export const busy = (): string => (loadavg()[0] ?? 0).toFixed(1)
