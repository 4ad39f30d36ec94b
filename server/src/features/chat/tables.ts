import type { LinkRow } from '../../core/access/index.ts'
import type { AttachmentRow, AttachmentUseRow } from './attachment-rows.ts'
import type { DraftRow, QueueRow } from './queue-rows.ts'

export type { AttachmentRow, AttachmentUseRow, DraftRow, QueueRow }

export interface SessionRow {
  id: string
  account_id: string
  title: Uint8Array
  title_source: 'default' | 'generated' | 'own'
  /** JSON of a selection. */
  selection: string | null
  settings: Uint8Array | null
  forked_from: Uint8Array | null
  folder_id: string | null
  pinned: number
  archived: number
  unread: number
  failed: number
  /** 1 after an answer was stopped or failed: queued prompts wait until the person resumes them. */
  queue_held: number
  running_generation_id: string | null
  /** 1 while the running answer waits for permission, which means nothing without one; 2 while an answer that ended waits for it. */
  needs_answer: number
  active_leaf_id: string | null
  /** The summary in force on the active path. */
  summary_id: string | null
  /** 0 while a fork is being copied: nobody sees it yet. */
  ready: number
  /** 1 while it only keeps what goes with the next new question: it is in no list until something is asked in it. */
  draft: number
  /** Of a temporary chat: when it is deleted for good. */
  expires_at: number | null
  /** A keyed digest of what made it, where the client chose the id. */
  digest: string | null
  created_at: number
  updated_at: number
  deleted_at: number | null
  /** What was thrown away when this went to the trash: the chat itself, or its folder. */
  trash_id: string | null
  /** Rises with everything that the index of words has to know. */
  version: number
  /** Which version the index knows; -1 from before there was an index. */
  indexed_version: number
}

export interface MessageRow {
  id: string
  chat_id: string
  account_id: string
  /** null for the first message, and for summaries, which are outside of the tree. */
  parent_id: string | null
  role: 'user' | 'assistant' | 'summary'
  status: 'complete' | 'running' | 'waiting' | 'cancelled' | 'interrupted' | 'failed'
  depth: number
  /** A sealed document: text, reasoning, sources, usage, failure. */
  content: Uint8Array
  selection: string | null
  rating: number | null
  finish_reason: string | null
  generation_id: string | null
  /** The child that the path goes on with, or went on with when this branch was last left. */
  active_child_id: string | null
  /** Of a summary: the last message it covers. */
  covers_to_id: string | null
  digest: string | null
  /** How many attachments it holds, so that nobody looks for those of messages that have none. */
  attachment_count: number
  created_at: number
  edited_at: number | null
  deleted_at: number | null
  trash_id: string | null
  /** As of a chat; 0 while there is nothing to know. */
  version: number
  indexed_version: number
  /** 0 where an answer is from before it was noted which documents answers cite, and nobody has looked yet. */
  citations_noted: number
  /** When its owner pinned it. */
  pinned_at: number | null
  /** What its owner calls the branch that begins with it, sealed. */
  branch_name: Uint8Array | null
}

/** A document that an answer cites: so the answers that cite it are found without opening any. */
export interface CitationRow {
  message_id: string
  document_id: string
  account_id: string
}

/** What the provider of an answer wants to be sent again with it: sealed, and shown to nobody. */
export interface ReplayRow {
  message_id: string
  content: Uint8Array
}

export interface FolderRow {
  id: string
  account_id: string
  name: Uint8Array
  /** The project that it is in. */
  parent_id: string | null
  /** Sealed: instructions, model, collections. */
  settings: Uint8Array | null
  /** The collection with its files. */
  files_collection_id: string | null
  digest: string | null
  created_at: number
  updated_at: number
  deleted_at: number | null
}

export interface TrashRow {
  item_id: string
  account_id: string
  kind: 'chat' | 'folder' | 'message'
  chat_id: string | null
  deleted_at: number
  /** Of a message that left the middle of a chat: JSON of what followed it, and goes on without it. */
  relinked: string | null
}

export interface TagRow {
  id: string
  account_id: string
  name: Uint8Array
  /** Keyed, of the name as it is compared. */
  digest: string
}

export interface TagUseRow {
  chat_id: string
  tag_id: string
}

export interface ConfigRow {
  id: string
  value: Uint8Array
}

/** A link by which a chat is shared with whoever has it. */
export interface ChatLinkRow extends LinkRow {
  chat_id: string
  /** 1: attachments, names of documents and cited passages are shown, too. */
  with_files: number
}

export interface ChatTables {
  chat_sessions: SessionRow
  chat_messages: MessageRow
  chat_replays: ReplayRow
  chat_citations: CitationRow
  chat_folders: FolderRow
  chat_queue: QueueRow
  chat_drafts: DraftRow
  chat_attachments: AttachmentRow
  chat_attachment_uses: AttachmentUseRow
  chat_trash: TrashRow
  chat_config: ConfigRow
  chat_links: ChatLinkRow
  chat_tags: TagRow
  chat_tag_uses: TagUseRow
}
