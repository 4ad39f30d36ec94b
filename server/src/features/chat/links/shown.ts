/** What visitors see of a message. Pure: what is not named here stays with the owner. */
import type { LinkedMessage, Message } from '@atrium/contract/chat'

/** null: it is not for visitors, as a summary, or is still being written. `files`: ids of the documents whose file is there. */
export const messageForVisitor = (
  message: Message,
  withFiles: boolean,
  files: ReadonlySet<string>,
): LinkedMessage | null => {
  const { id, role, status, failure, createdAt } = message
  if (role === 'summary' || status === 'running') return null
  return {
    id,
    role,
    status,
    content: failure?.code === 'unreadable' ? '' : message.content,
    attachments: withFiles ? message.attachments.map(plainAttachment) : [],
    documents: withFiles ? message.documents.map((document) => plainDocument(document, files)) : [],
    sources: withFiles ? message.sources.filter(({ cited }) => cited !== false).map(plainSource) : [],
    media: withFiles ? mediaOf(message) : null,
    createdAt,
  }
}

/** Pictures are attachments. */
const mediaOf = ({ making, status }: Message): LinkedMessage['media'] =>
  making?.jobId && making.kind !== 'image' && status === 'complete' ? making.kind : null

const plainAttachment = ({
  id,
  name,
  kind,
  sizeBytes,
  width,
  height,
}: Message['attachments'][number]): LinkedMessage['attachments'][number] => ({
  id,
  name,
  kind,
  sizeBytes,
  width,
  height,
})

const plainDocument = (
  { id, name, sizeBytes }: Message['documents'][number],
  files: ReadonlySet<string>,
): LinkedMessage['documents'][number] => ({ id: files.has(id) ? id : null, name, sizeBytes })

const plainSource = ({
  number,
  name,
  url,
  section,
  location,
  passage,
}: Message['sources'][number]): LinkedMessage['sources'][number] => ({
  ...(number === undefined ? {} : { number }),
  ...(url === undefined ? {} : { url }),
  ...(location === undefined ? {} : { location }),
  name,
  section,
  passage,
})
