/** Destinations over HTTP, against servers that are strict about their protocols and can be told to fail. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startS3Server } from '../../../testing/s3-server.ts'
import { startWebDavServer } from '../../../testing/webdav-server.ts'
import { createLog } from '../../log/log.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import type { Destination } from './destination.ts'
import { openS3, type S3Options } from './s3.ts'
import { openWebDav } from './webdav.ts'

const s3 = await startS3Server()
const webDav = await startWebDavServer()
const allowed = new Set([new URL(s3.url).host, `backups.${new URL(s3.url).host}`, new URL(webDav.options.url).host])
const outbound = createOutbound({
  allowed: () => allowed,
  log: createLog({ level: 'silent' }),
  resolve: async () => ['127.0.0.1'],
})
const deps = { outbound, now: () => Date.now(), backOffMs: 1 }
const s3Options: S3Options = { ...s3.options, prefix: 'atrium/home', pathStyle: true }
const soundFaults = { s3: { ...s3.faults }, webDav: { ...webDav.faults } }

beforeEach(() => {
  Object.assign(s3.faults, soundFaults.s3)
  Object.assign(webDav.faults, soundFaults.webDav)
  s3.objects.clear()
  webDav.entries.clear()
  webDav.entries.set('/', { bytes: null, at: new Date() })
})
afterAll(async () => {
  await outbound.close()
  await s3.close()
  await webDav.close()
})

const bytesOf = (text: string) => new TextEncoder().encode(text)
const namesIn = async (destination: Destination, prefix = '') =>
  (await Array.fromAsync(destination.list(prefix))).map(({ name }) => name).toSorted((a, b) => (a < b ? -1 : 1))

const destinations: [string, () => Destination][] = [
  ['S3 storage with the bucket in the path', () => openS3(s3Options, deps)],
  ['S3 storage with the bucket before the host', () => openS3({ ...s3Options, pathStyle: false, prefix: '' }, deps)],
  ['a WebDAV server', () => openWebDav(webDav.options, deps)],
  [
    'a WebDAV server that can not move',
    () => {
      webDav.faults.cannotMove = true
      return openWebDav(webDav.options, deps)
    },
  ],
]

describe.each(destinations)('%s', (_, open) => {
  test('keeps, lists page by page, replaces and removes what it is given', async () => {
    const destination = open()
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((letter) => `chunks/${letter}/0${letter}`)
    for (const name of names) await destination.write(name, bytesOf(name))
    await destination.write('chunks/a/0a', bytesOf('new'))
    await destination.write('manifest', bytesOf(''))
    expect(await destination.read('chunks/a/0a')).toEqual(Buffer.from('new'))
    expect(await destination.read('manifest')).toEqual(Buffer.alloc(0))
    expect([await destination.read('none'), await destination.read('none/b')]).toEqual([undefined, undefined])
    expect(await namesIn(destination)).toEqual([...names, 'manifest'])
    expect(await namesIn(destination, 'chunks/b')).toEqual(['chunks/b/0b'])
    expect(await namesIn(destination, 'none/')).toEqual([])
    const [first] = await Array.fromAsync(destination.list('chunks/a/'))
    expect(first).toMatchObject({ name: 'chunks/a/0a', bytes: 3 })
    expect(Math.abs((first?.modifiedAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
    await destination.remove('chunks/a/0a')
    await destination.remove('chunks/a/0a')
    expect(await namesIn(destination, 'chunks/a/')).toEqual([])
    await expect(destination.write('../up', bytesOf('x'))).rejects.toMatchObject({ kind: 'invalid' })
    await expect(destination.write('a', bytesOf('x'), AbortSignal.abort())).rejects.toThrow('abort')
  })
})

describe('S3 storage', () => {
  const open = (more: Partial<S3Options> = {}) => openS3({ ...s3Options, ...more }, deps)

  test('is asked again while it is busy or cuts connections, and given up after five times', async () => {
    s3.faults.slowDowns = 2
    s3.faults.cuts = 2
    await open().write('a', bytesOf('x'))
    expect(await open().read('a')).toEqual(Buffer.from('x'))
    s3.faults.slowDowns = 5
    await expect(open().read('a')).rejects.toMatchObject({ kind: 'unreachable' })
    expect(s3.faults.slowDowns).toBe(0)
  })

  test.each([
    ['full', { full: true }, {}, 'full'],
    ['read-only', { readOnly: true }, {}, 'denied'],
    ['elsewhere', { redirect: true }, {}, 'invalid'],
    ['asked with another secret', {}, { secretAccessKey: 'wrong' }, 'denied'],
    ['asked with another key', {}, { accessKeyId: 'AKIAOTHER' }, 'denied'],
    ['asked for another region', {}, { region: 'us-east-1' }, 'invalid'],
    ['asked for another bucket', {}, { bucket: 'other' }, 'missing'],
  ] as const)('says in words that it is %s', async (_, faults, more, kind) => {
    Object.assign(s3.faults, faults)
    const failure: unknown = await open(more)
      .write('a', bytesOf('x'))
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind, message: expect.stringMatching(/^[A-Z].*\.$/) })
    expect(String(failure)).not.toContain(s3.options.secretAccessKey)
    expect(s3.objects.size).toBe(0)
  })

  test('names the region that a bucket is in, and is not followed there', async () => {
    s3.faults.redirect = true
    await expect(open().read('a')).rejects.toThrow('us-west-2')
  })

  test('says that clocks are apart', async () => {
    const late = openS3(s3Options, { ...deps, now: () => Date.now() - 3600_000 })
    await expect(late.read('a')).rejects.toThrow('clocks')
  })

  test('says what a lock keeps, as something apart from all other refusals', async () => {
    await open().write('a', bytesOf('x'))
    s3.faults.locked = true
    await expect(open().remove('a')).rejects.toMatchObject({ kind: 'locked' })
    await expect(open({ secretAccessKey: 'wrong' }).remove('a')).rejects.toMatchObject({ kind: 'denied' })
  })

  test.each(['foreign', 'endless', 'cut'] as const)('a listing that is %s is refused', async (listing) => {
    await open().write('a', bytesOf('x'))
    s3.faults.listing = listing
    await expect(namesIn(open())).rejects.toMatchObject({ kind: 'invalid' })
  })

  test('an address that the gate does not allow is never called', async () => {
    const before = s3.requests.length
    const elsewhere = open({ endpoint: s3.url.replace('localhost', '127.0.0.1') })
    await expect(elsewhere.read('a')).rejects.toMatchObject({ kind: 'invalid' })
    expect(s3.requests.length).toBe(before)
  })
})

describe('a WebDAV server', () => {
  const open = (more: object = {}) => openWebDav({ ...webDav.options, ...more }, deps)

  test('gets a file under its name only when it is whole, and keeps the one that was there otherwise', async () => {
    await open().write('a', bytesOf('before'))
    webDav.faults.full = true
    await expect(open().write('a', bytesOf('after'))).rejects.toMatchObject({ kind: 'full' })
    expect(await open().read('a')).toEqual(Buffer.from('before'))
    expect([...webDav.entries.keys()]).toEqual(['/', '/backups/', '/backups/.incomplete/', '/backups/a'])
  })

  test('is rid of what a process left a day ago', async () => {
    await open().write('a', bytesOf('x'))
    webDav.entries.set('/backups/.incomplete/old', { bytes: Buffer.from('half'), at: new Date(0) })
    webDav.entries.set('/backups/.incomplete/young', { bytes: Buffer.from('half'), at: new Date() })
    await open().write('b', bytesOf('x'))
    expect([...webDav.entries.keys()].filter((path) => /old|young/.test(path))).toEqual(['/backups/.incomplete/young'])
  })

  test.each([
    ['read-only', { readOnly: true }, {}, 'denied'],
    ['elsewhere', { redirect: true }, {}, 'invalid'],
    ['asked with another password', {}, { password: 'wrong' }, 'denied'],
    ['busy all the time', { busy: 5 }, {}, 'unreachable'],
  ] as const)('says in words that it is %s', async (_, faults, more, kind) => {
    Object.assign(webDav.faults, faults)
    await expect(open(more).write('a', bytesOf('x'))).rejects.toMatchObject({ kind })
  })

  test('says what it keeps, how much room there is, and that its listing is broken', async () => {
    const destination = open()
    await destination.write('a', bytesOf('x'))
    expect(await destination.space?.()).toEqual({ totalBytes: 1000, freeBytes: 900 })
    webDav.faults.listing = 'foreign'
    expect(await namesIn(destination)).toEqual(['a'])
    webDav.faults.listing = 'cut'
    await expect(namesIn(destination)).rejects.toMatchObject({ kind: 'invalid' })
    webDav.faults.locked = true
    await expect(destination.remove('a')).rejects.toMatchObject({ kind: 'locked' })
  })
})
