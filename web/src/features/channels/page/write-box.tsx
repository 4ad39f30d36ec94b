import { useEffect, useRef } from 'react'
import { useMe } from '../../../api/account.ts'
import { useAction } from '../../../lib/actions.ts'
import { ChannelComposer } from '../compose/composer.tsx'
import { draftOf } from '../compose/draft.ts'
import { SendLater } from '../later/send-later.tsx'
import { sendMessage } from '../open/outbox.ts'
import { goToEnd } from '../open/load.ts'
import { type OpenTimeline } from '../open/store.ts'
import { canEdit, canReact } from '../rules.ts'
import { useChannel } from '../timeline/context.ts'
import { TypingLine } from '../typing/typing-line.tsx'
import { useText } from 'virtual:words/channels'

/** Where one writes in a channel, and what keys do to its last messages. */
export function WriteBox({ open, name }: { open: OpenTimeline; name: string }) {
  const t = useText('channels')
  const account = useMe()
  const { channel, me, edit, react, openThread } = useChannel()
  const draft = draftOf(account.id, channel.id, null)
  const messages = () => open.store.getState().timeline?.messages ?? []
  const lastOf = (fits: Parameters<typeof canEdit>[1] extends infer M ? (message: M) => boolean : never) =>
    messages().findLast((message) => fits(message))
  const editLast = () => {
    const mine = lastOf((message) => canEdit(channel, message, me.id))
    if (mine) edit(mine.id)
  }
  useAction('channels.edit-last', editLast)
  useAction('channels.react', () => react(lastOf((message) => canReact(channel, message))?.id ?? null))
  useAction('channels.reply', () => {
    const last = lastOf(({ deletedAt }) => deletedAt === null)
    if (last) openThread(last)
  })
  useAction('chat.focus-composer', () => document.getElementById('composer')?.focus())
  useEffect(() => {
    // On touch screens the keyboard would cover what one came to read.
    if (!matchMedia('(pointer: coarse)').matches) document.getElementById('composer')?.focus()
  }, [channel.id])

  /** Answers stand in the thread of what they answer. */
  const waiting = useRef<() => void>(undefined)
  useEffect(() => () => waiting.current?.(), [open])
  function openOnceSent(id: string) {
    waiting.current?.()
    waiting.current = open.store.subscribe(({ timeline }) => {
      const sent = timeline?.messages.find((one) => one.id === id)
      if (!sent) return
      waiting.current?.()
      openThread(sent)
    })
  }

  async function send() {
    const said = draft.take()
    // What is read next is one's own message, not what is new.
    open.store.setState({ newFrom: null })
    const id = sendMessage({ channelId: channel.id, parentId: null, inChannel: false, ...said })
    if (said.models.length > 0) openOnceSent(id)
    await goToEnd(open).catch(() => undefined)
    open.store.setState(({ sent }) => ({ sent: sent + 1 }))
  }
  return (
    <div className="mx-auto w-full max-w-[calc(var(--text-column)+18rem)] shrink-0 px-3 pb-3 max-tab:px-2 max-tab:pb-2">
      <TypingLine channelId={channel.id} parentId={null} draft={draft} />
      <ChannelComposer
        draft={draft}
        id="composer"
        label={t('composer.label', { name })}
        placeholder={t('composer.label', { name })}
        wholeWindow
        later={<SendLater draft={draft} channelId={channel.id} parentId={null} />}
        onSend={() => void send()}
        onEditLast={editLast}
      />
    </div>
  )
}
