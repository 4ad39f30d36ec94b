/** What can be done with artifacts, and how what shows them follows what happens here and elsewhere. */
import { type Artifact, artifactsRoutes as routes, type OpenArtifact } from '@atrium/contract/artifacts'
import type { GivenBody } from '@atrium/contract/route'
import { trashRoutes } from '@atrium/contract/trash'
import { onAccountEvent } from '../../api/account-events.ts'
import { call } from '../../api/client.ts'
import { wordsOf } from '../../api/errors.ts'
import { keyOf, queryClient, refresh } from '../../api/query.ts'
import { translate } from '../../lib/texts.ts'
import { toast } from '../../ui/toaster.tsx'
import 'virtual:words/artifact'

/** Of one, or of all. */
export async function refreshArtifacts(id?: string): Promise<void> {
  const input = id === undefined ? undefined : { params: { artifactId: id } }
  await Promise.all([
    refresh(routes.list),
    input ? refresh(routes.read, input) : refresh(routes.read),
    input ? refresh(routes.versions, input) : refresh(routes.versions),
  ])
}

onAccountEvent('artifact-changed', ({ id }) => void refreshArtifacts(id))

/** What a change answered stands at once where it is shown. */
async function took(artifact: OpenArtifact): Promise<OpenArtifact> {
  const input = { params: { artifactId: artifact.id } }
  queryClient.setQueryData(keyOf(routes.read, input), artifact)
  await Promise.all([refresh(routes.list), refresh(routes.versions, input)])
  return artifact
}

export const createArtifact = async (body: GivenBody<typeof routes.create>): Promise<OpenArtifact> =>
  took(await call(routes.create, { body }))

export const renameArtifact = async (id: string, title: string): Promise<OpenArtifact> =>
  took(await call(routes.update, { params: { artifactId: id }, body: { title } }))

export interface Save {
  readonly content: string
  /** The one that was changed; without it, whatever stands becomes an earlier version. */
  readonly version?: number | undefined
  /** While somebody writes: what is saved so next takes its place. */
  readonly autosave?: boolean
}

export const saveContent = async (id: string, body: Save): Promise<OpenArtifact> =>
  took(await call(routes.update, { params: { artifactId: id }, body }))

export const restoreVersion = async (id: string, version: number): Promise<OpenArtifact> =>
  took(await call(routes.restore, { params: { artifactId: id, version } }))

/** Moves one to the trash, with ten seconds to take it back. Gives whether it is there. */
export async function removeArtifact({ id, title }: Pick<Artifact, 'id' | 'title'>): Promise<boolean> {
  const undo = () => act(() => call(trashRoutes.restore, { params: { id } }))
  return await act(async () => {
    await call(routes.remove, { params: { artifactId: id } })
    toast(translate('artifact:removed', { title }), {
      action: { label: translate('artifact:undo'), onClick: () => void undo() },
    })
  })
}

/** Does something, tells why where that failed, and reads the lists again. */
async function act(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    toast(wordsOf(error), { tone: 'danger' })
    return false
  } finally {
    await Promise.all([refresh(routes.list), refresh(trashRoutes.list)])
  }
}
