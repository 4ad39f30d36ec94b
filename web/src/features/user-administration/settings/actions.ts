import { groupsRoutes } from '@atrium/contract/groups'
import { userAdministrationRoutes } from '@atrium/contract/user-administration'
import { useMutation } from '@tanstack/react-query'
import { wordsOf } from '../../../api/errors.ts'
import { refresh } from '../../../api/query.ts'
import { toast } from '../../../ui/toaster.tsx'

/** Whatever shows accounts is read anew. */
export async function refreshPeople(): Promise<void> {
  await Promise.all([
    refresh(userAdministrationRoutes.list),
    refresh(userAdministrationRoutes.read),
    refresh(userAdministrationRoutes.pending),
    refresh(groupsRoutes.groups),
  ])
}

/** Something done to people: told when it fails, and everything about people is read anew after it. */
export const usePeopleAction = <T>(act: (of: T) => Promise<unknown>, done?: (of: T) => void) =>
  useMutation({
    mutationFn: act,
    onSuccess: (_answer, of) => done?.(of),
    onError: (error) => toast(wordsOf(error), { tone: 'danger' }),
    onSettled: refreshPeople,
  })
