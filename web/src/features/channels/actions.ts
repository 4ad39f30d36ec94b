/** What channels can do by keys and from the palette. */
import {
  CheckCheck,
  ChevronDown,
  ChevronUp,
  Clock,
  Hash,
  ListChecks,
  MailQuestion,
  MessageSquarePlus,
  MessageSquareReply,
  MessagesSquare,
} from 'lucide-react'
import { ArrowUpToLine, AtSign, Pencil, Pin, Plus, Search, Settings2, SmilePlus, UsersRound } from 'lucide-react'
import { defineActions, defineFixedKeys } from '../../lib/actions.ts'
import { links } from '../../lib/links.ts'

/** Names stand among the words that come with the app. */
const named = (word: string) => `channels-shell:action.${word}`

defineActions([
  {
    id: 'channels.open',
    name: 'channels-shell:open',
    words: 'channels-shell:openWords',
    icon: Hash,
    run: (go) => go(links.channels()),
  },
  { id: 'channels.create', name: named('create'), icon: Plus, run: (go) => go(`${links.channels()}?new=channel`) },
  {
    id: 'channels.message',
    name: named('message'),
    icon: MessageSquarePlus,
    run: (go) => go(`${links.channels()}?new=message`),
  },
  { id: 'channels.browse', name: named('browse'), icon: Search, run: (go) => go(`${links.channels()}?new=browse`) },
  { id: 'channels.later', name: named('later'), icon: Clock, run: (go) => go(links.laterMessages()) },
  {
    id: 'channels.threads',
    name: named('threads'),
    icon: MessagesSquare,
    run: (go) => go(links.channelThreads()),
  },
  { id: 'channels.previous', name: named('previous'), keys: 'Alt+Shift+K', icon: ChevronUp },
  { id: 'channels.next', name: named('next'), keys: 'Alt+Shift+J', icon: ChevronDown },
  { id: 'channels.next-unread', name: named('nextUnread'), keys: 'Alt+Shift+U', icon: MailQuestion },
  { id: 'channels.jump', name: named('jump'), keys: 'Alt+Shift+F', icon: ArrowUpToLine },
  { id: 'channels.next-mention', name: named('nextMention'), keys: 'Alt+Shift+N', icon: AtSign },
  { id: 'channels.react', name: named('react'), keys: 'Alt+Shift+R', icon: SmilePlus },
  { id: 'channels.reply', name: named('reply'), keys: 'Alt+Shift+T', icon: MessageSquareReply },
  { id: 'channels.edit-last', name: named('editLast'), keys: 'Alt+Shift+E', icon: Pencil },
  { id: 'channels.catch-up', name: named('catchUp'), icon: ListChecks },
  { id: 'channels.mark-read', name: named('markRead'), keys: 'Alt+Shift+M', icon: CheckCheck },
  { id: 'channels.members', name: named('members'), icon: UsersRound },
  { id: 'channels.pins', name: named('pins'), icon: Pin },
  { id: 'channels.settings', name: named('settings'), icon: Settings2 },
])

defineFixedKeys('channels-shell:keys.title', [
  { name: 'channels-shell:keys.edit', keys: 'E' },
  { name: 'channels-shell:keys.react', keys: 'R' },
  { name: 'channels-shell:keys.reply', keys: 'T' },
  { name: 'channels-shell:keys.copy', keys: 'C' },
  { name: 'channels-shell:keys.pin', keys: 'P' },
  { name: 'channels-shell:keys.unread', keys: 'U' },
])
