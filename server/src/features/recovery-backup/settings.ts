/** What the environment says of backups. */
import { z } from 'zod'
import { declareVariables } from '../../platform/settings/index.ts'

export const backupVariables = declareVariables({
  BACKUP_FOLDER: [
    z
      .string()
      .trim()
      .max(1000)
      .regex(/^(\/|[A-Za-z]:[\\/])/, 'must be a whole path, from the root on'),
    'a folder in which backups are kept, best on another disk than DATA_DIR; further places are named in the app',
  ],
})
