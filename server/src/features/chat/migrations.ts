/** How the tables of chats came about. What exists is never changed: a change is a migration of its own. */
import type { Migration } from '../../platform/db/types.ts'

export const chatMigrations: readonly Migration[] = [
  {
    id: 'chat/0001-chats',
    up: ({ text, int, bytes }) => [
      `create table chat_sessions (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        title ${bytes} not null,
        title_source ${text} not null,
        selection ${text},
        settings ${bytes},
        forked_from ${bytes},
        folder_id ${text},
        pinned ${int} not null,
        archived ${int} not null,
        unread ${int} not null,
        failed ${int} not null,
        queue_held ${int} not null,
        running_generation_id ${text},
        active_leaf_id ${text},
        summary_id ${text},
        ready ${int} not null,
        digest ${text},
        created_at ${int} not null,
        updated_at ${int} not null,
        deleted_at ${int},
        trash_id ${text}
      )`,
      `create index chat_sessions_latest on chat_sessions (account_id, archived, updated_at, id)
        where deleted_at is null and ready = 1`,
      `create index chat_sessions_folder on chat_sessions (account_id, folder_id, archived, updated_at, id)
        where deleted_at is null and ready = 1`,
      `create index chat_sessions_pinned on chat_sessions (account_id, pinned, archived, updated_at, id)
        where deleted_at is null and ready = 1`,
      `create index chat_sessions_trash on chat_sessions (trash_id) where trash_id is not null`,
      `create index chat_sessions_unready on chat_sessions (created_at) where ready = 0`,
      `create table chat_messages (
        id ${text} primary key,
        chat_id ${text} not null references chat_sessions (id) on delete cascade,
        account_id ${text} not null,
        parent_id ${text},
        role ${text} not null,
        status ${text} not null,
        depth ${int} not null,
        content ${bytes} not null,
        selection ${text},
        rating ${int},
        finish_reason ${text},
        generation_id ${text},
        active_child_id ${text},
        covers_to_id ${text},
        digest ${text},
        created_at ${int} not null,
        edited_at ${int},
        deleted_at ${int},
        trash_id ${text}
      )`,
      `create index chat_messages_parent on chat_messages (chat_id, parent_id)`,
      `create index chat_messages_summary on chat_messages (covers_to_id) where role = 'summary'`,
      `create index chat_messages_chat_summary on chat_messages (chat_id) where role = 'summary'`,
      `create index chat_messages_trash on chat_messages (trash_id) where trash_id is not null`,
      `create table chat_folders (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        name ${bytes} not null,
        digest ${text},
        created_at ${int} not null,
        updated_at ${int} not null,
        deleted_at ${int}
      )`,
      `create index chat_folders_account on chat_folders (account_id)`,
      `create table chat_queue (
        id ${text} primary key,
        chat_id ${text} not null references chat_sessions (id) on delete cascade,
        account_id ${text} not null,
        content ${bytes} not null,
        position ${int} not null,
        created_at ${int} not null
      )`,
      `create index chat_queue_chat on chat_queue (chat_id, position)`,
      `create table chat_drafts (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        content ${bytes} not null
      )`,
      `create index chat_drafts_account on chat_drafts (account_id)`,
      `create table chat_attachments (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        name ${bytes} not null,
        kind ${text} not null,
        media_type ${text} not null,
        size_bytes ${int} not null,
        tokens ${int} not null,
        width ${int},
        height ${int},
        created_at ${int} not null
      )`,
      `create index chat_attachments_account on chat_attachments (account_id)`,
      `create index chat_attachments_age on chat_attachments (created_at, id)`,
      `create table chat_attachment_uses (
        holder_id ${text} not null,
        place ${int} not null,
        attachment_id ${text} not null references chat_attachments (id) on delete cascade,
        chat_id ${text},
        primary key (holder_id, place)
      )`,
      `create index chat_attachment_uses_attachment on chat_attachment_uses (attachment_id)`,
      `create index chat_attachment_uses_chat on chat_attachment_uses (chat_id)`,
      `create table chat_trash (
        item_id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        kind ${text} not null,
        chat_id ${text},
        deleted_at ${int} not null
      )`,
      `create index chat_trash_account on chat_trash (account_id, deleted_at, item_id)`,
      `create index chat_trash_age on chat_trash (deleted_at)`,
      `create table chat_config (id ${text} primary key, value ${bytes} not null)`,
    ],
  },
  {
    id: 'chat/0002-attachment-counts',
    up: ({ int }) => [
      `alter table chat_messages add column attachment_count ${int} not null default 0`,
      `update chat_messages set attachment_count =
        (select count(*) from chat_attachment_uses where chat_attachment_uses.holder_id = chat_messages.id)`,
    ],
  },
  {
    // Beside the messages, so that walks over many of them stay light.
    id: 'chat/0003-replays',
    up: ({ text, bytes }) => [
      `create table chat_replays (
        message_id ${text} primary key references chat_messages (id) on delete cascade,
        content ${bytes} not null
      )`,
    ],
  },
  {
    // What the index of words does not know yet; of rows from before, nothing.
    id: 'chat/0004-indexed-versions',
    up: ({ int }) => [
      ...['chat_sessions', 'chat_messages'].flatMap((table) => [
        `alter table ${table} add column version ${int} not null default 1`,
        `alter table ${table} add column indexed_version ${int} not null default -1`,
      ]),
      `create index chat_sessions_unindexed on chat_sessions (account_id, created_at) where indexed_version < version`,
      `create index chat_messages_unindexed on chat_messages (account_id, chat_id) where indexed_version < version`,
    ],
  },
  {
    id: 'chat/0005-queued-web-searches',
    up: ({ int }) => [`alter table chat_queue add column web_search ${int} not null default 0`],
  },
  {
    id: 'chat/0006-queued-documents',
    up: ({ bytes }) => [`alter table chat_queue add column documents ${bytes}`],
  },
  {
    id: 'chat/0007-needs-answer',
    up: ({ int }) => [`alter table chat_sessions add column needs_answer ${int} not null default 0`],
  },
  {
    id: 'chat/0008-draft-chats',
    up: ({ int }) => [
      `alter table chat_sessions add column draft ${int} not null default 0`,
      `create index chat_sessions_drafts on chat_sessions (account_id, created_at) where draft = 1`,
    ],
  },
  {
    id: 'chat/0009-temporary-chats',
    up: ({ int }) => [
      `alter table chat_sessions add column expires_at ${int}`,
      `create index chat_sessions_temporary on chat_sessions (expires_at) where expires_at is not null`,
    ],
  },
  {
    id: 'chat/0010-links',
    up: ({ text, int }) => [
      `create table chat_links (
        id ${text} primary key,
        chat_id ${text} not null references chat_sessions (id) on delete cascade,
        account_id ${text} not null,
        secret_digest ${text} not null,
        with_files ${int} not null,
        password ${text},
        wrong_passwords ${int} not null default 0,
        wrong_since ${int} not null default 0,
        expires_at ${int} not null,
        created_at ${int} not null
      )`,
      'create unique index chat_links_secret on chat_links (secret_digest)',
      'create index chat_links_chat on chat_links (chat_id)',
      'create index chat_links_account on chat_links (account_id, created_at, id)',
      'create index chat_links_end on chat_links (expires_at)',
    ],
  },
  {
    id: 'chat/0011-projects',
    up: ({ text, bytes }) => [
      `alter table chat_folders add column parent_id ${text}`,
      `alter table chat_folders add column settings ${bytes}`,
      `alter table chat_folders add column files_collection_id ${text}`,
      `create index chat_folders_parent on chat_folders (parent_id) where parent_id is not null`,
    ],
  },
  {
    id: 'chat/0012-relinked-messages',
    up: ({ text }) => [`alter table chat_trash add column relinked ${text}`],
  },
  {
    id: 'chat/0013-print',
    up: ({ bytes, int }) => [
      `alter table chat_attachments add column print ${bytes}`,
      `alter table chat_attachments add column print_tokens ${int}`,
    ],
  },
  {
    id: 'chat/0014-citations',
    up: ({ text, int }) => [
      `create table chat_citations (
        message_id ${text} not null references chat_messages (id) on delete cascade,
        document_id ${text} not null references documents (id) on delete cascade,
        account_id ${text} not null,
        primary key (message_id, document_id)
      )`,
      'create index chat_citations_document on chat_citations (document_id, account_id)',
      `alter table chat_messages add column citations_noted ${int} not null default 0`,
      `create index chat_messages_citations_due on chat_messages (account_id, id)
        where citations_noted = 0 and role = 'assistant'`,
    ],
  },
  {
    id: 'chat/0015-queued-makings',
    up: ({ bytes }) => [`alter table chat_queue add column making ${bytes}`],
  },
  {
    id: 'chat/0016-queued-without-tools',
    up: ({ int }) => [`alter table chat_queue add column without_tools ${int} not null default 0`],
  },
  {
    id: 'chat/0017-queued-tools',
    up: ({ bytes }) => [`alter table chat_queue add column tools ${bytes}`],
  },
  {
    id: 'chat/0018-pinned-messages',
    up: ({ int }) => [
      `alter table chat_messages add column pinned_at ${int}`,
      'create index chat_messages_pinned on chat_messages (chat_id, created_at, id) where pinned_at is not null',
    ],
  },
  {
    id: 'chat/0019-tags',
    up: ({ text, bytes }) => [
      `create table chat_tags (
        id ${text} primary key,
        account_id ${text} not null references accounts (id) on delete cascade,
        name ${bytes} not null,
        digest ${text} not null
      )`,
      'create unique index chat_tags_digest on chat_tags (account_id, digest)',
      `create table chat_tag_uses (
        chat_id ${text} not null references chat_sessions (id) on delete cascade,
        tag_id ${text} not null references chat_tags (id) on delete cascade,
        primary key (chat_id, tag_id)
      )`,
      'create index chat_tag_uses_tag on chat_tag_uses (tag_id)',
    ],
  },
  {
    id: 'chat/0020-draft-quotes',
    up: ({ bytes }) => [`alter table chat_drafts add column quotes ${bytes}`],
  },
  {
    id: 'chat/0021-branch-names',
    up: ({ bytes }) => [`alter table chat_messages add column branch_name ${bytes}`],
  },
  {
    id: 'chat/0022-queued-quotes',
    up: ({ bytes }) => [`alter table chat_queue add column quotes ${bytes}`],
  },
]
