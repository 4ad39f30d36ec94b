/** The tool by which a model asks its person, and waits for what they answer. */
import { z } from 'zod'
import { defineTool, type Tool } from '../../../platform/areas/tool.ts'
import type { ToolQuestions } from '../types.ts'

const Question = z.strictObject({
  text: z.string().trim().min(1).max(1000).describe('The question, in the language of the user'),
  kind: z.enum(['choice', 'text', 'number']).describe('How it is answered'),
  options: z.array(z.string().trim().min(1).max(200)).min(2).max(12).optional().describe('What a choice is between'),
  several: z.boolean().optional().describe('Whether several options may be chosen'),
})

export const askUserTool: Tool = defineTool({
  name: 'ask_user',
  description:
    'Asks the user up to four questions and waits for the answers. Use it when you cannot go on well without knowing something that only they know; do not ask what you can find out or reasonably assume.',
  sideEffect: false,
  readsPrivateData: false,
  readsForeignText: false,
  sendsData: false,
  arguments: z
    .strictObject({ questions: z.array(Question).min(1).max(4) })
    .refine(
      ({ questions }) => questions.every(({ kind, options }) => (kind === 'choice') === (options !== undefined)),
      {
        message: 'a choice needs options, and nothing else has any',
        path: ['questions'],
      },
    ),
  async run({ questions }, context) {
    // Whoever runs tools of this area gives them what they need to ask.
    const { ask } = context as typeof context & ToolQuestions
    const named = questions.map((question, index) => ({ ...question, id: `q${index + 1}` }))
    const answers = await ask({ kind: 'question', message: '', questions: named })
    if (answers === null) return { text: 'The user did not answer. Go on without, and say what you assumed.' }
    const lines = named.map(({ id, text }) => `${text}\n${wordsOf(answers[id])}`)
    return { text: lines.join('\n\n') }
  },
})

const wordsOf = (answer: unknown): string => (Array.isArray(answer) ? answer.join(', ') : String(answer))
