/** Each kind of notification as people see it: its icon, where it leads, and how its facts are said. */
import type { NotificationContent, NotificationKind } from '@atrium/contract/notifications'
import {
  AlarmClock,
  ArrowRightLeft,
  AtSign,
  Bell,
  CalendarCheck,
  CalendarClock,
  CalendarPlus,
  FileWarning,
  Hash,
  type LucideIcon,
  MessageCircle,
  MessageSquareText,
  MessageSquareWarning,
  Reply,
  ServerCrash,
  Share2,
  ShieldAlert,
  TextSearch,
  UserPlus,
  Wallet,
  Webhook,
  Workflow,
  Wrench,
} from 'lucide-react'
import { formatDateTime, formatDay } from '../../lib/format.ts'
import { links } from '../../lib/links.ts'
import { resourceLink } from '../../lib/resources.ts'
import { useText } from 'virtual:words/notification-kind'

type Say = (key: string, values?: Record<string, unknown>) => string
type FactsOf<K> = Extract<NotificationContent, { kind: K }>['facts']

interface KindDisplay<F> {
  readonly icon: LucideIcon
  /** Opens the very thing. */
  readonly link: (facts: F) => string
  readonly title: (say: Say, facts: F) => string
  /** A second line, where there is more to say. */
  readonly text?: (say: Say, facts: F) => string | null
}

/** Sections of the settings where more stands about it than under security. */
const placesOfEvents: Readonly<Record<string, string>> = {
  'removal-set': 'data',
  'removal-off': 'data',
  'email-changed': 'profile',
}

