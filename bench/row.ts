/** Rows of the tables that benchmarks print, and how their figures are written. */

/** Name of a measure, its figure, what it aims at. */
export type Row = readonly [string, string, string]

/** Milliseconds, with one decimal below ten. */
export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
export const times = (value: number): string => `${value.toFixed(2)}×`
