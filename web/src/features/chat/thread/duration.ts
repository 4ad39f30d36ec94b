import { formatNumber } from '../../../lib/format.ts'

/** `640 ms`, `4.2 s`, `3 min`. */
export function formatElapsed(ms: number): string {
  if (ms < 1000) return formatNumber(Math.round(ms), { style: 'unit', unit: 'millisecond' })
  const seconds = ms / 1000
  if (seconds < 120)
    return formatNumber(seconds, { style: 'unit', unit: 'second', maximumFractionDigits: seconds < 10 ? 1 : 0 })
  return formatNumber(seconds / 60, { style: 'unit', unit: 'minute', maximumFractionDigits: 1 })
}
