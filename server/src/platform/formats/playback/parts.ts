/** A file that is read in places, so that a film need not be in memory to be looked at. */
export interface ReadableParts {
  readonly size: number
  /** From one place up to another, the last one left out; less at the end of the file. */
  read(start: number, end: number): Promise<Buffer>
}

export const partsOf = (bytes: Uint8Array): ReadableParts => {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { size: data.length, read: async (start, end) => data.subarray(start, end) }
}

/** How long a film or a sound is and how large its picture, as far as the file says. */
export interface Measures {
  readonly durationMs: number | null
  /** In pixels, as it is shown. */
  readonly width: number | null
  readonly height: number | null
}

export const unmeasured: Measures = { durationMs: null, width: null, height: null }

/** A length in milliseconds, or null where a file says something that cannot be. */
export const soundLength = (seconds: number): Measures => ({
  durationMs: Number.isFinite(seconds) && seconds > 0 && seconds < longestSeconds ? Math.round(seconds * 1000) : null,
  width: null,
  height: null,
})
const longestSeconds = 7 * 24 * 3600
