import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { makeBackupKeys, readRecoveryKey } from '../../platform/backups/index.ts'
import { askForSecret } from './secret.ts'

test('a recovery key is typed in one line, or in the two lines of the kit', async () => {
  const { recoveryKey } = await makeBackupKeys()
  const groups = recoveryKey.split('-')
  const twoLines = `${groups.slice(0, 7).join('-')}-\n${groups.slice(7).join('-')}`
  for (const typed of [recoveryKey, twoLines, recoveryKey.toLowerCase()]) {
    const input = new PassThrough()
    const said = new PassThrough()
    const asked = askForSecret(input, said)
    input.write(`${typed}\n`)
    expect(readRecoveryKey(await asked)).toEqual(readRecoveryKey(recoveryKey))
    expect(String(said.read())).toContain('Recovery key')
  }
})
