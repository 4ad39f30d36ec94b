/**
 * Backups of the instance: where they are kept. It decides when and where; how a backup is made is `platform/backups`.
 * It never tells the secret of a destination.
 */
import type { recoveryBackupRoutes } from '@atrium/contract/recovery-backup'
import type { DiagnosticCheck } from '../../platform/diagnostics/checks.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { destinationsCheck } from './checks.ts'
import { createDestinations, type DestinationsDeps } from './destinations.ts'

export const createRecoveryBackup = (deps: DestinationsDeps) => {
  const destinations = createDestinations(deps)
  const handlers: Handlers<typeof recoveryBackupRoutes> = {
    destinations: async () => ({ items: await destinations.list() }),
    addDestination: ({ body }) => destinations.add(body),
    updateDestination: ({ params: { id }, body }) => destinations.update(id, body),
    async removeDestination({ params: { id } }) {
      await destinations.remove(id)
      return {}
    },
    testDestination: ({ params: { id } }, { signal }) => destinations.test(id, signal),
  }
  const checks: DiagnosticCheck[] = [destinationsCheck(destinations.list)]
  return { handlers, checks, api: undefined }
}
