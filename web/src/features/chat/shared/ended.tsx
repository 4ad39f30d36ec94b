import { useNavigate } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { links } from '../../../lib/links.ts'
import { useTitle } from '../../../lib/title.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useText } from 'virtual:words/chat-shared'

/** In place of a chat that could be read a moment ago: no error, but somebody’s decision. */
export function SharingEnded({ ownerName }: { ownerName: string }) {
  const t = useText('chat-shared')
  const navigate = useNavigate()
  useTitle(t('ended.title'))
  return (
    <div role="status" className="my-auto">
      <EmptyState
        pageTitle
        icon={<UsersRound />}
        title={t('ended.title')}
        action={
          <>
            <Button onClick={() => void navigate({ to: links.shared() })}>{t('ended.back')}</Button>
            <Button tone="primary" onClick={() => void navigate({ to: links.newChat() })}>
              {t('chat-list:newChat')}
            </Button>
          </>
        }
      >
        {t('ended.text', { name: ownerName })}
      </EmptyState>
    </div>
  )
}
