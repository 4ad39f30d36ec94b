/** Says to screen readers what arrives in the channel on screen. Loaded with the first message. */
import type { ChannelMessage } from '@atrium/contract/channels'
import { announce } from '../../../lib/announce.ts'
import { translate } from 'virtual:words/channels'
import { shownName } from '../names.ts'

/** What comes so quickly is told at once. */
const restMs = 400
const most = 3
let waiting: ChannelMessage[] = []

export function announceArrival(message: ChannelMessage, meId: string): void {
  if (message.author?.id === meId || document.visibilityState !== 'visible') return
  if (waiting.length === 0) setTimeout(tell, restMs)
  waiting.push(message)
}

function tell(): void {
  const messages = waiting
  waiting = []
  if (messages.length > most) return announce(translate('channels:announceMany', { count: messages.length }))
  announce(messages.map(wordsOf).join(' '))
}

function wordsOf({ author, answer, content, attachments }: ChannelMessage): string {
  const who = answer?.name ?? shownName(author?.name || translate('channels:nobody'))
  return translate('channels:announce', { who, text: content.slice(0, 300) || (attachments[0]?.name ?? '') })
}
