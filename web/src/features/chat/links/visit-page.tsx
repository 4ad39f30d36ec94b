/** A chat that is shared by a link, for whoever has the link. */
import { chatRoutes as routes } from '@atrium/contract/chat'
import { call } from '../../../api/client.ts'
import { VisitPage } from '../../../blocks/share-links/visit-page.tsx'
import { LinkedChat } from './linked-chat.tsx'
import { useText } from 'virtual:words/chat-links'

export function LinkedChatPage() {
  const t = useText('chat-links')
  return (
    <VisitPage
      words={{ title: t('visit.title'), notLoaded: t('visit.notLoaded'), open: t('visit.open') }}
      codes={{ missing: 'chat_link_not_found', password: 'chat_link_password', locked: 'chat_link_locked' }}
      open={(body) => call(routes.openLink, { body }, { asGuest: true })}
    >
      {(visit) => <LinkedChat key={visit.visit} {...visit} />}
    </VisitPage>
  )
}
