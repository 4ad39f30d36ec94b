import type { Source } from '@atrium/contract/generation'
import type { ComponentProps, MouseEvent } from 'react'
import { useThread } from '../thread/context.ts'
import { addressOf } from './place.ts'

/** Leads to a source: a document beside the chat, everything else in a tab of its own. */
export function SourceLink({
  source,
  claimOf,
  ...rest
}: {
  source: Source
  /** What the source is cited for, asked when its link is followed. */
  claimOf?: ((link: HTMLElement) => string) | undefined
} & Omit<ComponentProps<'a'>, 'href'>) {
  const { chat, openSource, ownerName } = useThread()
  const href = addressOf(source, ownerName === null ? undefined : chat.id)
  function open(event: MouseEvent<HTMLAnchorElement>) {
    rest.onClick?.(event)
    if (!source.documentId || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    openSource(source, claimOf?.(event.currentTarget))
  }
  if (href === null) return <span className={rest.className}>{rest.children}</span>
  return (
    <a {...rest} href={href} target="_blank" rel="noopener noreferrer" onClick={open}>
      {rest.children}
    </a>
  )
}
