/** Conversations of one account with models. */
import { area } from '../area.ts'
import { chatDescription } from './area.ts'
import {
  Attachment,
  Chat,
  ChatEvent,
  ChatSettings,
  ChatSummary,
  CitingChat,
  Draft,
  Folder,
  FolderSettings,
  Message,
  MessagePage,
  Project,
  Queue,
  QueueEntry,
  SentDocument,
  Tag,
  TrashItem,
} from './shapes.ts'
import { Branch, MessagePreview } from './branches.ts'
import { generations } from './generations.ts'
import { ChatLink, LinkedMessage, chatLinks } from './links.ts'
import { messages } from './messages.ts'
import { organising } from './organising.ts'
import { Quote, SentQuote } from './quotes.ts'
import { sessions } from './sessions.ts'
import { tags } from './tags.ts'

export * from './branches.ts'
export * from './quotes.ts'
export * from './shapes.ts'
export { ChatLink, LinkedMessage } from './links.ts'
export { type GenerateBody } from './generations.ts'
export { CompactionConfig } from './sessions.ts'

export const chatRoutes = { ...sessions, ...messages, ...generations, ...organising, ...tags, ...chatLinks }

export const chatArea = area(chatDescription, {
  routes: chatRoutes,
  shapes: {
    Attachment,
    Branch,
    Chat,
    ChatEvent,
    ChatLink,
    ChatSettings,
    ChatSummary,
    CitingChat,
    Draft,
    Folder,
    FolderSettings,
    LinkedMessage,
    Message,
    MessagePage,
    MessagePreview,
    Project,
    Queue,
    QueueEntry,
    Quote,
    SentDocument,
    SentQuote,
    Tag,
    TrashItem,
  },
})
