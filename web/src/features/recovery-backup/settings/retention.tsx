import {
  type BackupRetention,
  type BackupRetentionPreview,
  recoveryBackupRoutes as routes,
  retentionPeriods,
} from '@atrium/contract/recovery-backup'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Section } from '../../../blocks/setting-row/section.tsx'
import { formatDateTime, formatList } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { useText } from 'virtual:words/recovery-backup'

type Period = keyof BackupRetention
const most = 1000
const listed = 8

/** How many backups stay. What would go is shown before it is saved. */
export function Retention() {
  const t = useText('recovery-backup')
  const settings = useQuery(queryOf(routes.retention))
  return (
    <Section id="retention" title={t('retention')} text={t('retentionText')}>
      <QueryView query={settings} lines={2}>
        {({ policy, sources }) => (
          <Form key={JSON.stringify(policy)} policy={policy} isFixed={(period) => sources[period] === 'environment'} />
        )}
      </QueryView>
    </Section>
  )
}

function Form({ policy, isFixed }: { policy: BackupRetention; isFixed: (period: Period) => boolean }) {
  const t = useText('recovery-backup')
  const [typed, setTyped] = useState<Partial<Record<Period, string>>>({})
  const [preview, setPreview] = useState<BackupRetentionPreview | null>(null)
  const destinations = useQuery(queryOf(routes.destinations))
  const nameOf = (id: string) => destinations.data?.items.find((one) => one.id === id)?.name ?? id
  const numberOf = (period: Period) => Number(typed[period] ?? policy[period])
  const isSound = (period: Period) =>
    Number.isInteger(numberOf(period)) && numberOf(period) >= 0 && numberOf(period) <= most
  const changed = retentionPeriods.filter((period) => numberOf(period) !== policy[period])
  const wish = Object.fromEntries(changed.map((period) => [period, numberOf(period)]))
  const save = useMutation({
    mutationFn: () => call(routes.updateRetention, { body: wish }),
    onSuccess: () => refresh(routes.retention),
    onSettled: () => setPreview(null),
  })
  const look = useMutation({
    mutationFn: () => call(routes.previewRetention, { body: { ...policy, ...wish } }),
    onSuccess: (seen) => (seen.items.length + seen.problems.length === 0 ? save.mutate() : setPreview(seen)),
  })
  const problem = look.error ?? save.error
  const { items: going, problems } = preview ?? { items: [], problems: [] }
  const unread = problems.map(({ destinationId }) => nameOf(destinationId))
  function submit(event: FormEvent) {
    event.preventDefault()
    if (retentionPeriods.every(isSound)) look.mutate()
  }
  return (
    <form onSubmit={submit}>
      <div className="mt-2 grid grid-cols-2 gap-3 tab:grid-cols-4">
        {retentionPeriods.map((period) => (
          <Field
            key={period}
            label={t(`retentionOf.${period}`)}
            hint={isFixed(period) ? t('fixedBy', { name: `BACKUP_KEEP_${period.toUpperCase()}` }) : undefined}
            error={isSound(period) ? null : t('retentionRange')}
          >
            <Input
              dir="ltr"
              inputMode="numeric"
              value={typed[period] ?? String(policy[period])}
              disabled={isFixed(period)}
              onChange={(event) => setTyped({ ...typed, [period]: event.target.value })}
            />
          </Field>
        ))}
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button type="submit" busy={look.isPending || save.isPending} disabled={changed.length === 0}>
          {t('save')}
        </Button>
        {problem && (
          <p role="alert" className="text-sm text-danger-ink">
            {wordsOf(problem)}
          </p>
        )}
      </div>
      <ConfirmDialog
        open={preview !== null}
        onOpenChange={(open) => !open && setPreview(null)}
        title={going.length > 0 ? t('retentionTitle', { count: going.length }) : t('retentionUnreadTitle')}
        confirm={t('save')}
        danger
        busy={save.isPending}
        onConfirm={() => save.mutate()}
      >
        {going.length > 0 && (
          <span className="block">
            {t('retentionGoing')}{' '}
            {going
              .slice(0, listed)
              .map(({ createdAt }) => formatDateTime(createdAt))
              .join('; ')}
            {going.length > listed && ` ${t('retentionMore', { count: going.length - listed })}`}
          </span>
        )}
        {unread.length > 0 && (
          <span dir="auto" className="mt-2 block text-start break-words text-warn-ink">
            {t('retentionUnread', { names: formatList(unread) })}
          </span>
        )}
      </ConfirmDialog>
    </form>
  )
}
