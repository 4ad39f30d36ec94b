import type { Message } from '@atrium/contract/chat'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { usePreferences } from '../../../api/account.ts'
import { CopyButton } from '../../../blocks/copy-button.tsx'
import { Markdown } from '../../../blocks/markdown/markdown.tsx'
import { classNames } from '../../../lib/class-names.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useText } from 'virtual:words/chat'
import { useHasMatch } from '../find/state.ts'
import { ActionBar, RowTime } from './action-bar.tsx'
import { useThread } from './context.ts'
import { EditBox } from './edit-box.tsx'
import { isUnreadable, Unreadable } from './ending.tsx'
import { MessageMenu } from './message-menu.tsx'
import { QuoteSources } from './quote-source.tsx'
import { SentAttachments } from './sent-attachments.tsx'
import { Siblings } from './siblings.tsx'

const longText = 1400

/** What the person said: at the end of the line in a bubble, or as part of a document. */
export function Question({ message, isLast }: { message: Message; isLast: boolean }) {
  const t = useText('chat')
  const { editing, edit, ownerName } = useThread()
  const document = usePreferences().messageStyle === 'document'
  const [whole, setWhole] = useState(false)
  const found = useHasMatch(message.id)
  const long = message.content.length > longText && !found
  if (editing === message.id) return <EditBox message={message} />
  return (
    <div className={classNames('flex flex-col', document ? 'items-stretch' : 'items-end')}>
      <SentAttachments attachments={message.attachments} documents={message.documents} />
      {isUnreadable(message) && <Unreadable />}
      {message.content && !isUnreadable(message) && (
        <div
          className={classNames(
            document
              ? 'border-s-3 border-accent-line ps-4'
              : 'max-w-[min(85%,40rem)] rounded-xl rounded-ee-sm bg-accent-soft/70 px-4 py-2.5',
          )}
        >
          <div className={classNames(long && !whole && 'max-h-72 overflow-hidden mask-b-from-75%')}>
            <QuoteSources message={message}>
              <Markdown text={message.content} />
            </QuoteSources>
          </div>
          {long && (
            <Button
              tone="quiet"
              size="small"
              className="-ms-2 mt-1"
              aria-expanded={whole}
              onClick={() => setWhole(!whole)}
            >
              {whole ? t('row.less') : t('row.more')}
            </Button>
          )}
        </div>
      )}
      <ActionBar always={isLast || message.siblingCount > 1} end={!document}>
        <RowTime message={message} />
        <Siblings message={message} />
        {ownerName === null && (
          <IconButton label={t('row.edit')} keys="E" icon={<Pencil />} size="small" onClick={() => edit(message.id)} />
        )}
        <CopyButton text={message.content} label={t('row.copy')} keys="C" />
        <MessageMenu message={message} />
      </ActionBar>
    </div>
  )
}
