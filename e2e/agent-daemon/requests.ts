/** What the parts of the daemon read of requests, as leniently as it does. */

export type Body = Readonly<Record<string, unknown>>

export class DaemonError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Numbers below 1 become 1, what is none becomes the usual one. */
export const clampOf = (written: string | null, usual: number, most = Number.MAX_SAFE_INTEGER): number => {
  const value = written === null || written === '' ? Number.NaN : Number(written)
  return Number.isFinite(value) ? Math.min(most, Math.max(1, Math.trunc(value))) : usual
}

export const textOf = (body: Body, name: string): string => {
  const value = body[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** Local time with microseconds and without a zone. */
export const localTime = (at = new Date()): string => {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
  return `${day}T${clock}.${String(at.getMilliseconds()).padStart(3, '0')}000`
}

/** `run-20261120-160000-0a1b2c3d`. */
export const stamp = (word: string): string => {
  const time = localTime().replace(/[-:]/g, '').replace('T', '-').slice(0, 15)
  return `${word}-${time}-${Math.floor(Math.random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')}`
}
