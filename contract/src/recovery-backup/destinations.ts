/** Where backups are kept. */
import { z } from 'zod'
import { Id } from '../common.ts'

const noBreaks = /^[^\p{Cc}]*$/u
const line = (most: number) => z.string().trim().min(1).max(most).regex(noBreaks, 'it must be one line')
const webAddress = z.url({ protocol: /^https?$/ }).max(500)

export const BackupPlace = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('folder'),
    path: line(1000).regex(/^(\/|[A-Za-z]:[\\/])/, 'write the whole path, from the root on'),
  }),
  z.strictObject({
    kind: z.literal('s3'),
    /** Scheme, host and port of the storage, without the bucket. */
    endpoint: webAddress.refine((text) => ['', '/'].includes(new URL(text).pathname), 'leave the bucket out of it'),
    region: z
      .string()
      .trim()
      .regex(/^[a-z0-9-]{1,40}$/, 'write it as eu-central-1'),
    bucket: z
      .string()
      .trim()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'write it as the storage has it'),
    /** What the names of all objects begin with, so that a bucket can hold other things too. */
    prefix: z
      .string()
      .trim()
      .regex(/^([a-z0-9][a-z0-9._-]{0,39}(\/[a-z0-9][a-z0-9._-]{0,39}){0,2})?$/, 'small letters, digits and slashes'),
    /** The bucket stands in the path and not before the host, as own storage mostly wants it. */
    pathStyle: z.boolean(),
    accessKeyId: z
      .string()
      .trim()
      .min(3)
      .max(128)
      .regex(/^[\w.-]+$/, 'letters and digits'),
  }),
  z.strictObject({
    kind: z.literal('webdav'),
    /** The collection, which is made where the one above is there. */
    url: webAddress,
    username: line(200),
  }),
])
export type BackupPlace = z.infer<typeof BackupPlace>

export const backupPlaceKinds = ['folder', 's3', 'webdav'] as const satisfies BackupPlace['kind'][]

export const BackupDestination = z.strictObject({
  id: Id,
  name: z.string(),
  /** Those of the environment are not changed here. */
  source: z.enum(['saved', 'environment']),
  place: BackupPlace,
  /** A folder on the disk that DATA_DIR lies on: what takes the one takes the other. null: not looked at. */
  onDataDisk: z.boolean().nullable(),
})
export type BackupDestination = z.infer<typeof BackupDestination>

export const BackupDestinationBody = z.strictObject({
  name: line(80),
  place: BackupPlace,
  /** The secret access key, or the password; kept where it is absent. It is in no answer. */
  secret: z.string().min(1).max(1024).regex(noBreaks, 'it must be one line').optional(),
  /** Allow calls to this address though it is in a private network. */
  allowPrivate: z.boolean().optional(),
})

/** One step of a trial; they come in this order. */
export const BackupTrialStep = z.strictObject({
  step: z.enum(['reach', 'sign-in', 'write', 'list', 'read', 'remove']),
  /** `warning`: it can be used, and does not do all. */
  state: z.enum(['ok', 'warning', 'failed', 'skipped']),
  /** What was seen, and what to do about it. */
  detail: z.string().nullable(),
  durationMs: z.number().int(),
})
export type BackupTrialStep = z.infer<typeof BackupTrialStep>

export const BackupTrial = z.strictObject({
  ok: z.boolean(),
  steps: z.array(BackupTrialStep),
  /** null where the destination does not tell. */
  space: z.strictObject({ totalBytes: z.number().int(), freeBytes: z.number().int() }).nullable(),
})
export type BackupTrial = z.infer<typeof BackupTrial>
