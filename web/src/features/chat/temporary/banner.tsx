import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDateTime } from '../../../lib/format.ts'
import { links } from '../../../lib/links.ts'
import { Button } from '../../../ui/button.tsx'
import { deleteTemporaryChat, isOnScreen, keepChat } from '../list/changes.ts'
import { useText } from 'virtual:words/chat-temporary'
import { Notice } from './notice.tsx'

/** Says of a temporary chat what that means, and until when; keeps it, or deletes it now. */
export function TemporaryBanner({ id, expiresAt }: { id: string; expiresAt: string }) {
  const t = useText('chat-temporary')
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  async function close() {
    setBusy(true)
    const done = await deleteTemporaryChat(id)
    setBusy(false)
    if (done && isOnScreen(id)) await navigate({ to: links.newChat() })
  }
  return (
    <div className="mx-auto w-full max-w-[calc(var(--text-column)+2rem)] px-3 tab:px-4">
      <Notice
        actions={
          <>
            <Button size="small" onClick={() => void keepChat(id)}>
              {t('keep')}
            </Button>
            <Button size="small" busy={busy} onClick={() => void close()}>
              {t('delete')}
            </Button>
          </>
        }
      >
        {t('text', { when: formatDateTime(expiresAt) })}
      </Notice>
    </div>
  )
}
