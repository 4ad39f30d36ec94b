import type { Message } from '@atrium/contract/chat'
import { Ellipsis, GitFork, Link2, ListX, Pencil, Pin, PinOff, Split, Trash2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { ReadAloudItem } from '../../../blocks/read-aloud/button.tsx'
import { WindowComing } from '../../../ui/early-keys.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { useText } from 'virtual:words/chat'
import { mayHaveBranches } from '../open/conversation.ts'
import { useOpen } from '../open/store.ts'
import { useMessageActions } from './actions.ts'
import { useThread } from './context.ts'

const NameDialog = lazy(() => import('../branches/name-dialog.tsx').then((module) => ({ default: module.NameDialog })))

/** Where the text of a message stands on the page. */
export const textOf = (messageId: string): Element | null =>
  document.querySelector(`[data-message="${CSS.escape(messageId)}"] .markdown:not([data-thinking] *)`)

/** What can be done with any message. `first` and `last` stand around what all of them have, above the way to delete it. */
export function MessageMenu({
  message,
  align,
  first,
  last,
}: {
  message: Message
  align?: 'start'
  first?: ReactNode
  last?: ReactNode
}) {
  const t = useText('chat')
  const { chat, ownerName } = useThread()
  const actions = useMessageActions(message)
  const [naming, setNaming] = useState(false)
  const menu = (
    <Menu align={align} trigger={<IconButton label={t('row.moreActions')} icon={<Ellipsis />} size="small" />}>
      {first}
      {message.role === 'user' && message.content && (
        <ReadAloudItem id={message.id} title={t('row.you')} find={() => textOf(message.id)} />
      )}
      <MenuItem icon={<GitFork />} onSelect={() => actions.fork(false)}>
        {t('row.fork')}
      </MenuItem>
      {ownerName === null && <ForkWithBranches onSelect={() => actions.fork(true)} />}
      <MenuItem icon={<Link2 />} onSelect={actions.copyLink}>
        {t('row.copyLink')}
      </MenuItem>
      {ownerName === null && (
        <MenuItem icon={message.pinned ? <PinOff /> : <Pin />} keys="P" onSelect={actions.pin}>
          {message.pinned ? t('row.unpin') : t('row.pin')}
        </MenuItem>
      )}
      {ownerName === null && (message.siblingCount > 1 || message.branchName) && (
        <MenuItem icon={<Pencil />} onSelect={() => setNaming(true)}>
          {message.branchName ? t('row.renameBranch') : t('row.nameBranch')}
        </MenuItem>
      )}
      {last}
      {ownerName === null && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} danger onSelect={actions.remove}>
            {t('row.removeOne')}
          </MenuItem>
          {message.role === 'user' && (
            <MenuItem icon={<Trash2 />} danger onSelect={actions.removePair}>
              {t('row.removePair')}
            </MenuItem>
          )}
          <MenuItem icon={<ListX />} danger onSelect={actions.removeFrom}>
            {t('row.removeFrom')}
          </MenuItem>
        </>
      )}
    </Menu>
  )
  const close = () => setNaming(false)
  return (
    <>
      {menu}
      {naming && (
        <Suspense fallback={<WindowComing onClose={close} />}>
          <NameDialog chat={chat} messageId={message.id} name={message.branchName ?? null} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

/** Where there are other branches, or may be. It is asked when the menu opens. */
function ForkWithBranches({ onSelect }: { onSelect: () => void }) {
  const t = useText('chat')
  const { chat } = useThread()
  const mayBranch = useOpen(chat, ({ conversation }) => conversation !== null && mayHaveBranches(conversation))
  return (
    mayBranch && (
      <MenuItem icon={<Split />} onSelect={onSelect}>
        {t('row.forkBranches')}
      </MenuItem>
    )
  )
}
