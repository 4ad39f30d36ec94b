import { backupSchedules, recoveryBackupRoutes as routes } from '@atrium/contract/recovery-backup'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Select } from '../../../ui/select.tsx'
import { useText } from 'virtual:words/recovery-backup'

/** How often backups are made. */
export function Schedule() {
  const t = useText('recovery-backup')
  const settings = useQuery(queryOf(routes.settings))
  const { saving, save } = useSave()
  return (
    <div className="mt-6">
      <QueryView query={settings} lines={1}>
        {({ schedule, source }) => (
          <Row
            id="schedule"
            label={t('schedule')}
            help={t('scheduleHelp')}
            saving={saving}
            source={source === 'environment' && <Badge tone="info">{t('fixedSchedule')}</Badge>}
          >
            {(names) => (
              <Select
                {...names}
                value={schedule}
                disabled={source === 'environment'}
                onChange={(next) =>
                  void save(async () => {
                    await call(routes.updateSettings, { body: { schedule: next } })
                    await Promise.all([refresh(routes.settings), refresh(routes.backupsState)])
                  })
                }
                options={backupSchedules.map((value) => ({ value, label: t(`schedules.${value}`) }))}
              />
            )}
          </Row>
        )}
      </QueryView>
    </div>
  )
}
