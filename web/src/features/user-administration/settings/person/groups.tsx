import { groupsRoutes } from '@atrium/contract/groups'
import type { ListedUser } from '@atrium/contract/user-administration'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { call } from '../../../../api/client.ts'
import { everyGroup } from '../../../../api/people.ts'
import { IconButton } from '../../../../ui/icon-button.tsx'
import { Select } from '../../../../ui/select.tsx'
import { Group } from '../../../../blocks/setting-row/row.tsx'
import { managerName } from '../../../../api/people.ts'
import { usePeopleAction } from '../actions.ts'
import { useText } from 'virtual:words/user-administration'

/** The groups the person is in. */
export function PersonGroups({ user }: { user: ListedUser }) {
  const t = useText('user-administration')
  const groups = useQuery({ ...everyGroup, staleTime: 30_000 })
  const change = usePeopleAction(({ groupId, on }: { groupId: string; on: boolean }) =>
    call(on ? groupsRoutes.addMember : groupsRoutes.removeMember, {
      params: { id: groupId, accountId: user.id },
    }),
  )
  const kept = new Map((groups.data ?? []).map(({ id, managedBy }) => [id, managedBy]))
  const others = (groups.data ?? []).filter(
    ({ id, managedBy }) => managedBy === null && !user.groups.some((group) => group.id === id),
  )
  return (
    <Group title={t('groups')}>
      {user.groups.length === 0 && <p className="py-2 text-muted">{t('person.noGroups')}</p>}
      <ul>
        {user.groups.map(({ id, name }) => (
          <li key={id} className="flex items-center gap-3 border-b border-line py-1.5">
            <bdi className="min-w-0 flex-1 font-medium wrap-anywhere">{name}</bdi>
            {kept.get(id) ? (
              <span className="py-1.5 text-sm text-muted">
                {t('managedBy', { name: managerName(kept.get(id) ?? '') })}
              </span>
            ) : (
              <IconButton
                label={t('person.leaveGroup', { name })}
                icon={<X />}
                onClick={() => change.mutate({ groupId: id, on: false })}
              />
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <Select
          aria-label={t('person.addGroup')}
          value=""
          onChange={(groupId) => groupId && change.mutate({ groupId, on: true })}
          options={[
            { value: '', label: t('person.addGroup') },
            ...others.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          className="mt-3 w-60 max-w-full"
        />
      )}
    </Group>
  )
}
