/** Pictures of results, for formats in which a result is a text: they follow the results of a round, as the person's do. */
import type { TurnImage, TurnMessage } from '../types.ts'

export function withResultImages(messages: readonly TurnMessage[]): readonly TurnMessage[] {
  if (!messages.some((message) => message.role === 'tool' && message.images)) return messages
  const said: TurnMessage[] = []
  let images: TurnImage[] = []
  const names = new Set<string>()
  const showImages = (): void => {
    if (images.length > 0)
      said.push({ role: 'user', text: `(Images of the result of ${[...names].join(', ')}.)`, images })
    images = []
    names.clear()
  }
  for (const message of messages) {
    if (message.role !== 'tool') showImages()
    else if (message.images && message.images.length > 0) {
      images.push(...message.images)
      names.add(message.name)
    }
    said.push(message)
  }
  showImages()
  return said
}
