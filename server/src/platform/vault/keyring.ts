/** Seals and opens with the data keys of one owner. */
import type { KeyObject } from 'node:crypto'
import { runInWorker } from '../work/work.ts'
import type { BulkTask } from './bulk.ts'
import { keyNumberOf, openSealed, sealPlain } from './seal.ts'
import type { Keyring, Sealed } from './types.ts'

/** Above this many bytes a worker thread does the work: 256 KiB take about a tenth of a millisecond here. */
const inlineBytes = 256 * 1024

/** `keys` by number; the highest one seals. */
export const createKeyring = (keys: ReadonlyMap<number, KeyObject>): Keyring => {
  const newest = Math.max(...keys.keys())
  const sealing = keys.get(newest)
  if (!sealing) throw new Error('A keyring needs a key.')
  const keyOf = (keyNumber: number) => keys.get(keyNumber)
  return {
    seal: (place, rowId, plain) => sealPlain(sealing, newest, place, rowId, Buffer.from(plain, 'utf8')),
    open: (place, rowId, sealed) => openSealed(keyOf, place, rowId, sealed).toString('utf8'),
    async sealBytes(place, rowId, plain) {
      if (plain.byteLength <= inlineBytes) return sealPlain(sealing, newest, place, rowId, plain)
      return await runInWorker<BulkTask, Sealed>(bulk, 'sealBulk', {
        key: sealing,
        keyNumber: newest,
        place,
        rowId,
        bytes: plain,
      })
    },
    async openBytes(place, rowId, sealed) {
      const keyNumber = keyNumberOf(sealed)
      const key = keyOf(keyNumber)
      if (!key || sealed.byteLength <= inlineBytes) return openSealed(keyOf, place, rowId, sealed)
      const task = { key, keyNumber, place, rowId, bytes: sealed }
      return await runInWorker<BulkTask, Uint8Array>(bulk, 'openBulk', task)
    },
  }
}

const bulk = new URL('./bulk.ts', import.meta.url)
