/** The list by keys: arrows walk, and single letters act on the row that has the focus. */
import type { Notification } from '@atrium/contract/notifications'
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { defineFixedKeys } from '../../lib/actions.ts'
import { changeNotification, removeNotification } from './changes.ts'

defineFixedKeys('app:shell.notifications', [
  { name: 'notifications:keys.walk', keys: 'ArrowUp' },
  { name: 'notifications:keys.done', keys: 'E' },
  { name: 'notifications:keys.read', keys: 'U' },
  { name: 'notifications:keys.delete', keys: 'Delete' },
])

/** `isUnreadList`: what is read leaves the list. */
export function useRowKeys(
  list: RefObject<HTMLElement | null>,
  heading: RefObject<HTMLElement | null>,
  { isUnreadList = false }: { isUnreadList?: boolean } = {},
) {
  /** What gets the focus once the row that had it is gone. */
  const next = useRef<string | null>(null)
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-notification]') ?? [])]
  const focusIn = (row: HTMLElement | undefined) => row?.querySelector<HTMLElement>('a, button')?.focus()

  useEffect(() => {
    if (next.current === null || (document.activeElement && document.activeElement !== document.body)) return
    const row = rows().find(({ dataset }) => dataset['notification'] === next.current)
    next.current = null
    if (row) focusIn(row)
    else heading.current?.focus()
  })

  /** Does something that may take a row off the list. */
  const act = ({ id }: Notification, work: () => Promise<void>): void => {
    const all = rows()
    const at = all.findIndex(({ dataset }) => dataset['notification'] === id)
    next.current = (all[at + 1] ?? all[at - 1])?.dataset['notification'] ?? ''
    void work()
  }

  const onKeyDown = (event: KeyboardEvent, items: readonly Notification[]): void => {
    const target = event.target as HTMLElement
    const row = target.closest<HTMLElement>('[data-notification]')
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.nativeEvent.isComposing
    if (!isPlain || event.defaultPrevented) return
    const all = rows()
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!row) return
      event.preventDefault()
      focusIn(all[all.indexOf(row) + (event.key === 'ArrowDown' ? 1 : -1)])
      return
    }
    const notification = items.find(({ id }) => id === row?.dataset['notification'])
    if (!notification || event.shiftKey) return
    const isUnread = notification.readAt === null
    const work = {
      e: () => changeNotification(notification, { done: notification.doneAt === null }),
      u: () => changeNotification(notification, { read: isUnread }, { isUnreadList }),
      delete: () => removeNotification(notification),
    }[event.key.toLowerCase()]
    if (!work) return
    event.preventDefault()
    act(notification, work)
  }
  return { act, onKeyDown }
}
