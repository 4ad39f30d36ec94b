/** Banners and logos of the instance. What is in them is sealed with its own key. */
import type { BannerKind, LogoVariant } from '@atrium/contract/branding'
import type { Migration } from '../../platform/db/types.ts'
import { type SealedColumn, sealedColumns } from '../../platform/vault/sealed-columns.ts'

export interface BannerRow {
  id: string
  text: Uint8Array
  kind: BannerKind
  starts_at: number | null
  ends_at: number | null
  dismissible: 0 | 1
  public: 0 | 1
  created_at: number
  updated_at: number
}

export interface LogoRow {
  variant: LogoVariant
  /** What its address ends with; another logo has another one. */
  tag: string
  media_type: string
  picture: Uint8Array
}

export interface BrandingTables {
  banners: BannerRow
  branding_logos: LogoRow
}

export const brandingMigrations: readonly Migration[] = [
  {
    id: 'branding/0001-banners-and-logos',
    up: ({ text, int, bytes }) => [
      `create table banners (
        id ${text} primary key,
        text ${bytes} not null,
        kind ${text} not null,
        starts_at ${int},
        ends_at ${int},
        dismissible ${int} not null,
        public ${int} not null,
        created_at ${int} not null,
        updated_at ${int} not null
      )`,
      `create table branding_logos (
        variant ${text} primary key,
        tag ${text} not null unique,
        media_type ${text} not null,
        picture ${bytes} not null
      )`,
    ],
  },
]

export const brandingSealed: readonly SealedColumn[] = [
  ...sealedColumns('banners', ['text']),
  ...sealedColumns('branding_logos', ['picture'], { key: ['variant'] }),
]
