/** A folder as a destination. */
import { mkdir, mkdtemp, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSharedRead, readFileSystem } from '../../machine/file-system.ts'
import { openFolder } from './folder.ts'

const makeRoot = (): Promise<string> => mkdtemp(join(tmpdir(), 'destination-'))
const bytesOf = (text: string) => new TextEncoder().encode(text)
const namesOf = async (folder: ReturnType<typeof openFolder>, prefix = '') =>
  (await Array.fromAsync(folder.list(prefix))).map(({ name }) => name)

test('what was written is read, listed by its beginning, replaced and removed', async () => {
  const path = join(await makeRoot(), 'backups')
  const folder = openFolder(path)
  await expect(folder.read('a')).rejects.toMatchObject({ kind: 'missing' })
  await folder.write('chunks/ab/one', bytesOf('one'))
  await folder.write('chunks/ab/one', bytesOf('first'))
  await folder.write('chunks/ac/two', bytesOf(''))
  await folder.write('manifest', bytesOf('all'))
  expect(await folder.read('chunks/ab/one')).toEqual(Buffer.from('first'))
  expect(await folder.read('chunks/ac/two')).toEqual(Buffer.alloc(0))
  expect([await folder.read('chunks/none'), await folder.read('none/one')]).toEqual([undefined, undefined])
  expect(await namesOf(folder)).toEqual(['chunks/ab/one', 'chunks/ac/two', 'manifest'])
  expect(await namesOf(folder, 'chunks/ab/')).toEqual(['chunks/ab/one'])
  expect(await namesOf(folder, 'chu')).toEqual(['chunks/ab/one', 'chunks/ac/two'])
  expect(await namesOf(folder, 'other/')).toEqual([])
  const [first] = await Array.fromAsync(folder.list('chunks/ab/'))
  expect(first).toMatchObject({ bytes: 5, modifiedAt: expect.any(Date) })
  await folder.remove('chunks/ab/one')
  await folder.remove('chunks/ab/one')
  await folder.remove('never/there')
  expect(await namesOf(folder)).toEqual(['chunks/ac/two', 'manifest'])
  expect((await folder.space?.())?.totalBytes).toBeGreaterThan(0)
})

test('names that lead elsewhere are refused', async () => {
  const folder = openFolder(await makeRoot())
  for (const name of ['../a', 'a/../b', '/a', 'a//b', 'a/', 'a/.b', '.a', 'A', 'a b', '', 'a'.repeat(201)]) {
    await expect(folder.write(name, bytesOf('x'))).rejects.toMatchObject({ kind: 'invalid' })
    await expect(folder.read(name)).rejects.toMatchObject({ kind: 'invalid' })
    await expect(folder.remove(name)).rejects.toMatchObject({ kind: 'invalid' })
  }
  expect(await namesOf(folder, '../')).toEqual([])
})

test('links are neither followed nor listed, and what is no file is not read', async () => {
  const root = await makeRoot()
  const outside = await makeRoot()
  await writeFile(join(outside, 'secret'), 'secret')
  await symlink(outside, join(root, 'linked'))
  await symlink(join(outside, 'secret'), join(root, 'link'))
  await mkdir(join(root, 'place'))
  const folder = openFolder(root)
  await expect(folder.read('linked/secret')).rejects.toMatchObject({ kind: 'invalid' })
  await expect(folder.write('linked/new', bytesOf('x'))).rejects.toMatchObject({ kind: 'invalid' })
  await expect(folder.remove('linked/secret')).rejects.toMatchObject({ kind: 'invalid' })
  await expect(folder.read('link')).rejects.toMatchObject({ kind: 'invalid' })
  await expect(folder.read('place')).rejects.toMatchObject({ kind: 'invalid' })
  expect(await namesOf(folder)).toEqual([])
  expect(await readdir(outside)).toEqual(['secret'])
})

test('a write that is called off or has no place leaves nothing, and drafts of long ago are swept', async () => {
  const root = await makeRoot()
  await mkdir(join(root, '.incomplete'))
  const [old, young] = [join(root, '.incomplete', 'old'), join(root, '.incomplete', 'young')]
  await writeFile(old, 'half')
  await writeFile(young, 'half')
  await utimes(old, 1, 1)
  await mkdir(join(root, 'taken'))
  const folder = openFolder(root)
  await expect(folder.write('a', bytesOf('x'), AbortSignal.abort())).rejects.toThrow('abort')
  await expect(folder.write('taken', bytesOf('x'))).rejects.toMatchObject({ kind: 'invalid' })
  expect(await readdir(join(root, '.incomplete'))).toEqual(['young'])
  expect(await namesOf(folder)).toEqual([])
  await expect(openFolder(join(root, 'none', 'deep')).write('a', bytesOf('x'))).rejects.toMatchObject({
    kind: 'missing',
  })
})

test('a folder that can not be made is told', async () => {
  await expect(openFolder('/proc/backups').write('a', bytesOf('x'))).rejects.toMatchObject({
    kind: expect.stringMatching(/missing|denied/),
  })
})

test('on a mount that does not answer, whatever is asked waits for one call, and what is late then does nothing', async () => {
  const path = join(await makeRoot(), 'backups')
  const back = Promise.withResolvers<void>()
  let asked = 0
  const look = createSharedRead(async (at) => {
    asked += 1
    await back.promise
    return await readFileSystem(at)
  })
  const [one, another] = [openFolder(path, look), openFolder(path, look)]
  const late = new AbortController()
  const ended: string[] = []
  const calls = [
    one.write('a', bytesOf('a')),
    one.read('b'),
    namesOf(another),
    another.remove('c'),
    another.space?.(),
    another.write('d', bytesOf('d'), late.signal),
  ].map(async (call, at) => {
    const how = await Promise.resolve(call).then(
      () => 'done',
      () => 'failed',
    )
    ended.push(`${at} ${how}`)
  })
  await expect(readdir(path)).rejects.toMatchObject({ code: 'ENOENT' })
  expect([asked, ended]).toEqual([1, []])
  late.abort()
  back.resolve()
  await Promise.all(calls)
  expect(ended).toContain('0 done')
  expect(ended).toContain('5 failed')
  expect(await namesOf(openFolder(path))).toEqual(['a'])
})
