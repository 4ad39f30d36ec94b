/** What the rest of the product derives from this area: its error codes, events, scopes and kinds. */
import { z } from 'zod'
import { describeArea } from '../description.ts'

export const artifactsDescription = describeArea({
  name: 'artifacts',
  tag: 'artifacts',
  errors: {
    artifact_not_found: [404, 'Artifact not found.'],
    artifact_version_not_found: [404, 'This version no longer exists.'],
    artifact_limit: [409, 'You can have at most 10,000 artifacts. Delete some first.'],
    artifact_links_off: [403, 'Sharing artifacts by link is turned off. Ask an administrator.'],
    artifact_link_not_found: [404, 'This link was revoked, or it has expired.'],
    artifact_link_password: [403, 'Incorrect password.'],
    artifact_link_locked: [429, 'Too many incorrect passwords. Try again in an hour.'],
    artifact_link_limit: [409, 'An artifact can have at most 20 links. Revoke one first.'],
  },
  events: {
    /** Of an artifact that was made, changed, deleted, restored or shared. */
    'artifact-changed': z.strictObject({ id: z.string() }),
  },
  jobs: ['artifacts.upkeep'],
  scopes: ['read', 'write'],
  resources: {
    artifact: { shared: true, found: true, trashed: true, stored: true, transferable: true, counted: 'artifacts' },
  },
})
