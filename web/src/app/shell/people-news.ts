/** News of accounts for administrators; loaded with the first one. */
import { userAdministration } from '@atrium/contract/user-administration'
import { refresh } from '../../api/query.ts'
import { text } from '../../lib/texts.ts'
import { toast } from '../../ui/toaster.tsx'

/** Reads anew what shows accounts; `waiting`: somebody wants to be let in. */
export function tellOfPeople(waiting: boolean, open: () => void): void {
  void refresh(userAdministration.pending)
  void refresh(userAdministration.list)
  void refresh(userAdministration.read)
  if (waiting) toast(text('app:shell.somebodyWaits'), { action: { label: text('app:shell.lookAt'), onClick: open } })
}
