/** The key of the instance: where it comes from, and who else may read its file. */
import { stat } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { type DiagnosticCheck, reportFailure, reportPass, reportWarning } from '../../../platform/diagnostics/checks.ts'
import { createBoundedRead } from '../../../platform/machine/bounded-read.ts'
import { readFileSystem } from '../../../platform/machine/file-system.ts'
import { type KeyCard, keyFileName } from '../../../platform/vault/instance-key.ts'

export const keyCheck = ({ about, previous }: KeyCard, folder: string, look = readFileSystem): DiagnosticCheck => {
  const path = join(folder, keyFileName)
  const readMode = createBoundedRead(async () => {
    await look(folder)
    return (await stat(path)).mode
  }, waitMs)
  return {
    id: 'key',
    watched: true,
    ofProcess: true,
    async run() {
      const known = `The encryption key has the fingerprint ${about.fingerprint}`
      const rotation =
        previous &&
        reportWarning(
          `The encryption key ${previous.about.fingerprint} is being replaced by ${about.fingerprint}. Run the command below; it resumes if it was interrupted${about.source === 'environment' ? ', and says when ENCRYPTION_KEY_PREVIOUS can go' : ''}.`,
          [{ program: 'shell', lines: 'npm run rotate-key' }],
        )
      if (about.source === 'environment') return rotation ?? reportPass(`${known}, and comes from ENCRYPTION_KEY.`)
      const mode = await readMode()
      if (mode === null) return reportFailure(`The key file ${path} can’t be read, or its disk doesn’t respond.`)
      if (platform() !== 'win32' && (mode & 0o077) !== 0) {
        return reportFailure(`The key file ${path} is readable by others.`, [
          { program: 'shell', lines: `chmod 600 ${path}` },
        ])
      }
      return rotation ?? reportPass(`${known}, and only its owner can read its file.`)
    },
  }
}

const waitMs = 3000
