import { channelsRoutes as routes, mostUnasked, type ChannelPerson } from '@atrium/contract/channels'
import { useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { wordsOf } from '../../../api/errors.ts'
import { queryClient, refresh } from '../../../api/query.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toaster.tsx'
import { everyMember } from '../data/members.ts'
import { handleOf, shownName } from '../names.ts'
import { canInvite, isDirect } from '../rules.ts'
import { useChannel } from '../timeline/context.ts'
import { useText } from 'virtual:words/channels'

/** Longer than this nobody waits to send. */
const patienceMs = 3000
const called = /(?<![\p{L}\p{N}._@-])@([\p{L}\p{N}][\p{L}\p{N}._@-]{0,63})/gu

/**
 * Looks at whom a message calls before it is sent: for many people whoever writes is asked first, and those who are no
 * members can be added afterwards. Gives what sends, and the window that asks.
 */
export function useCalls(onSend: () => void) {
  const t = useText('channels')
  const { channel, me } = useChannel()
  const busy = useRef(false)
  const [asked, ask] = useState<{ count: number; outsiders: readonly ChannelPerson[] } | null>(null)

  const add = (person: ChannelPerson) =>
    void call(routes.addMember, { params: { channelId: channel.id }, body: { userId: person.id } }).then(
      () => {
        void refresh(routes.members)
        toast(t('calls.added', { name: shownName(person.name) }))
      },
      (error: unknown) => toast(wordsOf(error), { tone: 'danger' }),
    )
  const offer = (outsiders: readonly ChannelPerson[]) => {
    if (!canInvite(channel)) return
    for (const person of outsiders.slice(0, 3))
      toast(t('calls.outsider', { name: shownName(person.name) }), {
        action: { label: t('calls.add'), onClick: () => add(person) },
      })
  }
  async function send(content: string) {
    if (busy.current) return
    const names = [...content.matchAll(called)].map(([, name = '']) => name.toLowerCase())
    const members = queryClient.getQueryData(everyMember(channel.id).queryKey) ?? []
    const known = new Set([...members.map(({ user }) => handleOf(user.name)), handleOf(me.name)].map(lower))
    const isPlain = names.length <= mostUnasked && names.every((name) => known.has(name))
    if (isPlain || isDirect(channel) || !navigator.onLine) return onSend()
    busy.current = true
    try {
      const signal = AbortSignal.timeout(patienceMs)
      const reach = await call(routes.reach, { params: { channelId: channel.id }, body: { content } }, { signal })
      if (reach.count > mostUnasked) return ask(reach)
      onSend()
      offer(reach.outsiders)
    } catch {
      // It is only a look ahead: what cannot be told keeps nothing from being sent.
      onSend()
    } finally {
      busy.current = false
    }
  }
  const window = asked && (
    <ConfirmDialog
      open
      onOpenChange={() => ask(null)}
      title={t('calls.title', { count: asked.count })}
      confirm={t('calls.confirm')}
      onConfirm={() => {
        ask(null)
        onSend()
        offer(asked.outsiders)
      }}
    >
      {t('calls.text')}
    </ConfirmDialog>
  )
  return { send: (content: string) => void send(content), window }
}

const lower = (name: string): string => name.toLowerCase()
