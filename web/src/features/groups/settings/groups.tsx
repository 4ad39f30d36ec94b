import { type Group as AccountGroup, groupsRoutes } from '@atrium/contract/groups'
import { usageRoutes } from '@atrium/contract/usage'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { everyGroup } from '../../../api/people.ts'
import { queryOf, refresh } from '../../../api/query.ts'
import { formatList } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { QueryView } from '../../../blocks/setting-row/query-view.tsx'
import { Group } from '../../../blocks/setting-row/row.tsx'
import { useText } from 'virtual:words/groups'
import { GroupForm } from './group-form.tsx'
import { GroupMembers } from './group-members.tsx'
import { ManagedMembers } from './managed-members.tsx'
import { managerName } from '../../../api/people.ts'

/** Accounts under one name, to share with all of them or to set one budget for them. */
export function Groups() {
  const t = useText('groups')
  const [form, setForm] = useState<{ group: AccountGroup | null } | null>(null)
  const [members, setMembers] = useState<AccountGroup | null>(null)
  const [asking, setAsking] = useState<AccountGroup | null>(null)
  const groups = useQuery({ ...everyGroup, staleTime: 10_000 })
  const add = (
    <Button icon={<Plus className="size-4" />} onClick={() => setForm({ group: null })}>
      {t('add')}
    </Button>
  )
  return (
    <section id="groups" className="-mx-3 mt-8 rounded-lg px-3">
      <Group title={t('title')} text={t('about')}>
        <QueryView query={groups}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState icon={<UsersRound />} title={t('none')} action={add}>
                {t('noneText')}
              </EmptyState>
            ) : (
              <>
                <ul className="mb-3">
                  {items.map((group) => (
                    <Row
                      key={group.id}
                      group={group}
                      onMembers={() => setMembers(group)}
                      onRename={() => setForm({ group })}
                      onRemove={() => setAsking(group)}
                    />
                  ))}
                </ul>
                {add}
              </>
            )
          }
        </QueryView>
      </Group>
      {form && <GroupForm group={form.group} onClose={() => setForm(null)} onMade={setMembers} />}
      {members?.managedBy === null && <GroupMembers group={members} onClose={() => setMembers(null)} />}
      {members?.managedBy && <ManagedMembers group={members} onClose={() => setMembers(null)} />}
      <Removal group={asking} onClose={() => setAsking(null)} />
    </section>
  )
}

function Row({
  group: { name, description, memberCount, managedBy },
  onMembers,
  onRename,
  onRemove,
}: {
  group: AccountGroup
  onMembers: () => void
  onRename: () => void
  onRemove: () => void
}) {
  const t = useText('groups')
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-2.5">
      <div className="min-w-36 flex-1">
        <p className="font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </p>
        {description && (
          <p dir="auto" className="text-start text-sm wrap-anywhere">
            {description}
          </p>
        )}
        <p className="text-sm text-muted">{t('members', { count: memberCount })}</p>
        {managedBy && <p className="text-sm text-muted">{t('managed', { name: managerName(managedBy) })}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" aria-label={t('chooseNamed', { name })} onClick={onMembers}>
          {t('choose')}
        </Button>
        {managedBy === null && (
          <Button size="small" aria-label={t('editNamed', { name })} onClick={onRename}>
            {t('edit')}
          </Button>
        )}
        <Button size="small" aria-label={t('removeNamed', { name })} onClick={onRemove}>
          {t('remove')}
        </Button>
      </div>
    </li>
  )
}

/** Asks first, and names the budgets that end with the group. */
function Removal({ group, onClose }: { group: AccountGroup | null; onClose: () => void }) {
  const t = useText('groups')
  const name = group?.name ?? ''
  const budgets = useQuery({ ...queryOf(usageRoutes.budgets), staleTime: 0, enabled: group !== null })
  const ending = budgets.data?.items.filter(
    ({ principalType, principalId }) => principalType === 'group' && principalId === group?.id,
  )
  const remove = useMutation({
    mutationFn: (id: string) => call(groupsRoutes.removeGroup, { params: { id } }),
    onSuccess: () => {
      toast(t('removed', { name }))
      onClose()
    },
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: () => {
      void refresh(groupsRoutes.groups)
      void refresh(userAdministrationRoutes.list)
      void refresh(usageRoutes.budgets)
      void refresh(usageRoutes.myBudgets)
    },
  })
  return (
    <ConfirmDialog
      open={group !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t('removeTitle', { name })}
      confirm={t('remove')}
      danger
      busy={remove.isPending}
      onConfirm={() => group && remove.mutate(group.id)}
    >
      {t('removeText')} {ending?.length === 0 && t('endsNone')}
      {ending && ending.length > 0 && t('ends', { names: formatList(ending.map((budget) => budget.name)) })}
    </ConfirmDialog>
  )
}
