/** Artifacts: pages, drawings, documents, code and data that models and people make, each with its versions. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Id, Nothing, PageQuery, page } from '../common.ts'
import { bytes, routes } from '../route.ts'
import { artifactsDescription } from './area.ts'
import { ArtifactLink, artifactLinks } from './links.ts'
import {
  Artifact,
  ArtifactContent,
  ArtifactKind,
  ArtifactLanguage,
  ArtifactTitle,
  ArtifactVersion,
  OpenArtifact,
  OpenArtifactVersion,
} from './shapes.ts'

export { ArtifactLink, mostLinksOfArtifact } from './links.ts'
export * from './shapes.ts'

const ById = z.strictObject({ artifactId: Id })
const ByVersion = z.strictObject({ artifactId: Id, version: z.coerce.number().int().min(1).max(1_000_000_000) })
const readable = { resource: 'artifact', id: 'artifactId', right: 'read' } as const
const writable = { resource: 'artifact', id: 'artifactId', right: 'write' } as const

const artifacts = routes({
  list: {
    method: 'get',
    path: '/api/artifacts',
    access: 'user',
    summary: 'List your artifacts and those shared with you, most recently changed first',
    query: PageQuery.extend({
      kind: ArtifactKind.optional(),
      /** Made in this chat. */
      chatId: Id.optional(),
      of: z.enum(['me', 'others']).optional(),
    }),
    returns: page(Artifact),
    errors: ['bad_cursor'],
  },
  create: {
    method: 'post',
    path: '/api/artifacts',
    access: 'user',
    limit: 'documents',
    summary: 'Create an artifact with its first version',
    body: z.strictObject({
      kind: ArtifactKind,
      title: ArtifactTitle,
      content: ArtifactContent,
      language: ArtifactLanguage.nullable().optional(),
      /** An own chat that it belongs to. */
      chatId: Id.nullable().optional(),
      /** A model wrote it, as in a block of an answer. */
      byModel: z.boolean().optional(),
    }),
    returns: OpenArtifact,
    errors: ['artifact_limit', 'chat_not_found', 'quota_full'],
  },
  sandbox: {
    method: 'get',
    path: '/api/artifacts/sandbox',
    access: 'public',
    limit: 'sandbox',
    noStore: true,
    summary: 'Get the page inside the preview frame. It has no network access and no account data',
    returns: bytes,
  },
  read: {
    method: 'get',
    path: '/api/artifacts/{artifactId}',
    access: 'user',
    names: readable,
    summary: 'Get an artifact with its newest version',
    params: ById,
    returns: OpenArtifact,
    errors: ['artifact_not_found'],
  },
  update: {
    method: 'patch',
    path: '/api/artifacts/{artifactId}',
    access: 'user',
    limit: 'documents',
    names: writable,
    summary: 'Rename an artifact or save a new version; 409 if `version` is no longer the newest',
    params: ById,
    body: z.strictObject({
      title: ArtifactTitle.optional(),
      content: ArtifactContent.optional(),
      language: ArtifactLanguage.nullable().optional(),
      /** The version that was changed. */
      version: z.number().int().optional(),
      /**
       * Saved while somebody writes: the next version that is saved so takes its place, for up to ten minutes, so that
       * pauses leave no version each.
       */
      autosave: z.boolean().optional(),
    }),
    returns: OpenArtifact,
    errors: ['artifact_not_found', 'right_missing', 'conflict', 'quota_full'],
  },
  remove: {
    method: 'delete',
    path: '/api/artifacts/{artifactId}',
    access: 'user',
    names: { resource: 'artifact', id: 'artifactId', right: 'owner' },
    summary: 'Move an artifact to the trash. You can restore it for 30 days',
    params: ById,
    returns: Nothing,
    errors: ['artifact_not_found', 'right_missing'],
  },
  versions: {
    method: 'get',
    path: '/api/artifacts/{artifactId}/versions',
    access: 'user',
    names: readable,
    summary: 'List the versions of an artifact, newest first. The last 200 are kept',
    params: ById,
    returns: z.strictObject({ items: z.array(ArtifactVersion), nextCursor: z.null() }),
    errors: ['artifact_not_found'],
  },
  readVersion: {
    method: 'get',
    path: '/api/artifacts/{artifactId}/versions/{version}',
    access: 'user',
    names: readable,
    summary: 'Get one version of an artifact with its content',
    params: ByVersion,
    returns: OpenArtifactVersion,
    errors: ['artifact_not_found', 'artifact_version_not_found'],
  },
  restore: {
    method: 'post',
    path: '/api/artifacts/{artifactId}/versions/{version}/restore',
    access: 'user',
    limit: 'documents',
    names: writable,
    summary: 'Restore an earlier version as the newest',
    params: ByVersion,
    returns: OpenArtifact,
    errors: ['artifact_not_found', 'artifact_version_not_found', 'right_missing', 'conflict', 'quota_full'],
  },
  export: {
    method: 'get',
    path: '/api/artifacts/{artifactId}/export',
    access: 'user',
    names: readable,
    summary: 'Download a version of an artifact, by default the newest',
    params: ById,
    query: z.strictObject({ version: z.coerce.number().int().min(1).optional() }),
    returns: bytes,
    errors: ['artifact_not_found', 'artifact_version_not_found'],
  },
})

export const artifactsRoutes = { ...artifacts, ...artifactLinks }

export const artifactsArea = area(artifactsDescription, {
  routes: artifactsRoutes,
  shapes: { Artifact, ArtifactLink, OpenArtifact },
})
