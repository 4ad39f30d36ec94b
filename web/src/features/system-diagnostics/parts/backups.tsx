import { recoveryBackupRoutes } from '@atrium/contract/recovery-backup'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { queryOf } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { formatDateTime, formatSize } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/section.tsx'
import { useText } from 'virtual:words/system-diagnostics'
import { Facts } from './facts.tsx'

/** When the last backup was made, and whether one came back. */
export function BackupsSection() {
  const t = useText('system-diagnostics')
  const backups = useQuery(queryOf(recoveryBackupRoutes.backupsState))
  const drills = useQuery(queryOf(recoveryBackupRoutes.drills))
  const drill = drills.data?.items[0]
  return (
    <Section
      title={t('backups.title')}
      actions={
        <Button asChild size="small">
          <Link to={links.settings('backups')}>{t('backups.all')}</Link>
        </Button>
      }
    >
      <QueryView query={backups} title={t('backups.notLoaded')} lines={3}>
        {({ lastMadeAt, lastFailure, nextAt }) => (
          <Facts
            facts={[
              [t('backups.last'), lastMadeAt ? formatDateTime(lastMadeAt) : t('backups.never')],
              [t('backups.failed'), lastFailure && formatDateTime(lastFailure.at)],
              [t('backups.next'), nextAt ? formatDateTime(nextAt) : t('overview.noSchedule')],
              [
                t('backups.drill'),
                drill &&
                  t(drill.status === 'passed' ? 'backups.drillPassed' : 'backups.drillFailed', {
                    time: formatDateTime(drill.finishedAt),
                  }),
              ],
              [t('backups.size'), drill?.storedBytes != null && formatSize(drill.storedBytes)],
            ]}
          />
        )}
      </QueryView>
    </Section>
  )
}
