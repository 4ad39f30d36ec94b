/** What visitors see of a message. Pure: what is not named here stays with the owner. */
import type { LinkedMessage, Message } from '@atrium/contract/chat'

/** null: it is not for visitors, as a summary, or is still being written. */
export const messageForVisitor = (message: Message, withFiles: boolean): LinkedMessage | null => {
  const { id, role, status, failure, createdAt } = message
  if (role === 'summary' || status === 'running') return null
  return {
    id,
    role,
    status,
    content: failure?.code === 'unreadable' ? '' : message.content,
    attachments: withFiles ? message.attachments.map(plainAttachment) : [],
    documents: withFiles ? message.documents.map(({ name, sizeBytes }) => ({ name, sizeBytes })) : [],
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
