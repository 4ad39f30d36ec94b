import { statfs } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createFilesystemReader, filesystemUsage } from './filesystems.ts'

test.each([
  ['a disk that keeps some for the system', { blocks: 100, bfree: 50, bavail: 30 }, [100_000, 30_000, 50_000, 62.5]],
  ['blocks counted in fragments', { frsize: 10, blocks: 100, bfree: 50, bavail: 50 }, [1000, 500, 500, 50]],
  ['a full disk', { blocks: 100, bfree: 5, bavail: 0 }, [100_000, 0, 95_000, 100]],
  ['a file system without blocks', { blocks: 0, bfree: 0, bavail: 0 }, [0, 0, 0, 0]],
  ['one that counts below nothing', { blocks: 100, bfree: 0, bavail: -5 }, [100_000, 0, 100_000, 100]],
])('%s', (_, fields, [totalBytes, freeBytes, usedBytes, usedPercent]) => {
  const folder = { label: 'root', path: '/' }
  expect(filesystemUsage(folder, { bsize: 1000, ...fields })).toEqual({
    ...folder,
    totalBytes,
    freeBytes,
    usedBytes,
    usedPercent,
  })
})

test('a folder named twice is told once, and one that is not there is left out', async () => {
  const read = createFilesystemReader([
    { label: 'root', path: '/' },
    { label: 'data', path: '/' },
    { label: 'gone', path: '/no/such/folder' },
  ])
  const found = await read()
  expect(found).toMatchObject([{ label: 'root', path: '/' }])
  expect(found[0]?.totalBytes).toBeGreaterThan(0)
})

test('a dead mount leaves the others as they are, and is asked once', async () => {
  const asked: string[] = []
  const read = createFilesystemReader(
    [
      { label: 'root', path: '/' },
      { label: 'data', path: '/mnt/dead' },
    ],
    {
      readStats: (path) => {
        asked.push(path)
        return path === '/' ? statfs(path) : new Promise(() => undefined)
      },
      waitMs: 1500,
    },
  )
  for (let n = 0; n < 3; n++) expect(await read()).toMatchObject([{ label: 'root' }])
  expect(asked.filter((path) => path !== '/')).toEqual(['/mnt/dead'])
})
