import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { ChatFile } from '../../core/generation/index.ts'
import { createFiles } from '../../platform/files/files.ts'
import { fileMigrations } from '../../platform/files/tables.ts'
import { createLog } from '../../platform/log/log.ts'
import { createSandbox } from '../../platform/sandbox/index.ts'
import { vaultMigrations } from '../../platform/vault/tables.ts'
import { openVault } from '../../platform/vault/vault.ts'
import { callTool } from '../../testing/call-tool.ts'
import { testClock } from '../../testing/clock.ts'
import { onBothDatabases, usualDialects } from '../../testing/databases.ts'
import { createTestFeatures } from '../../testing/features.ts'
import { settingsInMemory } from '../../testing/settings.ts'
import { codeInterpreterMigrations, codeInterpreterSettings, createCodeInterpreter, declareCode } from './index.ts'
import { type CodeFileStore, createCodeFileStore, type StoredFile } from './store.ts'

onBothDatabases('code as a tool of models', (open, dialect) => {
  let feature: ReturnType<typeof createCodeInterpreter>
  let store: CodeFileStore
  let role: 'admin' | 'user' | null = 'user'
  let room = 0
  let documents: readonly ChatFile[] = []
  const clock = testClock()
  const sandbox = createSandbox()

  beforeAll(async () => {
    const database = await open([...vaultMigrations, ...fileMigrations, ...codeInterpreterMigrations])
    const vault = await openVault({ database, instanceKey: Buffer.alloc(32, 3), clock })
    const limits = { quotaBytes: async () => room, freeBytes: async () => null, keptFreeBytes: 0 }
    const files = createFiles({ database, vault, clock, limits })
    store = createCodeFileStore({ database, files, vault })
    const settings = settingsInMemory({ database, vault, clock }).bind(codeInterpreterSettings).access
    const features = createTestFeatures(database, () => role)
    features.register(declareCode(settings))
    feature = createCodeInterpreter({
      clock,
      database,
      vault,
      log: createLog({ level: 'silent' }),
      files,
      features,
      sandbox,
      listAttachments: async () => [],
      listDocuments: async () => documents,
    })
    return () => sandbox.close()
  })
  beforeEach(() => {
    role = 'user'
    room = 0
    documents = []
  })
  const python = (code: string, chatId: string | null = 'chat') =>
    callTool(feature.tools, 'run_code', 'ann', { language: 'python', code }, { chatId })

  const storedFile = (id: string, more: Partial<StoredFile> = {}): StoredFile => ({
    id,
    account_id: 'ben',
    chat_id: 'full',
    folder: 'keep',
    name: id,
    size_bytes: 1,
    created_at: 1,
    expires_at: null,
    ...more,
  })

  test('keeps no more for a chat than it may, also where two programs leave files at the same time', async () => {
    const size_bytes = 30 * 1024 * 1024
    expect(await store.replace([storedFile('first', { size_bytes })], [])).toBeNull()
    expect(await store.replace([storedFile('second', { size_bytes })], [])).toBe('too_large_keep')
    expect(await store.replace([storedFile('instead', { size_bytes })], ['first'])).toBeNull()
    const many = Array.from({ length: 500 }, (_, n) => storedFile(`one-of-many-${n}`))
    expect(await store.replace(many, [])).toBe('too_many_keep')
    expect((await store.ofChat('ben', 'full', 'keep')).map(({ id }) => id)).toEqual(['instead'])
  })

  test('removes all that expired, however much it is', async () => {
    const expired = { folder: 'out', chat_id: null, expires_at: 5 } as const
    const files = Array.from({ length: 501 }, (_, n) => storedFile(`expires-${n}`, expired))
    await store.replace([...files, storedFile('stays', { ...expired, expires_at: 10 })], [])
    await store.removeExpired(6, new AbortController().signal)
    expect((await store.ofNoChat('ben')).map(({ id }) => id)).toEqual(['stays'])
  })

  test('two at once leave one file of each path, and its content is that of one of them', async () => {
    const keep = (word: string) =>
      python(`open('/keep/same', 'w').write('${word}')\nopen('/keep/${word}', 'w')`, 'both')
    for (const { isError, text } of await Promise.all([keep('one'), keep('two')])) expect(isError, text).toBeFalsy()
    const listed = await python(`import os\nprint(sorted(os.listdir('/keep')), open('/keep/same').read())`, 'both')
    expect(listed.text).toMatch(/^\['one', 'same', 'two'\] (one|two)$/)
    const kept = await feature.resources['code-file'].storage.largest('ann', 100)
    expect(kept.filter(({ chatId, name }) => chatId === 'both' && name === 'same')).toHaveLength(1)
  })

  // How a program runs, and what it is told, does not depend on the database.
  if (!usualDialects.includes(dialect)) return

  test('tells what was printed, gives what it made, and keeps files for the next call', async () => {
    const bytes = Buffer.from('one\ntwo\n')
    documents = [{ name: 'lines.txt', sizeBytes: bytes.byteLength, read: async () => bytes }]
    const first = await python(
      `print(sum(1 for line in open('/files/lines.txt')))
open('/keep/state.json', 'w').write('{}')
open('/out/dot.png', 'wb').write(b'\\x89PNG')
open('/out/table.csv', 'w').write('a')`,
    )
    expect(first).toMatchObject({
      isError: false,
      text: '2\n\nGiven to the user: dot.png (4 bytes), table.csv (1 bytes)',
    })
    expect(first.media?.map(({ mediaType, name, bytes }) => [mediaType, name, bytes.byteLength])).toEqual([
      ['image/png', 'dot.png', 4],
      ['text/csv', 'table.csv', 1],
    ])
    expect((await python(`print(open('/keep/state.json').read())`)).text).toBe('{}')
    expect((await python(`import os\nprint(os.listdir('/keep'))`, 'other')).text).toBe('[]')
    await feature.removeChat('chat')
    expect((await python(`import os\nprint(os.listdir('/keep'))`)).text).toBe('[]')
  })

  test('tells the model what went wrong, so that it can do something about it', async () => {
    const failed = await python('print(1)\n1 / 0')
    expect(failed.isError).toBe(true)
    expect(failed.text).toMatch(/^The program ended with an error\.\n\n1\n\nErrors:\nTraceback[^]*ZeroDivisionError/)
    expect((await python('x = 1')).text).toBe('The program printed nothing.')
    role = null
    expect(await python('1')).toMatchObject({ isError: true, text: 'Running code is not available to this account.' })
  })

  test('where there is no room, nothing of it stays', async () => {
    const keeps = () => feature.resources['code-file'].storage.sum('ann')
    const before = await keeps()
    room = 10
    const full = await python(`open('/keep/a', 'w').write('x' * 8)\nopen('/keep/b', 'w').write('x' * 8)`, 'full')
    expect(full.text).toContain('There is no room for the files that it wrote')
    room = 0
    expect(await keeps()).toEqual(before)
  })

  test('more than a chat may keep leaves what it kept as it was', async () => {
    await python(`open('/keep/a', 'w').write('first')`, 'many')
    const many = await python(`for n in range(501): open(f'/keep/{n}', 'w').close()\nopen('/keep/a', 'w')`, 'many')
    expect(many.text).toContain('more than 500 files in /keep')
    expect((await python(`print(open('/keep/a').read())`, 'many')).text).toBe('first')
  })
})
