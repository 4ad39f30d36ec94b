/** Artifacts, and what of them is kept. */
import { z } from 'zod'
import { Id, Time } from '../common.ts'
import { Right } from '../resources.ts'

/** `chart`: a Chart.js configuration as JSON. `react`: JSX or TSX whose default export is drawn. */
export const artifactKinds = ['html', 'react', 'svg', 'mermaid', 'markdown', 'code', 'csv', 'json', 'chart'] as const
export const ArtifactKind = z.enum(artifactKinds)
export type ArtifactKind = z.infer<typeof ArtifactKind>

export const mostTitleLetters = 200
/** UTF-16 units of one version. */
export const mostContentLetters = 500_000
/** Older versions are removed when there are more. */
export const mostVersions = 200
export const mostArtifacts = 10_000

export const ArtifactTitle = z
  .string()
  .trim()
  .min(1)
  .max(mostTitleLetters)
  .regex(
    /^[^\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u,
    'leave out line breaks and marks that reorder text',
  )
export const ArtifactContent = z.string().max(mostContentLetters)
/** Of code, as fenced blocks name it. */
export const ArtifactLanguage = z.string().regex(/^[\w+#.-]{1,40}$/)

/** Who wrote a version: a person, or a model that a person asked. */
export const ArtifactAuthor = z.strictObject({
  kind: z.enum(['person', 'model']),
  /** Of the person; null where the account is gone. */
  name: z.string().nullable(),
})
export type ArtifactAuthor = z.infer<typeof ArtifactAuthor>

export const Artifact = z.strictObject({
  id: Id,
  kind: ArtifactKind,
  title: z.string(),
  language: z.string().nullable(),
  /** The chat in which it was made; null for readers, and where it was made outside of one. */
  chatId: Id.nullable(),
  /** The number of the newest version. */
  version: z.number().int(),
  /** Of the newest version, in UTF-8. */
  sizeBytes: z.number().int(),
  createdAt: Time,
  updatedAt: Time,
  /** Whose it is, where that is somebody else; null for the caller's own. */
  ownerName: z.string().nullable(),
  right: z.enum([...Right.options, 'owner']),
})
export type Artifact = z.infer<typeof Artifact>

export const OpenArtifact = Artifact.extend({ content: z.string(), author: ArtifactAuthor })
export type OpenArtifact = z.infer<typeof OpenArtifact>

export const ArtifactVersion = z.strictObject({
  number: z.number().int(),
  author: ArtifactAuthor,
  /** The version that was restored by this one. */
  restoredFrom: z.number().int().nullable(),
  sizeBytes: z.number().int(),
  createdAt: Time,
})
export type ArtifactVersion = z.infer<typeof ArtifactVersion>

export const OpenArtifactVersion = ArtifactVersion.extend({ content: z.string() })
export type OpenArtifactVersion = z.infer<typeof OpenArtifactVersion>
