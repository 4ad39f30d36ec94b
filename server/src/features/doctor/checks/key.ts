/** The key of the instance: where it comes from, and who else may read its file. */
import { stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { type DiagnosticCheck, reportFailure, reportPass } from '../../../platform/diagnostics/checks.ts'
import { type KeyCard, keyFileName } from '../../../platform/vault/instance-key.ts'

export const keyCheck = ({ about }: KeyCard, folder: string): DiagnosticCheck => ({
  id: 'key',
  watched: true,
  async run() {
    const known = `The encryption key has the fingerprint ${about.fingerprint}`
    if (about.source === 'environment') return reportPass(`${known}, and comes from ENCRYPTION_KEY.`)
    const path = join(folder, keyFileName)
    const { mode } = await stat(path)
    if (platform() !== 'win32' && (mode & 0o077) !== 0) {
      return reportFailure(`The key file ${path} can be read by others.`, [
        { program: 'shell', lines: `chmod 600 ${path}` },
      ])
    }
    return reportPass(`${known}, and its file is readable by its owner alone.`)
  },
})
