/** Artifacts as files. */
import { type Artifact, artifactsRoutes as routes } from '@atrium/contract/artifacts'
import { toRequest } from '@atrium/contract/request'
import { saveFrom } from '../save-file.ts'

/** Has the browser save a version as a file of its own kind; the server names it. */
export function saveVersion({ id }: Pick<Artifact, 'id'>, version: number): void {
  saveFrom(toRequest(routes.export, { params: { artifactId: id }, query: { version } }).path)
}
