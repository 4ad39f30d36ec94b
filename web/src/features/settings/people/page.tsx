import { useParams } from '@tanstack/react-router'
import { Invitations } from '../instance/invitations.tsx'
import { Groups } from './groups.tsx'
import { Accounts } from './list/accounts.tsx'
import { PersonPage } from './person/page.tsx'
import { Waiting } from './waiting.tsx'

/** The accounts of this server: who waits, who may in, who is invited, and their groups; or one person by itself. */
export function People() {
  const { item } = useParams({ strict: false }) as { item?: string }
  if (item) return <PersonPage key={item} id={item} />
  return (
    <>
      <Waiting />
      <Accounts />
      <Invitations />
      <Groups />
    </>
  )
}
