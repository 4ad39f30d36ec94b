/** What is being typed of a destination: the fields of all kinds at once, so that trying another kind loses none. */
import type { BackupDestination, BackupPlace } from '@atrium/contract/recovery-backup'

export interface Draft {
  readonly name: string
  readonly kind: BackupPlace['kind']
  readonly path: string
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly prefix: string
  readonly pathStyle: boolean
  readonly accessKeyId: string
  readonly url: string
  readonly username: string
  readonly secret: string
}

export const textFields = {
  folder: ['path'],
  s3: ['endpoint', 'region', 'bucket', 'prefix', 'accessKeyId'],
  webdav: ['url', 'username'],
} as const satisfies Record<BackupPlace['kind'], (keyof Draft)[]>
export type TextField = (typeof textFields)[keyof typeof textFields][number]

/** What may stay empty. */
export const isOptional = (field: TextField): boolean => field === 'prefix'

const empty: Draft = {
  name: '',
  kind: 'folder',
  path: '',
  endpoint: '',
  region: 'us-east-1',
  bucket: '',
  prefix: '',
  pathStyle: true,
  accessKeyId: '',
  url: '',
  username: '',
  secret: '',
}

export const draftOf = (before: BackupDestination | null): Draft =>
  before ? { ...empty, name: before.name, ...before.place } : empty

export const placeOf = (draft: Draft): BackupPlace => {
  const of = (field: TextField) => draft[field].trim()
  if (draft.kind === 'folder') return { kind: 'folder', path: of('path') }
  if (draft.kind === 'webdav') return { kind: 'webdav', url: of('url'), username: of('username') }
  return {
    kind: 's3',
    endpoint: of('endpoint'),
    region: of('region'),
    bucket: of('bucket'),
    prefix: of('prefix'),
    pathStyle: draft.pathStyle,
    accessKeyId: of('accessKeyId'),
  }
}

/** Whether everything that is needed was typed. */
export const isWhole = (draft: Draft, isNew: boolean): boolean =>
  draft.name.trim() !== '' &&
  textFields[draft.kind].every((field) => isOptional(field) || draft[field].trim() !== '') &&
  (draft.kind === 'folder' || !isNew || draft.secret !== '')

/** Where a destination is, in one line. */
export const addressOf = (place: BackupPlace): string => {
  if (place.kind === 'folder') return place.path
  if (place.kind === 'webdav') return place.url
  return [place.endpoint.replace(/\/$/, ''), place.bucket, place.prefix].filter(Boolean).join('/')
}
