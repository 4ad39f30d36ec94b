import type { Route } from '@atrium/contract/route'
import { useEffect } from 'react'
import { onAccountEvent } from '../../../api/account-events.ts'
import { refresh } from '../../../api/query.ts'

/** Has what a route says of a chat loaded again whenever that chat changes, here or elsewhere. */
export function useFresh(route: Route, chatId: string): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = onAccountEvent('chat-changed', ({ id }) => {
      if (id !== chatId) return
      clearTimeout(timer)
      // A burst of changes is read once.
      timer = setTimeout(() => void refresh(route), 150)
    })
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [route, chatId])
}
