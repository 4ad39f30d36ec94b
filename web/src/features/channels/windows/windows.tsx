import type { Channel } from '@atrium/contract/channels'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useAction } from '../../../lib/actions.ts'
import { links } from '../../../lib/links.ts'
import { askFor, useAsked } from './asked.ts'
import { BrowseDialog } from './browse-dialog.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { DirectDialog } from './direct-dialog.tsx'

const LaterDialog = lazy(() => import('../later/later-dialog.tsx').then((module) => ({ default: module.LaterDialog })))

/** The windows in which channels are made and found; what comes of them is opened. */
export function Windows() {
  const navigate = useNavigate()
  const { wish } = useAsked()
  useAction('channels.create', () => askFor('channel'))
  useAction('channels.message', () => askFor('message'))
  useAction('channels.browse', () => askFor('browse'))
  useAction('channels.later', () => askFor('later'))
  const close = () => askFor(null)
  const open = ({ id }: Channel) => {
    close()
    void navigate({ to: links.channel(id) })
  }
  if (wish === 'channel') return <CreateDialog onDone={open} onClose={close} />
  if (wish === 'later')
    return (
      <Suspense>
        <LaterDialog onClose={close} />
      </Suspense>
    )
  if (wish === 'message') return <DirectDialog onDone={open} onClose={close} />
  if (wish === 'browse') return <BrowseDialog onDone={open} onCreate={() => askFor('channel')} onClose={close} />
  return null
}
