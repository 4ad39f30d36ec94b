/** Uploads one file for a message and tells how far it is. Loaded when the first one comes. */
import { type ChannelAttachment, channelsRoutes, mostFileBytes } from '@atrium/contract/channels'
import { toRequest } from '@atrium/contract/request'
import { call } from '../../../api/client.ts'
import { Problem } from '../../../api/errors.ts'
import { sendByXhr } from '../../../blocks/composer/upload.ts'
import { formatSize } from '../../../lib/format.ts'
import { translate } from 'virtual:words/channels'

/** Rejects with `Problem`, or with the abort of `signal`. */
export async function uploadFile(
  channelId: string,
  file: File,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<ChannelAttachment> {
  const { name } = file
  if (file.size > mostFileBytes)
    throw new Problem('too_large', translate('channels:composer.tooLarge', { name, size: formatSize(mostFileBytes) }))
  const input = { params: { channelId }, query: { name: name.slice(0, 255) || 'file' }, file }
  const answer = await sendByXhr<ChannelAttachment>(toRequest(channelsRoutes.attach, input), signal, onProgress)
  if (answer !== 401) return answer
  // The session has ended: the ordinary way asks to sign in again and repeats.
  return call(channelsRoutes.attach, input, { signal })
}
