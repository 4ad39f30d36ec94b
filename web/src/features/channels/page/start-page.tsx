import { useNavigate, useSearch } from '@tanstack/react-router'
import { Hash } from 'lucide-react'
import { useEffect } from 'react'
import { links } from '../../../lib/links.ts'
import { usePhone } from '../../../lib/media.ts'
import { useTitle } from '../../../lib/title.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ChannelSidebar } from '../list/sidebar.tsx'
import type { Wish } from '../search.ts'
import { askFor } from '../windows/asked.ts'
import { Windows } from '../windows/windows.tsx'
import { useText } from 'virtual:words/channels'
import { useChannelKeys } from './use-channel-keys.ts'

const nothing = () => undefined

/** `/channels`: on phones the list, elsewhere what to do with it. */
export function ChannelsPage() {
  const t = useText('channels')
  const phone = usePhone()
  const navigate = useNavigate()
  const { new: wish } = useSearch({ strict: false }) as { new?: Wish }
  useTitle(t('channels-shell:title'))
  useChannelKeys(undefined)
  useEffect(() => {
    if (!wish) return
    askFor(wish)
    // Closed windows do not come back with the page.
    void navigate({ to: links.channels(), replace: true })
  }, [wish, navigate])
  return (
    <>
      {phone ? (
        <>
          <h1 className="sr-only">{t('channels-shell:title')}</h1>
          <ChannelSidebar onDone={nothing} />
        </>
      ) : (
        <EmptyState
          pageTitle
          className="my-auto"
          icon={<Hash />}
          title={t('welcome.title')}
          action={
            <>
              <Button onClick={() => askFor('browse')}>{t('list.browse')}</Button>
              <Button onClick={() => askFor('message')}>{t('list.message')}</Button>
              <Button tone="primary" onClick={() => askFor('channel')}>
                {t('list.create')}
              </Button>
            </>
          }
        >
          {t('welcome.text')}
        </EmptyState>
      )}
      <Windows />
    </>
  )
}
