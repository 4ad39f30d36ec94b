/** Arguments as models write them: JSON of others, read within bounds. */
import { JsonFault, readJsonText } from '../../platform/json/index.ts'
import type { CatalogTool } from './types.ts'

const mostLetters = 262_144

export type ReadArguments = { readonly args: Record<string, unknown> } | { readonly fault: string }

/** Reads and checks them; what is wrong is said in words for the model. */
export const readArguments = async (tool: Pick<CatalogTool, 'check'>, text: string): Promise<ReadArguments> => {
  if (text.length > mostLetters) return { fault: `The arguments are longer than ${mostLetters} characters.` }
  try {
    const args = text.trim() === '' ? {} : readJsonText(text)
    if (typeof args !== 'object' || args === null || Array.isArray(args))
      return { fault: 'The arguments must be a JSON object.' }
    const wrong = await tool.check?.(args)
    return wrong ? { fault: `The arguments are wrong. ${wrong}` } : { args: args as Record<string, unknown> }
  } catch (error) {
    if (error instanceof JsonFault) return { fault: `The arguments can’t be read as JSON. ${error.message}` }
    throw error
  }
}
