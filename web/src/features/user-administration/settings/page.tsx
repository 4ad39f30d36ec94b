import { Invitations } from '../invitations/section.tsx'
import { Accounts } from './list/accounts.tsx'
import { Waiting } from './waiting.tsx'

/** The accounts of this server: who waits, who may in, and who is invited. */
export function People() {
  return (
    <>
      <Waiting />
      <Accounts />
      <Invitations />
    </>
  )
}
