import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readFileSystem } from '../../platform/machine/file-system.ts'
import { isOnDisk } from './disks.ts'

const makeFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-disks-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('a folder that is not there yet will lie on the disk of the one above', async () => {
  const folder = await makeFolder()
  expect(await isOnDisk(join(folder, 'not', 'yet'), folder)).toBe(true)
  expect(await isOnDisk('/dev', folder)).toBe(false)
})

test('nothing is said of a folder that does not answer, and the one above is not asked in its place', async () => {
  const folder = await makeFolder()
  const dead = join(folder, 'dead')
  const asked: string[] = []
  const look = (path: string) => {
    asked.push(path)
    return path === dead ? new Promise<never>(() => undefined) : readFileSystem(path)
  }
  expect(await isOnDisk(dead, folder, look)).toBe(null)
  expect(asked.filter((path) => path !== folder)).toEqual([dead])
})
