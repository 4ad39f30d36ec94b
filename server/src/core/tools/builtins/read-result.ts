/** The tool that reads on in a result that was too long to be told whole. */
import { z } from 'zod'
import { textWindow } from '../../../platform/areas/tool-text.ts'
import { defineTool, type Tool, type ToolOutput } from '../../../platform/areas/tool.ts'
import { quoteWords, wholeText } from '../result-text.ts'
import type { CallStore } from '../stores/calls.ts'

const windowLength = 16_000
const mostFound = 20
const around = 200

/** It is told of only where a result was cut. */
export const readResultName = 'read_result'

export const createReadResult = (calls: Pick<CallStore, 'byId' | 'outcomeOf'>): Tool =>
  defineTool({
    name: readResultName,
    description: `Reads on in the result of an earlier call of this chat that was too long to be told whole: ${windowLength} characters from an offset, or the places where some words stand.`,
    // What it reads counted when it came, so that its words are known to be there.
    sideEffect: false,
    readsPrivateData: false,
    readsForeignText: false,
    sendsData: false,
    arguments: z.strictObject({
      id: z.string().min(1).max(100).describe('The id of the result, as it was told where it was cut'),
      offset: z.number().int().min(0).optional().describe('From which character on (default 0)'),
      find: z.string().min(1).max(200).optional().describe('Words to find instead, letter by letter, in any case'),
    }),
    async run({ id, offset = 0, find }, { accountId, chatId }) {
      const record = await calls.byId(accountId, id)
      const outcome =
        record && chatId !== null && record.chatId === chatId ? await calls.outcomeOf(accountId, id) : null
      if (!record || !outcome) return failed('There is no such result in this chat.')
      const text = wholeText(outcome)
      const quote = (words: string) => quoteWords(record.toolName, `quoted-${record.id}`, words)
      if (find !== undefined) return findWords(text, find, quote)
      const window = textWindow(text, offset, windowLength, (next) => `call ${readResultName} with offset ${next}`)
      if (!window) return failed(`The result ends at character ${text.length}.`)
      return { text: `${window.words}\n\n${quote(window.part)}` }
    },
  })

const failed = (text: string): ToolOutput => ({ text, isError: true })

const findWords = (text: string, find: string, quote: (words: string) => string): ToolOutput => {
  const [whole, wanted] = [text.toLowerCase(), find.toLowerCase()]
  const places: number[] = []
  for (let at = whole.indexOf(wanted); at !== -1 && places.length < mostFound; at = whole.indexOf(wanted, at + around))
    places.push(at)
  if (places.length === 0) return { text: 'These words do not stand in the result.' }
  const parts = places.map((at) => {
    const begin = Math.max(0, at - around)
    return `At character ${at}: ${text.slice(begin, at + wanted.length + around).toWellFormed()}`
  })
  return {
    text: `Found ${places.length} times${places.length === mostFound ? ' at least' : ''}.\n\n${quote(parts.join('\n\n'))}`,
  }
}
