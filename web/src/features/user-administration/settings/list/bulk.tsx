import { type BulkAction, type ListedUser, userAdministrationRoutes } from '@atrium/contract/user-administration'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../../api/client.ts'
import { everyGroup } from '../../../../api/people.ts'
import { Button } from '../../../../ui/button.tsx'
import { ConfirmDialog } from '../../../../ui/dialog.tsx'
import { Select } from '../../../../ui/select.tsx'
import { toast } from '../../../../ui/toaster.tsx'
import { usePeopleAction } from '../actions.ts'
import { useText } from 'virtual:words/user-administration'

/** What can be done to the chosen people; there only while somebody is chosen. */
export function BulkBar({ chosen, onDone }: { chosen: readonly ListedUser[]; onDone: () => void }) {
  const t = useText('user-administration')
  const groups = useQuery({ ...everyGroup, staleTime: 30_000 })
  const [groupId, setGroupId] = useState('')
  const [asking, setAsking] = useState(false)
  const act = usePeopleAction(async ({ action, ids }: { action: BulkAction; ids: string[] }) => {
    const isAboutGroup = action === 'add-to-group' || action === 'remove-from-group'
    const { items } = await call(userAdministrationRoutes.bulk, {
      body: { action, ids, ...(isAboutGroup ? { groupId } : {}) },
    })
    const refused = items.filter(({ code }) => code !== null).length
    if (refused === 0) toast(t('bulk.done', { count: items.length }))
    else toast(t('bulk.refused', { count: refused, all: items.length }), { tone: 'danger' })
    setAsking(false)
    onDone()
  })
  if (chosen.length === 0) return <div role="status" className="sr-only" />
  const run = (action: BulkAction) => act.mutate({ action, ids: chosen.map(({ id }) => id) })
  const own = (groups.data ?? []).filter(({ managedBy }) => managedBy === null)
  const isActive = chosen.some(({ status }) => status === 'active')
  const isDisabled = chosen.some(({ status }) => status === 'disabled')
  return (
    <div
      role="group"
      aria-label={t('bulk.title')}
      className="sticky top-0 z-10 mt-3 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-raised px-3 py-2 shadow-sm"
    >
      <span role="status" className="me-auto text-sm font-medium">
        {t('bulk.chosen', { count: chosen.length })}
      </span>
      {isActive && (
        <Button size="small" onClick={() => setAsking(true)}>
          {t('bulk.disable')}
        </Button>
      )}
      {isDisabled && (
        <Button size="small" busy={act.isPending} onClick={() => run('enable')}>
          {t('bulk.enable')}
        </Button>
      )}
      {own.length > 0 && (
        <>
          <Select
            aria-label={t('filter.group')}
            value={groupId}
            onChange={setGroupId}
            options={[
              { value: '', label: t('bulk.group') },
              ...own.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            className="max-w-40"
          />
          <Button size="small" disabled={!groupId} onClick={() => run('add-to-group')}>
            {t('bulk.add')}
          </Button>
          <Button size="small" disabled={!groupId} onClick={() => run('remove-from-group')}>
            {t('bulk.remove')}
          </Button>
        </>
      )}
      <Button size="small" tone="quiet" onClick={onDone}>
        {t('bulk.none')}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('bulk.disableTitle', { count: chosen.length })}
        confirm={t('bulk.disable')}
        danger
        busy={act.isPending}
        onConfirm={() => run('disable')}
      >
        {t('bulk.disableText')}
      </ConfirmDialog>
    </div>
  )
}