const displays: { readonly [K in NotificationKind]: KindDisplay<FactsOf<K>> } = {
  security: {
    icon: ShieldAlert,
    link: ({ event }) =>
      links.settings(placesOfEvents[event] ?? 'security', event === 'new-sign-in' ? 'sessions' : undefined),
    title: (say, { event, by }) => say(`security.${event}`, { by }),
    text: (say, { event, reason, until }) =>
      until === null ? null : say(`securityText.${event}`, { reason, until: formatDateTime(until) }),
  },
  'document-failed': {
    icon: FileWarning,
    link: ({ documentId }) => links.document(documentId),
    title: (say, { name }) => say('document-failed', { name }),
  },
  share: {
    icon: Share2,
    link: ({ resourceType, resourceId }) => resourceLink(resourceType, { id: resourceId }),
    title: (say, { by, name }) => say('share', { by, name }),
  },
  'transfer-offer': {
    icon: ArrowRightLeft,
    link: () => links.transfers(),
    title: (say, { by, name, count }) => say('transfer-offer', { by, name, count }),
  },
  transfer: {
    icon: ArrowRightLeft,
    link: () => links.transfers(),
    title: (say, { by, name, outcome }) => say(`transfer.${outcome}`, { by, name }),
  },
  mention: {
    icon: AtSign,
    link: (facts) => messageLink(facts),
    title: (say, { by, channel }) => say('mention', { by, channel }),
    text: (_say, { text }) => text,
  },
  'direct-message': {
    icon: MessageCircle,
    link: (facts) => messageLink(facts),
    title: (say, { by }) => say('direct-message', { by }),
    text: (_say, { text }) => text,
  },
  'thread-reply': {
    icon: Reply,
    link: (facts) => messageLink(facts),
    title: (say, { by, channel }) => say('thread-reply', { by, channel }),
    text: (_say, { text }) => text,
  },
  keyword: {
    icon: TextSearch,
    link: (facts) => messageLink(facts),
    title: (say, { by, channel }) => (channel ? say('keyword', { by, channel }) : say('keywordDirect', { by })),
    text: (_say, { text }) => text,
  },
  'channel-post': {
    icon: Hash,
    link: (facts) => messageLink(facts),
    title: (say, { by, channel }) => say('channel-post', { by, channel }),
    text: (_say, { text }) => text,
  },
  'message-reminder': {
    icon: AlarmClock,
    link: (facts) => messageLink(facts),
    title: (say, { by, channel }) =>
      channel ? say('message-reminder', { by, channel }) : say('messageReminderDirect', { by }),
    text: (_say, { text }) => text,
  },
  'message-not-sent': {
    icon: MessageSquareWarning,
    link: () => links.laterMessages(),
    title: (say, { channel }) => (channel ? say('notSentIn', { channel }) : say('message-not-sent')),
    text: (_say, { text }) => text,
  },
  'channel-invitation': {
    icon: UserPlus,
    link: ({ channelId }) => links.channel(channelId),
    title: (say, { by, channel }) => say('channel-invitation', { by, channel }),
  },
  'webhook-off': {
    icon: Webhook,
    link: ({ of }) => links.settings(of === 'instance' ? 'instance-webhooks' : 'webhooks'),
    title: (say, { name }) => say('webhook-off', { name }),
    text: (say, { reason }) => say(`webhookOff.${reason}`),
  },
  reminder: {
    icon: CalendarClock,
    link: ({ eventId, occurrence }) => links.calendarEvent(eventId, occurrence ?? undefined),
    title: (say, { name, missed }) => say(missed ? 'reminderMissed' : 'reminder', { name }),
    text: (_say, { startsAt, allDay }) => (allDay ? formatDay(startsAt) : formatDateTime(startsAt)),
  },
  'event-invitation': {
    icon: CalendarPlus,
    link: ({ eventId, occurrence }) => links.calendarEvent(eventId, occurrence ?? undefined),
    title: (say, { by, name, change }) => say(`event-invitation.${change}`, { by, name }),
    text: (_say, { startsAt, allDay }) => (allDay ? formatDay(startsAt) : formatDateTime(startsAt)),
  },
  'guest-answer': {
    icon: CalendarCheck,
    link: ({ eventId, occurrence }) => links.calendarEvent(eventId, occurrence ?? undefined),
    title: (say, { by, name, answer }) => say(`guest-answer.${answer}`, { by, name }),
    text: (_say, { startsAt, allDay }) => (allDay ? formatDay(startsAt) : formatDateTime(startsAt)),
  },
  'automation-result': {
    icon: Workflow,
    link: ({ sessionId }) => links.chat(sessionId),
    title: (say, { name }) => say('automationResult', { name }),
  },
  'automation-failed': {
    icon: Workflow,
    link: ({ automationId }) => links.automation(automationId),
    title: (say, { name }) => say('automationFailed', { name }),
    text: (say, { paused }) => (paused ? say('automationPaused') : null),
  },
  budget: {
    icon: Wallet,
    link: () => links.usage(),
    title: (say, { name, state }) => say(`budget.${state}`, { name }),
    text: (say, { state, blocks, resetsAt }) =>
      say(`budgetText.${state === 'exceeded' && blocks ? 'blocked' : state}`, { when: formatDateTime(resetsAt) }),
  },
  alert: {
    icon: ServerCrash,
    link: ({ check }) => links.settings('doctor', check),
    title: (say, { status }) => say(`alert.${status}`),
    text: (say, { host, message }) => (host === null ? message : say('alertOn', { host, message })),
  },
  'answer-finished': {
    icon: MessageSquareText,
    link: ({ chatId, messageId }) => links.chat(chatId, messageId),
    title: (say, { name, failed }) =>
      say(`answerFinished.${failed ? 'failed' : 'done'}${name === null ? 'Unnamed' : ''}`, { name }),
  },
  'tool-approval': {
    icon: Wrench,
    link: ({ chatId }) => (chatId === null ? links.notifications() : links.chat(chatId)),
    title: (say, { asks, tool }) => say(`toolApproval.${asks}`, { tool }),
    text: (_say, { server }) => server,
  },
}

/** A reply opens in its thread. */
const messageLink = ({ channelId, messageId, parentId }: FactsOf<'mention'>): string =>
  links.channel(channelId, parentId === null ? { message: messageId } : { thread: parentId })

export interface NotificationDisplay {
  readonly icon: LucideIcon
  readonly link: string | null
  readonly title: string
  readonly text: string | null
}

/** Gives how notifications are shown; one of a kind that this page does not know leads nowhere. */
export function useNotificationDisplay(): (content: NotificationContent) => NotificationDisplay {
  const say = useText('notification-kind')
  return ({ kind, facts }) => {
    const display = (displays as Readonly<Record<string, KindDisplay<never>>>)[kind]
    if (!display) return { icon: Bell, link: null, title: say('unknown'), text: null }
    const given = facts as never
    return {
      icon: display.icon,
      link: display.link(given),
      title: display.title(say, given),
      text: display.text?.(say, given) ?? null,
    }
  }
}

/** Gives what a kind is called. */
export function useNotificationKindName(): (kind: NotificationKind) => string {
  const say = useText('notification-kind')
  return (kind) => say(`name.${kind}`)
}
