/** Who can open backups, and what a mistyped or foreign key is told. */
import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, it } from 'vitest'
import { openFolder } from './destinations/folder.ts'
import {
  checkRecipient,
  isRecoveryKeyOf,
  makeBackupKeys,
  openBackupKeys,
  readBackupKeys,
  readRecoveryKey,
  replaceRecoveryKey,
  storeBackupKeys,
  withFormerKeys,
  writeBackupKeys,
  wrongGroupsIn,
} from './index.ts'

const instanceKey = randomBytes(32)
const makeFolder = async () => openFolder(await mkdtemp(join(tmpdir(), 'backup-keys-')))

it('keys open for the instance, the recovery key and a recipient, and the instance key travels with them', async () => {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  checkRecipient(recipient)
  const { keys, recoveryKey } = await makeBackupKeys({ recipients: [recipient] })
  const folder = await makeFolder()
  await storeBackupKeys(folder, keys, instanceKey)
  for (const secret of [{ instanceKey }, { recoveryKey: recoveryKey.toLowerCase() }, { identity }])
    expect(await openBackupKeys(folder, secret)).toEqual({ keys, instanceKey })
  expect(readBackupKeys(writeBackupKeys(keys))).toEqual(keys)
  expect(() => checkRecipient('age1nobody')).toThrow('no recipient')
})

it('without escrow the instance key stays at home, and what a bucket holds shows neither it nor the backup key', async () => {
  const { keys, recoveryKey } = await makeBackupKeys({ escrow: false })
  const folder = await makeFolder()
  await storeBackupKeys(folder, keys, instanceKey)
  expect(await openBackupKeys(folder, { recoveryKey })).toEqual({ keys, instanceKey: null })
  const bytes = Buffer.from((await folder.read(`${keys.set}/keys`)) ?? [])
  for (const secret of [keys.root, instanceKey, readRecoveryKey(recoveryKey)])
    for (const form of ['base64', 'hex', 'latin1'] as const) expect(bytes.includes(secret.toString(form))).toBe(false)
})

it('after the instance key was replaced all of them open with what took its place, and with the recovery key as before', async () => {
  const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  for (const escrow of [true, false]) {
    const { keys, recoveryKey } = await makeBackupKeys({ escrow })
    const folder = await makeFolder()
    await storeBackupKeys(folder, keys, first)
    await expect(openBackupKeys(folder, { instanceKey: second })).rejects.toMatchObject({ code: 'key' })
    // Whoever still knows the former one opens them, and seals them for the present one.
    const opened = await openBackupKeys(folder, { instanceKey: second, former: [first] })
    await storeBackupKeys(folder, opened.keys, second)
    await expect(openBackupKeys(folder, { instanceKey: first })).rejects.toMatchObject({ code: 'key' })
    // A second time, by somebody who knows nothing of the first key: what the place knows of it stays.
    await storeBackupKeys(folder, withFormerKeys(keys, [second]), third)
    const now = await openBackupKeys(folder, { instanceKey: third })
    expect(now.keys.former).toEqual([first, second])
    const before = await folder.read(`${keys.set}/keys`)
    await storeBackupKeys(folder, withFormerKeys(keys, [second]), third)
    expect(await folder.read(`${keys.set}/keys`)).toEqual(before)
    expect(await openBackupKeys(folder, { recoveryKey })).toEqual({
      keys: { ...keys, former: escrow ? [first, second] : [] },
      instanceKey: escrow ? third : null,
    })
  }
})

it('another key is refused, and keys of several instances at one place are told apart', async () => {
  const folder = await makeFolder()
  await expect(openBackupKeys(folder, { instanceKey })).rejects.toMatchObject({ code: 'missing' })
  const [one, other] = [await makeBackupKeys(), await makeBackupKeys()]
  await storeBackupKeys(folder, one.keys, instanceKey)
  await storeBackupKeys(folder, other.keys, randomBytes(32))
  expect((await openBackupKeys(folder, { instanceKey })).keys).toEqual(one.keys)
  await expect(openBackupKeys(folder, { instanceKey: randomBytes(32) })).rejects.toMatchObject({ code: 'key' })
  await storeBackupKeys(folder, other.keys, instanceKey)
  await expect(openBackupKeys(folder, { instanceKey })).rejects.toMatchObject({ code: 'refused' })
  expect((await openBackupKeys(folder, { instanceKey }, other.keys.set)).keys).toEqual(other.keys)
})

it('a new recovery key opens what is stored from then on, and the former one does not', async () => {
  const folder = await makeFolder()
  const first = await makeBackupKeys()
  const second = await replaceRecoveryKey(first.keys)
  await storeBackupKeys(folder, second.keys, instanceKey)
  expect(await isRecoveryKeyOf(second.keys, second.recoveryKey)).toBe(true)
  expect(await isRecoveryKeyOf(second.keys, first.recoveryKey)).toBe(false)
  await expect(openBackupKeys(folder, { recoveryKey: first.recoveryKey })).rejects.toMatchObject({ code: 'key' })
})

it('an envelope that was exchanged is written anew with the next backup', async () => {
  const folder = await makeFolder()
  const { keys, recoveryKey } = await makeBackupKeys()
  await storeBackupKeys(folder, keys, instanceKey)
  const name = `${keys.set}/keys`
  const file = JSON.parse(Buffer.from((await folder.read(name)) ?? []).toString()) as Record<string, string>
  await folder.write(name, Buffer.from(JSON.stringify({ ...file, recipients: 'AAAA' })))
  await expect(openBackupKeys(folder, { recoveryKey })).rejects.toMatchObject({ code: 'key' })
  await storeBackupKeys(folder, keys, instanceKey)
  expect((await openBackupKeys(folder, { recoveryKey })).keys).toEqual(keys)
})

it('every mistyped character of a recovery key names its group', async () => {
  const { recoveryKey } = await makeBackupKeys()
  expect(wrongGroupsIn(recoveryKey)).toEqual([])
  expect(readRecoveryKey(recoveryKey.replaceAll('-', ' ').toLowerCase())).toHaveLength(32)
  const groups = recoveryKey.split('-')
  for (const [number, group] of groups.entries())
    for (let at = 0; at < 5; at += 1) {
      const other = group[at] === '7' ? '8' : '7'
      const typed = groups.with(number, group.slice(0, at) + other + group.slice(at + 1)).join('-')
      expect(wrongGroupsIn(typed)).toEqual([number + 1])
      expect(() => readRecoveryKey(typed)).toThrow(`group ${number + 1}.`)
    }
  const [first = '', second = '', ...rest] = groups
  if (first !== second) expect(wrongGroupsIn([second, first, ...rest].join('-'))).toEqual([1, 2])
  expect(wrongGroupsIn(groups.slice(0, 12).join('-'))).toEqual([13])
  expect(() => readRecoveryKey('hello')).toThrow('13 groups')
})
