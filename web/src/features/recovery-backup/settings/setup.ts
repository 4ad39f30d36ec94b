import { recoveryBackupRoutes } from '@atrium/contract/recovery-backup'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../../api/query.ts'
import { links } from '../../../lib/links.ts'
import type { SetupStep } from '../../../lib/settings.ts'

export const setUpBackups: SetupStep = {
  id: 'backups',
  order: 40,
  namespace: 'recovery-backup',
  to: links.settings('backups'),
  useDone() {
    const { data } = useQuery(queryOf(recoveryBackupRoutes.destinations))
    return data && data.items.length > 0
  },
}
