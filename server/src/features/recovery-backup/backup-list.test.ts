import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { makeBackupKeys, storeBackupKeys } from '../../platform/backups/index.ts'
import type { Destination } from '../../platform/backups/destinations/destination.ts'
import { openFolder } from '../../platform/backups/destinations/folder.ts'
import { createBackupList } from './backup-list.ts'

test('a destination that never answers is a problem, and keeps nobody from the backups of the others', async () => {
  const folder = openFolder(await mkdtemp(join(tmpdir(), 'list-')))
  const { keys } = await makeBackupKeys()
  await storeBackupKeys(folder, keys, randomBytes(32))
  await folder.write(`${keys.set}/manifests/20261120t000000000z-00000000`, Buffer.from('damaged'))
  const calledOff: true[] = []
  // Only the time of the silent one is over; the other one has all that it needs.
  const late = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(late.signal)
  const silent: Destination = {
    ...folder,
    list: (_, signal) => {
      signal?.addEventListener('abort', () => calledOff.push(true))
      setImmediate(() => late.abort())
      // Its first entry never comes.
      return { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }
    },
  }
  const { list } = createBackupList({
    destinations: {
      openAll: async () => [
        { id: 'silent', name: 'Silent', destination: silent },
        { id: 'folder', name: 'Folder', destination: folder },
      ],
    },
    keys: { keys: async () => keys },
  })
  expect((await list(new AbortController().signal)).problems).toMatchObject([
    { destinationId: 'silent', id: null, detail: 'It didn’t answer in time.' },
    { destinationId: 'folder', id: '20261120t000000000z-00000000' },
  ])
  expect(calledOff).toEqual([true])
  const left = new AbortController()
  const asked = list(left.signal)
  left.abort(new Error('gone'))
  await expect(asked).rejects.toThrow('gone')
})

test('backups are read a few at a time, and listed newest first', async () => {
  const folder = openFolder(await mkdtemp(join(tmpdir(), 'list-')))
  const { keys } = await makeBackupKeys()
  const ids = [1, 2, 3, 4, 5, 6].map((day) => `2026112${day}t000000000z-00000000`)
  for (const id of ids) await folder.write(`${keys.set}/manifests/${id}`, Buffer.from('damaged'))
  let [running, most] = [0, 0]
  const slow: Destination = {
    ...folder,
    async read(name, signal) {
      running += 1
      most = Math.max(most, running)
      const bytes = await folder.read(name, signal)
      running -= 1
      return bytes
    },
  }
  const { list } = createBackupList({
    destinations: { openAll: async () => [{ id: 'slow', name: 'Slow', destination: slow }] },
    keys: { keys: async () => keys },
  })
  const { problems } = await list(new AbortController().signal)
  expect([problems.map(({ id }) => id), most]).toEqual([ids.toReversed(), 4])
})
