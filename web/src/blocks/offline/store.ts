/**
 * The one store on a device for reading without a network: a database of the browser whose entries are sealed with
 * AES-256-GCM. The key is made here and cannot be taken out of the browser; pages of this address can use it, so it keeps
 * out whoever copies the files, not whoever uses the open browser.
 */
import { type KeptPlace, mostOfGroup } from './kept.ts'

interface Entry extends KeptPlace {
  readonly usedAt: number
  readonly size: number
  readonly iv: Uint8Array<ArrayBuffer>
  readonly data: ArrayBuffer
}

const databaseName = 'atrium-offline'
/** Larger answers are left out. */
const mostLetters = 1_000_000

let opening: Promise<IDBDatabase> | null = null

const open = (): Promise<IDBDatabase> => {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('keys')
      request.result.createObjectStore('entries', { keyPath: 'name' }).createIndex('group', 'group')
    }
    request.onsuccess = () => {
      // Another tab removes it: this one is not in its way.
      request.result.onversionchange = () => {
        request.result.close()
        opening = null
      }
      resolve(request.result)
    }
    request.onerror = () => reject(request.error ?? new Error('The database of the browser does not open.'))
  })
  return opening
}

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The database of the browser refused.'))
  })

const entriesOf = (database: IDBDatabase, mode: IDBTransactionMode): IDBObjectStore =>
  database.transaction('entries', mode).objectStore('entries')

const keyOf = async (database: IDBDatabase): Promise<CryptoKey> => {
  const there = (await settled(database.transaction('keys').objectStore('keys').get('seal'))) as CryptoKey | undefined
  if (there) return there
  const fresh = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const keys = database.transaction('keys', 'readwrite').objectStore('keys')
  // Of two tabs that begin at once, the first one's key stays.
  await settled(keys.add(fresh, 'seal')).catch(() => undefined)
  return (await settled(database.transaction('keys').objectStore('keys').get('seal'))) as CryptoKey
}

/** Keeps a value in the place of the one before, and lets go of what was read longest ago. */
export async function putEntry({ name, group }: KeptPlace, value: unknown): Promise<void> {
  const text = JSON.stringify(value)
  if (text.length > mostLetters) return
  const database = await open()
  const key = await keyOf(database)
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const additionalData = new TextEncoder().encode(name)
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, new TextEncoder().encode(text))
  const entry: Entry = { name, group, usedAt: Date.now(), size: data.byteLength, iv, data }
  await settled(entriesOf(database, 'readwrite').put(entry))
  const same = (await settled(entriesOf(database, 'readonly').index('group').getAll(group))) as Entry[]
  const old = same.toSorted((one, other) => other.usedAt - one.usedAt).slice(mostOfGroup[group])
  for (const { name: gone } of old) await settled(entriesOf(database, 'readwrite').delete(gone))
}

/** undefined: it is not kept, or cannot be opened. */
export async function readEntry(name: string): Promise<unknown> {
  const database = await open()
  const entry = (await settled(entriesOf(database, 'readonly').get(name))) as Entry | undefined
  if (!entry) return undefined
  const { iv, data } = entry
  const algorithm = { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(name) }
  const opened = await crypto.subtle.decrypt(algorithm, await keyOf(database), data)
  return JSON.parse(new TextDecoder().decode(opened)) as unknown
}

/** Removes those of the entries that are chosen. */
export async function removeEntries(choose: (kept: readonly KeptPlace[]) => readonly KeptPlace[]): Promise<void> {
  const database = await open()
  const all = (await settled(entriesOf(database, 'readonly').getAll())) as Entry[]
  for (const { name } of choose(all)) await settled(entriesOf(database, 'readwrite').delete(name))
}

/** How much room it takes, in bytes. */
export async function sizeOfEntries(): Promise<number> {
  const entries = (await settled(entriesOf(await open(), 'readonly').getAll())) as Entry[]
  return entries.reduce((sum, { size }) => sum + size, 0)
}

/** Removes all of it, the key included. */
export async function removeDatabase(): Promise<void> {
  const database = await opening
  database?.close()
  opening = null
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(databaseName)
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error ?? new Error('The database of the browser is not removed.'))
  })
}
