import { accountDataRoutes } from '@atrium/contract/account-data'
import type { ListedUser } from '@atrium/contract/user-administration'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../../../api/client.ts'
import { queryOf, refresh } from '../../../../api/query.ts'
import { links } from '../../../../lib/links.ts'
import { CheckField } from '../../../../ui/check-field.tsx'
import { Field } from '../../../../ui/field.tsx'
import { FormDialog } from '../../../../ui/form-dialog.tsx'
import { Input } from '../../../../ui/input.tsx'
import { Select } from '../../../../ui/select.tsx'
import { toast } from '../../../../ui/toaster.tsx'
import { QueryView } from '../../../../blocks/setting-row/query-view.tsx'
import { RemovalCounts } from '../../../../blocks/removal-counts/removal-counts.tsx'
import { LostThings } from '../../../../blocks/transfer/lost-things.tsx'
import { nameOf } from '../../../../api/people.ts'
import { usePeopleAction } from '../actions.ts'
import { useText } from 'virtual:words/user-administration'

type When = 'now' | '3' | '7' | '14' | '30'

/** What goes, whether its owner gets it first, and when. Deleting at once asks for the user name. */
export function RemovalDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const t = useText('user-administration')
  const navigate = useNavigate()
  const params = { id: user.id }
  const [when, setWhen] = useState<When>('7')
  const [withExport, setWithExport] = useState(true)
  const [typed, setTyped] = useState('')
  const removal = useQuery({ ...queryOf(accountDataRoutes.removal, { params }), staleTime: 0 })
  const name = nameOf(user)
  const isNow = when === 'now'
  // Shown above the button that deletes.
  const isDespite = (removal.data?.openTransfers ?? 0) > 0
  const act = usePeopleAction(
    async () => {
      if (isNow)
        return void (await call(accountDataRoutes.remove, {
          params,
          query: { despiteTransfers: isDespite ? 'true' : 'false' },
        }))
      await call(accountDataRoutes.schedule, { params, body: { inDays: Number(when) } })
      // One that is being made already will do.
      if (withExport && removal.data?.export?.state !== 'running') await call(accountDataRoutes.export, { params })
    },
    () => {
      void refresh(accountDataRoutes.removal)
      toast(isNow ? t('removal.done', { name }) : t('removal.scheduled', { name }))
      onClose()
      if (isNow) void navigate({ to: links.settings('people') })
    },
  )
  return (
    <FormDialog
      title={t('removal.dialog', { name })}
      description={t('removal.about')}
      submit={isNow ? t('removal.now') : t('removal.schedule')}
      tone="danger"
      busy={act.isPending}
      disabled={isNow && typed.trim() !== user.username}
      onSubmit={() => act.mutate(undefined)}
      onClose={onClose}
    >
      <QueryView query={removal}>
        {(data) => (
          <div>
            <RemovalCounts counts={data.counts} />
            <LostThings removal={data} accountId={user.id} />
          </div>
        )}
      </QueryView>
      <Field label={t('removal.when')} hint={isNow ? t('removal.nowHint') : t('removal.laterHint')}>
        <Select
          value={when}
          onChange={setWhen}
          options={(['3', '7', '14', '30', 'now'] as const).map((value) => ({
            value,
            label: value === 'now' ? t('removal.atOnce') : t('removal.inDays', { count: Number(value) }),
          }))}
          className="w-60 max-w-full"
        />
      </Field>
      {isNow ? (
        <Field label={t('removal.type', { name: user.username })}>
          <Input value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" dir="auto" />
        </Field>
      ) : (
        <CheckField
          label={t('removal.export')}
          hint={t('removal.exportText')}
          checked={withExport}
          onChange={setWithExport}
        />
      )}
    </FormDialog>
  )
}
