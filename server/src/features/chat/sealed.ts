/** Which columns of chat are sealed, for whoever opens all of them. */
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

/** Of rows that the index of words knows as they are. */
const isIndexed = 'indexed_version = version'

export const chatSealed: readonly SealedColumn[] = [
  ...sealedColumns('chat_sessions', ['title'], {
    owner: 'account_id',
    words: { entry: "'chat:' || id", where: isIndexed },
  }),
  ...sealedColumns('chat_sessions', ['settings', 'forked_from'], { owner: 'account_id' }),
  ...sealedColumns('chat_messages', ['content'], {
    owner: 'account_id',
    words: { entry: 'id', member: 'text', where: isIndexed },
  }),
  ...sealedColumns('chat_messages', ['branch_name'], { owner: 'account_id' }),
  ...sealedColumns('chat_replays', ['content'], {
    key: ['message_id'],
    owner: '(select account_id from chat_messages where chat_messages.id = message_id)',
  }),
  ...sealedColumns('chat_folders', ['name', 'settings'], { owner: 'account_id' }),
  ...sealedColumns('chat_tags', ['name'], { owner: 'account_id' }),
  ...sealedColumns('chat_queue', ['content', 'documents', 'making', 'tools', 'quotes'], { owner: 'account_id' }),
  ...sealedColumns('chat_drafts', ['content', 'quotes'], { owner: 'account_id' }),
  ...sealedColumns('chat_attachments', ['name', 'print'], { owner: 'account_id' }),
  ...sealedColumns('chat_config', ['value']),
]
