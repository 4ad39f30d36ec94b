/** Destinations that the environment names: a folder, S3-compatible storage, a WebDAV server, or all three. */
import { z } from 'zod'
import type { Destination } from './destination.ts'
import { openFolder } from './folder.ts'
import type { HttpDestinationDeps } from './http.ts'
import { openS3, type S3Options } from './s3.ts'
import { openWebDav, type WebDavOptions } from './webdav.ts'
import { declareVariables, type VariableReader, webAddress, yesNo } from '../../settings/index.ts'

const words = z.string().trim().min(1).max(1024)

export const placeVariables = declareVariables({
  BACKUP_FOLDER: [
    z
      .string()
      .trim()
      .max(1000)
      .regex(/^(\/|[A-Za-z]:[\\/])/, 'must be a whole path, from the root on'),
    'a folder for backups, ideally on another disk than `DATA_DIR`; add more destinations in the app',
  ],
  BACKUP_S3_BUCKET: [
    words,
    'an S3-compatible bucket for backups',
    { needs: ['BACKUP_S3_ENDPOINT', 'BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY'] },
  ],
  BACKUP_S3_ENDPOINT: [webAddress('https://s3.eu-central-1.amazonaws.com'), 'its endpoint, without the bucket'],
  BACKUP_S3_REGION: [words, 'its region (default us-east-1)'],
  BACKUP_S3_PREFIX: [words, 'the prefix of all object names'],
  BACKUP_S3_PATH_STYLE: [
    yesNo,
    'whether the bucket is part of the path, as most self-hosted storage needs (default true)',
  ],
  BACKUP_S3_ACCESS_KEY_ID: [words, 'the access key'],
  BACKUP_S3_SECRET_ACCESS_KEY: [words, 'the secret key'],
  BACKUP_WEBDAV_URL: [
    webAddress('https://files.example.org/backups'),
    'a WebDAV folder for backups',
    { needs: ['BACKUP_WEBDAV_USERNAME', 'BACKUP_WEBDAV_PASSWORD'] },
  ],
  BACKUP_WEBDAV_USERNAME: [words, 'its user name'],
  BACKUP_WEBDAV_PASSWORD: [words, 'its password'],
})
type PlaceVariables = typeof placeVariables

type BackupPlace =
  | { readonly kind: 'folder'; readonly path: string }
  | ({ readonly kind: 's3' } & Omit<S3Options, 'secretAccessKey'>)
  | ({ readonly kind: 'webdav' } & Omit<WebDavOptions, 'password'>)

/** A place, with the secret that opens it; empty for a folder. */
export interface SecretPlace {
  readonly place: BackupPlace
  readonly secret: string
}
export interface EnvironmentPlace extends SecretPlace {
  readonly id: string
  /** The variable that names it. */
  readonly variable: string
}

/** What the variables hold, as an area is given them. */
export type PlaceValues = {
  readonly [K in keyof PlaceVariables]: PlaceVariables[K] extends { readonly text: z.ZodType<infer T, string> }
    ? T | undefined
    : never
}

/** The same for a command, which has the reader alone. */
export const readPlaceValues = (read: VariableReader): PlaceValues =>
  Object.fromEntries(
    Object.entries(placeVariables).map(([name, variable]) => [name, read<unknown>(variable)]),
  ) as unknown as PlaceValues

export const environmentPlaces = (values: PlaceValues): EnvironmentPlace[] => {
  const places: EnvironmentPlace[] = []
  const { BACKUP_FOLDER: path, BACKUP_S3_BUCKET: bucket, BACKUP_WEBDAV_URL: url } = values
  if (path !== undefined)
    places.push({ id: 'environment', variable: 'BACKUP_FOLDER', place: { kind: 'folder', path }, secret: '' })
  if (bucket !== undefined)
    places.push({
      id: 'environment-s3',
      variable: 'BACKUP_S3_BUCKET',
      secret: values.BACKUP_S3_SECRET_ACCESS_KEY ?? '',
      place: {
        kind: 's3',
        bucket,
        endpoint: values.BACKUP_S3_ENDPOINT?.origin ?? '',
        region: values.BACKUP_S3_REGION ?? 'us-east-1',
        prefix: values.BACKUP_S3_PREFIX ?? '',
        pathStyle: values.BACKUP_S3_PATH_STYLE ?? true,
        accessKeyId: values.BACKUP_S3_ACCESS_KEY_ID ?? '',
      },
    })
  if (url !== undefined)
    places.push({
      id: 'environment-webdav',
      variable: 'BACKUP_WEBDAV_URL',
      secret: values.BACKUP_WEBDAV_PASSWORD ?? '',
      place: { kind: 'webdav', url: url.href, username: values.BACKUP_WEBDAV_USERNAME ?? '' },
    })
  return places
}

/** The address that is called for a place; null for a folder. */
export const addressOf = (place: BackupPlace): string | null => {
  if (place.kind === 'folder') return null
  if (place.kind === 'webdav') return place.url
  const endpoint = new URL(place.endpoint)
  return place.pathStyle ? endpoint.origin : `${endpoint.protocol}//${place.bucket}.${endpoint.host}`
}

export const openPlace = ({ place, secret }: SecretPlace, http: HttpDestinationDeps): Destination => {
  if (place.kind === 'folder') return openFolder(place.path)
  if (place.kind === 's3') return openS3({ ...place, secretAccessKey: secret }, http)
  return openWebDav({ ...place, password: secret }, http)
}
