/** Whether a chat of ten thousand messages opens, and takes a question, like one of ten. */
import { makeBed } from './bed.ts'
import { spread, stream } from './load.ts'

const model = 'long-5:bench'

export interface ChatFigures {
  readonly messages: number
  readonly open: { short: number; long: number }
  readonly send: { short: number; long: number }
}

/** Medians in ms, taken in turn so that both meet the same moments. */
export async function measureChats(messages: number): Promise<ChatFigures> {
  const bed = await makeBed({ accounts: 1, models: [model] })
  try {
    const token = bed.tokens[0] ?? ''
    const short = await bed.chat(token, model)
    const long = await bed.chat(token, model)
    for (const [id, count] of [
      [short, 10],
      [long, messages],
    ] as const)
      for (let n = 0; n < count; n += 1)
        await bed.call(token, 'POST', `/api/chat/sessions/${id}/messages`, {
          role: n % 2 === 0 ? 'user' : 'assistant',
          content: `Message ${n}: ${'some words that were said before '.repeat(8)}`,
        })

    const opened = { short: [] as number[], long: [] as number[] }
    const sent = { short: [] as number[], long: [] as number[] }
    for (let round = 0; round < 60; round += 1)
      for (const [name, id] of [
        ['short', short],
        ['long', long],
      ] as const) {
        const began = performance.now()
        await bed.call(token, 'GET', `/api/chat/sessions/${id}`)
        opened[name].push(performance.now() - began)
      }
    // The short chat grows while it is asked, so few questions are enough.
    for (let round = 0; round < 15; round += 1)
      for (const [name, id] of [
        ['short', short],
        ['long', long],
      ] as const) {
        const url = `${bed.url}/api/chat/sessions/${id}/generate/stream`
        sent[name].push((await stream({ url, token, body: { message: 'And now?' }, mark: 'event: text' })).firstMs)
      }
    return {
      messages,
      open: { short: spread(opened.short).p50, long: spread(opened.long).p50 },
      send: { short: spread(sent.short).p50, long: spread(sent.long).p50 },
    }
  } finally {
    await bed.close()
  }
}
