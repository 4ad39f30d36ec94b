/** Artifacts that are shared by a link: what their owner does with links, and what somebody sees who opens one. */
import { z } from 'zod'
import { Id, Nothing, PageQuery, Time, page } from '../common.ts'
import { LinkDays, LinkOpening, LinkPassword, LinkSecret, LinkVisit, NewLinkPassword } from '../link-visits.ts'
import { routes } from '../route.ts'
import { ArtifactKind } from './shapes.ts'

export const mostLinksOfArtifact = 20

export const ArtifactLink = z.strictObject({
  id: Id,
  artifactId: Id,
  /** The one version that it shows; null: the newest, whatever that is. */
  version: z.number().int().nullable(),
  hasPassword: z.boolean(),
  /** How often it was opened. */
  openCount: z.number().int(),
  expiresAt: Time,
  createdAt: Time,
})
export type ArtifactLink = z.infer<typeof ArtifactLink>

const owned = { resource: 'artifact', id: 'artifactId', right: 'owner' } as const
const OfArtifact = z.strictObject({ artifactId: Id })
const One = z.strictObject({ artifactId: Id, linkId: Id })

const Version = z.number().int().min(1).max(1_000_000_000).nullable()

export const artifactLinks = routes({
  links: {
    method: 'get',
    path: '/api/artifacts/{artifactId}/links',
    access: 'user',
    names: owned,
    summary: 'List the links to an artifact',
    params: OfArtifact,
    returns: z.strictObject({
      /** Whether the administrator lets artifacts be shared by links. */
      allowed: z.boolean(),
      items: z.array(ArtifactLink),
      nextCursor: z.null(),
    }),
    errors: ['artifact_not_found', 'right_missing'],
  },
  addLink: {
    method: 'post',
    path: '/api/artifacts/{artifactId}/links',
    access: 'user',
    forPeople: true,
    names: owned,
    noStore: true,
    limit: 'account',
    summary: 'Create a link to an artifact. Its secret is returned only this once',
    params: OfArtifact,
    body: z.strictObject({
      expiresInDays: LinkDays.default(30),
      password: NewLinkPassword.optional(),
      /** Shows this version alone; without one, the newest. */
      version: Version.optional(),
    }),
    returns: z.strictObject({
      link: ArtifactLink,
      /** Whole where the instance knows its address, else without scheme and host. */
      url: z.string(),
    }),
    errors: [
      'artifact_not_found',
      'artifact_version_not_found',
      'right_missing',
      'artifact_links_off',
      'artifact_link_limit',
    ],
  },
  updateLink: {
    method: 'patch',
    path: '/api/artifacts/{artifactId}/links/{linkId}',
    access: 'user',
    forPeople: true,
    names: owned,
    limit: 'account',
    summary: 'Update the end date, password or version of a link. A new password ends open visits',
    params: One,
    body: z.strictObject({
      /** From now on. */
      expiresInDays: LinkDays.optional(),
      /** null: none any more. */
      password: NewLinkPassword.optional(),
      version: Version.optional(),
    }),
    returns: ArtifactLink,
    errors: ['artifact_not_found', 'artifact_version_not_found', 'artifact_link_not_found', 'right_missing'],
  },
  removeLink: {
    method: 'delete',
    path: '/api/artifacts/{artifactId}/links/{linkId}',
    access: 'user',
    names: owned,
    summary: 'Revoke a link. Anyone who has it open loses access within a second',
    params: One,
    returns: Nothing,
    errors: ['artifact_not_found', 'artifact_link_not_found', 'right_missing'],
  },
  ownLinks: {
    method: 'get',
    path: '/api/artifacts/links',
    access: 'user',
    summary: 'List your links to artifacts, newest first',
    query: PageQuery,
    returns: page(ArtifactLink.extend({ title: z.string() })),
    errors: ['bad_cursor'],
  },
  openLink: {
    method: 'post',
    path: '/api/artifacts/links/open',
    access: 'public',
    limit: 'link-open',
    noStore: true,
    summary: 'Exchange a link’s secret for a visit of one hour',
    body: z.strictObject({ secret: LinkSecret, password: LinkPassword.optional() }),
    returns: LinkOpening,
    errors: ['artifact_link_not_found', 'artifact_link_password', 'artifact_link_locked'],
  },
  linkedArtifact: {
    method: 'post',
    path: '/api/artifacts/links/content',
    access: 'public',
    limit: 'link-read',
    noStore: true,
    summary: 'Get the artifact that a link shows',
    body: z.strictObject({ visit: LinkVisit }),
    returns: z.strictObject({
      kind: ArtifactKind,
      title: z.string(),
      language: z.string().nullable(),
      content: z.string(),
      /** When this version was written. */
      updatedAt: Time,
    }),
    errors: ['artifact_link_not_found'],
  },
  followLink: {
    method: 'post',
    path: '/api/artifacts/links/follow',
    access: 'public',
    limit: 'link-read',
    noStore: true,
    summary: 'Follow a link while it is open: reports changes to the artifact and revocation of the link',
    body: z.strictObject({ visit: LinkVisit }),
    returns: Nothing,
    stream: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('changed'), data: z.strictObject({}) }),
      /** Of the link, or of the visit: asking anew tells which. */
      z.strictObject({ type: z.literal('ended'), data: z.strictObject({}) }),
    ]),
    errors: ['artifact_link_not_found'],
  },
})
