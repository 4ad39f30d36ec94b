/** Arguments of a tool against the schema that its server gave it. */
import { checkBySchema } from '../../platform/json-schema/index.ts'

/** What is wrong, in words for the model; null: nothing is. */
export const checkArguments = async (schema: unknown, args: unknown): Promise<string | null> => {
  const check = await checkBySchema(schema, args)
  switch (check.outcome) {
    case 'right':
      return null
    case 'wrong':
      return check.words
    case 'bad-schema':
      return `The definition of this tool cannot be used: ${check.words}.`
    case 'too-slow':
      return 'They take too long to check.'
  }
}
