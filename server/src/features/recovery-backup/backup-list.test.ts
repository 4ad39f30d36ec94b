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
