import { auditRoutes } from '@atrium/contract/audit'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { TextRow } from '../../../blocks/setting-row/text-row.tsx'
import { useText } from 'virtual:words/audit'

const helpOf = {
  environment: 'retentionFixed',
  unreadable: 'retentionUnreadable',
  saved: 'retentionHelp',
  default: 'retentionHelp',
} as const

/** How long entries are kept. */
export function Retention() {
  const t = useText('audit')
  const settings = useQuery(queryOf(auditRoutes.settings))
  return (
    <QueryView query={settings}>
      {({ retentionDays, source }) => (
        <TextRow
          id="retention"
          label={t('retention')}
          help={t(helpOf[source])}
          value={String(retentionDays)}
          inputMode="numeric"
          ltr
          onSave={async (text) => {
            const days = Number(text)
            if (!Number.isInteger(days) || days < 30 || days > 3650) throw new Error(t('retentionRange'))
            await call(auditRoutes.saveSettings, { body: { retentionDays: days } })
            await refresh(auditRoutes.settings)
          }}
        />
      )}
    </QueryView>
  )
}
