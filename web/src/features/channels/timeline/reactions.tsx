import type { ChannelMessage, ChannelReaction } from '@atrium/contract/channels'
import { SmilePlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { formatList, formatNumber } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { shownName } from '../names.ts'
import { toggleReaction } from '../open/changes.ts'
import { canReact } from '../rules.ts'
import { useText } from 'virtual:words/channels'
import { useChannel } from './context.ts'

const EmojiPicker = lazy(() => import('../emoji/picker.tsx').then((module) => ({ default: module.EmojiPicker })))

/** So many names are told; the rest as a number. */
const mostNames = 12

/** The emoji below a message, with who gave them; one's own are given and taken by a click. */
export function Reactions({ message }: { message: ChannelMessage }) {
  const t = useText('channels')
  const { channel, me } = useChannel()
  if (message.reactions.length === 0) return null
  const open = canReact(channel, message)
  return (
    <ul aria-label={t('reaction.list')} className="mt-1.5 flex flex-wrap items-center gap-1">
      {message.reactions.map((reaction) => {
        const { emoji, users } = reaction
        const mine = users.some(({ id }) => id === me.id)
        const people = peopleOf(reaction, me.id, t('you'))
        const label = t('reaction.label', { emoji, count: users.length, people })
        return (
          <li key={emoji}>
            <Tooltip text={people} side="top">
              <button
                type="button"
                aria-pressed={mine}
                disabled={!open}
                onClick={() => void toggleReaction(message, emoji, me)}
                className={classNames(
                  'hit flex h-7 items-center gap-1.5 rounded-full border px-2 text-sm tabular-nums',
                  mine ? 'border-accent-line bg-accent-soft text-accent-ink' : 'border-line bg-sunken hover:bg-hover',
                )}
              >
                <span aria-hidden>{emoji}</span>
                <span aria-hidden>{formatNumber(users.length)}</span>
                <span className="sr-only">{label}</span>
              </button>
            </Tooltip>
          </li>
        )
      })}
      {open && (
        <li>
          <ReactButton message={message} quiet />
        </li>
      )}
    </ul>
  )
}

function peopleOf({ users }: ChannelReaction, meId: string, you: string): string {
  const names = users.slice(0, mostNames).map(({ id, name }) => (id === meId ? you : shownName(name)))
  return formatList(users.length > mostNames ? [...names, `+${formatNumber(users.length - mostNames)}`] : names)
}

/** Opens the picker for a message. `quiet`: the one after the reactions, which keys do not open. */
export function ReactButton({ message, quiet = false }: { message: ChannelMessage; quiet?: boolean }) {
  const t = useText('channels')
  const { reacting, react } = useChannel()
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    react(null)
  }
  return (
    <Popover
      label={t('row.react')}
      align="end"
      side="top"
      className="p-0!"
      open={quiet ? isOpen : reacting === message.id}
      onOpenChange={(next) => (quiet ? setOpen(next) : react(next ? message.id : null))}
      trigger={
        <IconButton
          label={t('row.react')}
          keys={quiet ? undefined : 'R'}
          icon={<SmilePlus />}
          size="small"
          tooltipSide="top"
          className={quiet ? 'rounded-full' : undefined}
        />
      }
    >
      <Choice message={message} onDone={close} />
    </Popover>
  )
}

/** The same from the bottom of a touch screen, where there is no button to stand at. */
export function ReactSheet({ message }: { message: ChannelMessage }) {
  const t = useText('channels')
  const { react } = useChannel()
  const close = () => react(null)
  return (
    <Sheet open onOpenChange={close} title={t('row.react')} side="bottom">
      <Choice message={message} onDone={close} />
    </Sheet>
  )
}

function Choice({ message, onDone }: { message: ChannelMessage; onDone: () => void }) {
  const { me } = useChannel()
  return (
    <Suspense>
      <EmojiPicker
        onPick={(emoji) => {
          onDone()
          const mine = message.reactions.find((one) => one.emoji === emoji)?.users.some(({ id }) => id === me.id)
          if (!mine) void toggleReaction(message, emoji, me)
        }}
      />
    </Suspense>
  )
}
