/**
 * Memory of buffers, given back as soon as nobody needs it. V8 counts it as little against its heap and collects it late:
 * a backup or a film that goes through gigabytes would have some two hundred megabytes of it.
 */

/** The memory of bytes that have it for themselves, for whoever moves or frees it; nothing where others share it. */
export const ownMemoryOf = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []

/** What is smaller is collected with all else, and would take longer to give back than to make. */
const leastBytes = 4096

/** Gives back the memory of bytes that nobody reads any more; they are empty then. */
export const freeMemory = (bytes: Uint8Array): void => {
  if (bytes.byteLength >= leastBytes) for (const memory of ownMemoryOf(bytes)) memory.transfer(0)
}

/**
 * Gives back all memory that a view is a part of, of which nobody reads anything any more. What small buffers share is
 * left alone.
 */
export const freeBehind = ({ buffer }: Uint8Array): void => {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0)
}
