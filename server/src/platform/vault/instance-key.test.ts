import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadInstanceKey } from './instance-key.ts'

let dataDir = ''
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atrium-key-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const load = (options: { value?: string; databaseExists?: boolean; folder?: string } = {}) =>
  loadInstanceKey({
    value: options.value,
    dataDir: options.folder ?? dataDir,
    databaseExists: options.databaseExists ?? false,
  })
const file = () => join(dataDir, 'encryption.key')
const hex = randomBytes(32).toString('hex')

describe('the instance key', () => {
  test('is made once, for its owner alone, and read from then on', async () => {
    const folder = join(dataDir, 'new', 'folder')
    const made = await load({ folder })
    expect(made).toMatchObject({ source: 'new-file', path: join(folder, 'encryption.key') })
    expect(made.key).toHaveLength(32)
    expect((await stat(join(folder, 'encryption.key'))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o077).toBe(0)
    expect(await readFile(join(folder, 'encryption.key'), 'utf8')).toBe(`${made.key.toString('hex')}\n`)
    expect(await readdir(folder)).toEqual(['encryption.key'])
    const again = await load({ folder, databaseExists: true })
    expect(again.source).toBe('file')
    expect(again.key.equals(made.key)).toBe(true)
  })

  test('of twenty processes that start at the same time, all get the same one', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => load()))
    expect(new Set(keys.map(({ key }) => key.toString('hex'))).size).toBe(1)
    expect(keys.filter(({ source }) => source === 'new-file')).toHaveLength(1)
    expect(await readdir(dataDir)).toEqual(['encryption.key'])
  })

  test('comes from the environment first, and then nothing is written', async () => {
    expect(await load({ value: ` ${hex.toUpperCase()}\n` })).toMatchObject({ source: 'environment', path: null })
    expect((await load({ value: hex, databaseExists: true })).key.toString('hex')).toBe(hex)
    expect(await readdir(dataDir)).toEqual([])
  })

  test.each(['abc', `${'a'.repeat(63)}g`, 'a'.repeat(63), 'a'.repeat(65), '0'.repeat(128)])(
    'an environment value that is no key stops with a sentence that does not repeat it: %s',
    async (value) => {
      const failure = (await load({ value }).catch((error: unknown) => error)) as Error
      expect(failure).toMatchObject({ kind: 'key-invalid' })
      expect(failure.message).toContain('ENCRYPTION_KEY')
      expect(failure.message).not.toContain(value)
      expect(await readdir(dataDir)).toEqual([])
    },
  )

  test('missing beside a database stops with a sentence, and nothing is written', async () => {
    await expect(load({ databaseExists: true })).rejects.toMatchObject({
      kind: 'key-missing',
      message: expect.stringContaining('Nothing was changed'),
    })
    expect(await readdir(dataDir)).toEqual([])
  })

  test('a file that others can read is refused, with the command that helps', async () => {
    await writeFile(file(), hex, { mode: 0o600 })
    for (const mode of [0o640, 0o604, 0o644, 0o660, 0o666]) {
      await chmod(file(), mode)
      await expect(load()).rejects.toMatchObject({ kind: 'key-invalid', message: expect.stringContaining('chmod 600') })
    }
    await chmod(file(), 0o400)
    expect((await load()).key.toString('hex')).toBe(hex)
  })

  test('a link, a folder and a dangling link are refused', async () => {
    const real = join(dataDir, 'elsewhere')
    await writeFile(real, hex, { mode: 0o600 })
    await symlink(real, file())
    await expect(load()).rejects.toMatchObject({ kind: 'key-invalid', message: expect.stringContaining('plain file') })
    await rm(file())
    await symlink(join(dataDir, 'nowhere'), file())
    await expect(load()).rejects.toMatchObject({ kind: 'key-invalid' })
    await rm(file())
    await mkdir(file())
    await expect(load()).rejects.toMatchObject({ kind: 'key-invalid' })
    expect((await readdir(dataDir)).sort()).toEqual(['elsewhere', 'encryption.key'])
  })

  test.each(['', 'not a key', hex.slice(1), 'x'.repeat(5000)])(
    'a damaged file is refused and left alone: %j',
    async (content) => {
      await writeFile(file(), content, { mode: 0o600 })
      await expect(load()).rejects.toMatchObject({ kind: 'key-invalid' })
      expect(await readFile(file(), 'utf8')).toBe(content)
    },
  )
})
