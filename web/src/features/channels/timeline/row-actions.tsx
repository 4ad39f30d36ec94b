import type { ChannelMessage } from '@atrium/contract/channels'
import {
  AlarmClock,
  Copy,
  Ellipsis,
  Forward,
  Link2,
  MailQuestion,
  MessageSquareReply,
  Pencil,
  Pin,
  PinOff,
  SmilePlus,
  Trash2,
} from 'lucide-react'
import { copyText } from '../../../lib/copy.ts'
import { links } from '../../../lib/links.ts'
import { useTouch } from '../../../lib/media.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator, MenuSub } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { useText } from 'virtual:words/channels'
import { markThreadUnreadFrom } from '../followed/data.ts'
import { askAbout } from '../later/asked.ts'
import { remindOf } from '../later/changes.ts'
import { TimeItems } from '../later/time-items.tsx'
import { removeMessage, togglePin } from '../open/changes.ts'
import { markUnreadFrom } from '../open/read-mark.ts'
import { canEdit, canPin, canReact, canRemove } from '../rules.ts'
import { useChannel } from './context.ts'
import { ReactButton, ReactSheet } from './reactions.tsx'

/** What can be done with a message by pointer: there on hover and focus; on touch, the menu alone. */
export function RowActions({ message, inThread }: { message: ChannelMessage; inThread: boolean }) {
  const t = useText('channels')
  const { channel, openThread, reacting } = useChannel()
  const touch = useTouch()
  if (message.deletedAt !== null) return null
  return (
    <div
      data-actions
      className={
        reacting === message.id
          ? shown
          : `${shown} opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:border-transparent pointer-coarse:bg-transparent pointer-coarse:opacity-100 pointer-coarse:shadow-none`
      }
    >
      {canReact(channel, message) && !touch && <ReactButton message={message} />}
      {!inThread && channel.isMember && !touch && (
        <IconButton
          label={t('row.reply')}
          keys="T"
          icon={<MessageSquareReply />}
          size="small"
          tooltipSide="top"
          onClick={() => openThread(message)}
        />
      )}
      <Menu trigger={<IconButton label={t('row.more')} icon={<Ellipsis />} size="small" tooltipSide="top" />}>
        <MessageMenu message={message} inThread={inThread} />
      </Menu>
      {touch && reacting === message.id && <ReactSheet message={message} />}
    </div>
  )
}

const shown =
  'absolute end-1 -top-3 z-1 flex items-center gap-0.5 rounded-md border border-line bg-raised p-0.5 shadow-low transition-opacity duration-100 pointer-coarse:-top-1'

/** The same as a list, for the menu of a row and for a long press. */
export function MessageMenu({ message, inThread }: { message: ChannelMessage; inThread: boolean }) {
  const t = useText('channels')
  const { channel, me, edit, react, openThread } = useChannel()
  const copy = (text: string, said: string) =>
    void copyText(text).then(
      () => toast(said),
      () => toast(t('blocks:copyRefused'), { tone: 'danger' }),
    )
  const { id, parentId } = message
  const address = links.channel(channel.id, parentId === null ? { message: id } : { message: id, thread: parentId })
  return (
    <>
      {canReact(channel, message) && (
        // Once the menu has given the focus back.
        <MenuItem icon={<SmilePlus />} keys="R" onSelect={() => setTimeout(() => react(id), 50)}>
          {t('row.react')}
        </MenuItem>
      )}
      {!inThread && channel.isMember && (
        <MenuItem icon={<MessageSquareReply />} keys="T" onSelect={() => openThread(message)}>
          {t('row.reply')}
        </MenuItem>
      )}
      {canEdit(channel, message, me.id) && (
        <MenuItem icon={<Pencil />} keys="E" onSelect={() => setTimeout(() => edit(id), 50)}>
          {t('row.edit')}
        </MenuItem>
      )}
      {message.content !== '' && (
        <MenuItem icon={<Copy />} keys="C" onSelect={() => copy(message.content, t('row.copied'))}>
          {t('row.copy')}
        </MenuItem>
      )}
      <MenuItem icon={<Link2 />} onSelect={() => copy(new URL(address, location.origin).href, t('row.linkCopied'))}>
        {t('row.copyLink')}
      </MenuItem>
      {channel.isMember && (message.content !== '' || message.forwarded !== null || message.attachments.length > 0) && (
        <MenuItem icon={<Forward />} onSelect={() => askAbout('forward', message)}>
          {t('channels-later:forward')}
        </MenuItem>
      )}
      {channel.isMember && (
        <MenuSub icon={<AlarmClock />} label={t('channels-later:remind')}>
          <TimeItems onTime={(time) => void remindOf(message, time)} onChoose={() => askAbout('remind', message)} />
        </MenuSub>
      )}
      {canPin(channel, message) && (
        <MenuItem icon={message.pinnedAt ? <PinOff /> : <Pin />} keys="P" onSelect={() => void togglePin(message)}>
          {t(message.pinnedAt ? 'row.unpin' : 'row.pin')}
        </MenuItem>
      )}
      {channel.isMember && (
        <MenuItem
          icon={<MailQuestion />}
          keys="U"
          onSelect={() => void (inThread ? markThreadUnreadFrom(message) : markUnreadFrom(message))}
        >
          {t('row.unreadFrom')}
        </MenuItem>
      )}
      {canRemove(channel, message, me.id) && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash2 />} danger onSelect={() => removeMessage(message)}>
            {t('row.delete')}
          </MenuItem>
        </>
      )}
    </>
  )
}
