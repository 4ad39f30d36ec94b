import { firstRestoreRoutes } from '@atrium/contract/recovery-backup'
import { call } from '../../../api/client.ts'
import { isTemporary } from '../../../api/query.ts'

export interface BackupFile {
  /** As the server wants it: from the folder of the backups' set on. */
  name: string
  file: File
}

/** The files of backups among those of a folder, wherever in it they lie. */
export const backupFilesIn = (files: readonly File[]): BackupFile[] =>
  files.flatMap((file) => {
    const name = /(?:^|\/)([0-9a-f]{16}\/[a-z0-9./_-]+)$/.exec(file.webkitRelativePath || file.name)?.[1]
    return name === undefined ? [] : [{ name, file }]
  })

export const sizeOf = (files: readonly BackupFile[]): number => files.reduce((sum, { file }) => sum + file.size, 0)

const tries = 5

/** Sends all of them in place of what was sent before, one after the other. Throws `Problem`. */
export async function sendBackup(files: readonly BackupFile[], onSent: (bytes: number) => void): Promise<void> {
  await call(firstRestoreRoutes.dropFirstRestore, {}, { asGuest: true })
  let sent = 0
  for (const { name, file } of files) {
    await sendFile({ name, file })
    sent += file.size
    onSent(sent)
  }
}

/** A network that is away for a moment is waited for. */
async function sendFile({ name, file }: BackupFile): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await call(firstRestoreRoutes.sendBackupObject, { query: { name }, file }, { asGuest: true })
      return
    } catch (error) {
      if (attempt === tries || !isTemporary(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, 1000 * attempt))
    }
  }
}
