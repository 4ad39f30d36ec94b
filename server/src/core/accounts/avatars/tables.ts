/** Pictures of people, sealed. The row of the account has the tag, so that names and pictures are read together. */
import type { Migration } from '../../../platform/db/types.ts'

export interface AvatarRow {
  account_id: string
  /** What its address ends with; another picture has another one. */
  tag: string
  media_type: string
  picture: Uint8Array
}

export interface AvatarTables {
  account_avatars: AvatarRow
}

export const avatarMigrations: readonly Migration[] = [
  {
    id: 'accounts/0007-avatars',
    up: ({ text, bytes }) => [
      `alter table accounts add column avatar_tag ${text}`,
      `create table account_avatars (
        account_id ${text} primary key references accounts (id) on delete cascade,
        tag ${text} not null unique,
        media_type ${text} not null,
        picture ${bytes} not null
      )`,
    ],
  },
]
