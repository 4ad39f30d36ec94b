/** How far people have read the threads that they follow: the table, with who follows which thread as it is made. */
import type { Migration } from '../../../platform/db/types.ts'

const written = `select author_id as account_id, channel_id, coalesce(parent_id, id) as root_id from channel_messages
  where author_id is not null and deleted_at is null and (parent_id is not null or reply_count > 0)`
const named = `select x.account_id, x.channel_id, coalesce(m.parent_id, m.id) as root_id from channel_mentions as x
  join channel_messages as m on m.id = x.message_id
  where x.via = '' and m.deleted_at is null and (m.parent_id is not null or m.reply_count > 0)`
const chosen = `select account_id, channel_id, root_id from channel_preferences
  where root_id <> '' and level in ('all', 'mentions')`

export const threadReadsMigration: Migration = {
  id: 'channels/0011-thread-reads',
  up: ({ text, int }) => [
    `create table channel_thread_reads (
      account_id ${text} not null,
      channel_id ${text} not null,
      root_id ${text} not null,
      read_seq ${int} not null,
      primary key (account_id, root_id)
    )`,
    'create index channel_thread_reads_by_thread on channel_thread_reads (root_id)',
    'create index channel_thread_reads_by_channel on channel_thread_reads (channel_id, account_id)',
    // What was said before there were places is no news.
    ...[written, named, chosen].map(
      (followers) => `insert into channel_thread_reads (account_id, channel_id, root_id, read_seq)
        select f.account_id, f.channel_id, f.root_id, c.last_seq from (${followers}) as f
        join channel_members as m on m.channel_id = f.channel_id and m.account_id = f.account_id
        join channels as c on c.id = f.channel_id where c.deleted_at is null
        on conflict (account_id, root_id) do nothing`,
    ),
  ],
}
