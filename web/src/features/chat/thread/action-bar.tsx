import type { Message } from '@atrium/contract/chat'
import type { ReactNode } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { formatTime, formatDateTime } from '../../../lib/format.ts'

/** The buttons below a message: there on hover and focus, and always on the last ones and on touch screens. */
export function ActionBar({ always, end, children }: { always: boolean; end?: boolean; children: ReactNode }) {
  return (
    <div
      data-actions
      className={classNames(
        'mt-1 flex min-h-control-small flex-wrap items-center gap-0.5 text-muted transition-opacity duration-100',
        end ? 'justify-end' : '-ms-1.5',
        !always &&
          'opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-100',
      )}
    >
      {children}
    </div>
  )
}

/** When it was said; the day with it on hover. */
export const RowTime = ({ message }: { message: Message }) => (
  <time dateTime={message.createdAt} title={formatDateTime(message.createdAt)} className="px-1.5 text-xs tabular-nums">
    {formatTime(message.createdAt)}
  </time>
)
