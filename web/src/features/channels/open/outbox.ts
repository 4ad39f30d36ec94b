/**
 * What was written and is not on the server yet: on its way, waiting for a network, or refused. Kept in this browser until
 * it is there, so that closing the page loses nothing; the id that it was given makes sending it twice harmless.
 */
import type { Selection } from '@atrium/contract/common'
import { type ChannelAttachment, channelsRoutes as routes } from '@atrium/contract/channels'
import { create } from 'zustand'
import { call } from '../../../api/client.ts'
import { isTemporary } from '../../../api/query.ts'
import { newId } from '../../../lib/id.ts'
import { addMessage, timelinesOf } from './store.ts'
import { belongsTo } from './timeline.ts'

export interface OutgoingMessage {
  /** That the message will have. */
  readonly id: string
  readonly channelId: string
  readonly parentId: string | null
  /** A reply that goes to the channel, too. */
  readonly inChannel: boolean
  readonly content: string
  readonly attachments: readonly ChannelAttachment[]
  /** That are to answer it. */
  readonly models: readonly Selection[]
  readonly createdAt: string
  readonly state: 'sending' | 'waiting' | 'failed'
  readonly error: unknown
}

export const useOutbox = create<{ readonly unsent: readonly OutgoingMessage[] }>(() => ({ unsent: [] }))

let place = ''
/** Channels of which something is being sent: one message after the other, in the order they were written. */
const busy = new Set<string>()
const pauseMs = 5000

/** Takes up what an earlier page of this account could not send; once, before anything is sent. */
export function openOutbox(accountId: string): void {
  const mine = `atrium.channel-outbox:${accountId}`
  if (place === mine) return
  place = mine
  useOutbox.setState({ unsent: parseUnsent(read(mine)) })
  for (const { channelId } of useOutbox.getState().unsent) void drain(channelId)
}

/** Sends a message as soon as it can be; gives its id. */
export function sendMessage(
  said: Pick<OutgoingMessage, 'channelId' | 'parentId' | 'inChannel' | 'content' | 'attachments' | 'models'>,
): string {
  const fresh: OutgoingMessage = {
    ...said,
    id: newId(),
    createdAt: new Date().toISOString(),
    state: 'sending',
    error: null,
  }
  change((all) => [...all, fresh])
  void drain(said.channelId)
  return fresh.id
}

export function retryUnsent(id: string): void {
  const one = useOutbox.getState().unsent.find((other) => other.id === id)
  if (!one) return
  set(id, { state: 'sending', error: null })
  void drain(one.channelId)
}

export const discardUnsent = (id: string): void => change((all) => all.filter((one) => one.id !== id))

async function drain(channelId: string): Promise<void> {
  if (busy.has(channelId)) return
  busy.add(channelId)
  try {
    for (let next = nextOf(channelId); next; next = nextOf(channelId)) {
      const isSent = await send(next)
      // The others wait behind it: they answer each other.
      if (!isSent) await networkBack()
    }
  } finally {
    busy.delete(channelId)
  }
}

const nextOf = (channelId: string): OutgoingMessage | undefined =>
  useOutbox.getState().unsent.find((one) => one.channelId === channelId && one.state !== 'failed')

/** False: it has to wait. */
async function send({
  id,
  channelId,
  parentId,
  inChannel,
  content,
  attachments,
  models,
}: OutgoingMessage): Promise<boolean> {
  try {
    const attachmentIds = attachments.map((file) => file.id)
    const asked = models.length === 0 ? {} : { models: [...models] }
    const body = { id, content, attachmentIds, ...asked, ...(parentId === null ? {} : { parentId, inChannel }) }
    const message = await call(routes.post, { params: { channelId }, body })
    for (const one of timelinesOf(channelId)) if (belongsTo(message, one.rootId)) addMessage(one, message)
    discardUnsent(id)
    return true
  } catch (error) {
    if (isTemporary(error)) {
      set(id, { state: 'waiting', error: null })
      return false
    }
    set(id, { state: 'failed', error })
    return true
  }
}

/** Resolves once there may be a way to the server again. */
function networkBack(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, pauseMs)
    addEventListener('online', done)
  })
}

const set = (id: string, part: Partial<OutgoingMessage>): void =>
  change((all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)))

function change(step: (all: readonly OutgoingMessage[]) => readonly OutgoingMessage[]): void {
  const unsent = step(useOutbox.getState().unsent)
  useOutbox.setState({ unsent })
  try {
    if (unsent.length === 0) localStorage.removeItem(place)
    else localStorage.setItem(place, JSON.stringify(unsent.map((one) => ({ ...one, error: null }))))
  } catch {
    // The browser's space is used up: it lasts as long as the page.
  }
}

function read(from: string): string | null {
  try {
    return localStorage.getItem(from)
  } catch {
    // Storage is switched off.
    return null
  }
}

/** What was kept, tried again; nothing of what cannot be read. */
export function parseUnsent(text: string | null): OutgoingMessage[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(kept) ? kept.filter(isUnsent).map(asUnsent) : []
  } catch {
    // Half-written by a browser that was killed.
    return []
  }
}

/** Messages from before models could be asked name none. */
const asUnsent = (one: OutgoingMessage): OutgoingMessage => ({
  ...one,
  models: (one.models as OutgoingMessage['models'] | undefined) ?? [],
  state: 'sending',
  error: null,
})

const isUnsent = (value: unknown): value is OutgoingMessage =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'channelId', 'content', 'createdAt'].every((key) => typeof Reflect.get(value, key) === 'string') &&
  Array.isArray(Reflect.get(value, 'attachments'))
