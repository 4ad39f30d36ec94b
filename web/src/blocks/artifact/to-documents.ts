/** Puts a version of an artifact among the documents of the account, where answers find it. */
import { artifactsRoutes } from '@atrium/contract/artifacts'
import { type Document, documentsRoutes } from '@atrium/contract/documents'
import { send } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'

/** Gives the id of the document; the same content is there once. */
export async function saveToDocuments(artifactId: string, version: number): Promise<string> {
  const file = await send(artifactsRoutes.export, { params: { artifactId }, query: { version } })
  const form = new FormData()
  form.append('document', await file.blob(), nameOf(file))
  const answer = await send(documentsRoutes.upload, { file: new Blob() }, { form })
  const { id } = (await answer.json()) as Document
  await refresh(documentsRoutes.list)
  return id
}

/** As the server named it. */
const nameOf = (file: Response): string => {
  const [, name] = /filename\*=UTF-8''([^;]+)/.exec(file.headers.get('content-disposition') ?? '') ?? []
  return name === undefined ? 'artifact.txt' : decodeURIComponent(name)
}
