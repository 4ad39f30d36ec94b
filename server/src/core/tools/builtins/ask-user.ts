/** The tool by which a model asks its person, and waits for what they answer. */
import { z } from 'zod'
import { defineTool, type Tool, type ToolContext, type ToolOutput } from '../../../platform/areas/tool.ts'
import { fileOf } from '../answers.ts'
import type { GivenFiles, ToolQuestions } from '../types.ts'

const Question = z.strictObject({
  text: z.string().trim().min(1).max(1000).describe('The question, in the language of the user'),
  kind: z.enum(['choice', 'text', 'number', 'file']).describe('How it is answered; file: with one file'),
  options: z.array(z.string().trim().min(1).max(200)).min(2).max(12).optional().describe('What a choice is between'),
  several: z.boolean().optional().describe('Whether several options may be chosen'),
})

/** `files`: where files that people give are kept. */
export const createAskUser = (files: () => GivenFiles): Tool =>
  defineTool({
    name: 'ask_user',
    description:
      'Asks the user up to four questions and waits for the answers. Use it when you cannot go on well without knowing something that only they know, or without a file of theirs; do not ask what you can find out or reasonably assume.',
    sideEffect: false,
    readsPrivateData: false,
    readsForeignText: false,
    sendsData: false,
    // Beside the time in which the user is asked: documents are waited for until they can be read.
    timeoutMs: 60_000,
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
      const { ask, vision } = context as typeof context & ToolQuestions
      if (context.chatId === null && questions.some(({ kind }) => kind === 'file'))
        return { text: 'Files can only be asked for in a chat. Ask for text instead.', isError: true }
      const named = questions.map((question, index) => ({ ...question, id: `q${index + 1}` }))
      const answers = await ask({ kind: 'question', message: '', questions: named })
      if (answers === null) return { text: 'The user did not answer. Go on without, and say what you assumed.' }
      const outputs = await Promise.all(
        named.map(({ id, text }) => answerOf(files, { ...context, vision }, text, answers[id])),
      )
      return joinOutputs(outputs)
    },
  })

/** A question with its answer, as the model is told of it. */
const answerOf = async (
  files: () => GivenFiles,
  { accountId, chatId, signal, vision }: ToolContext & Pick<ToolQuestions, 'vision'>,
  question: string,
  answer: unknown,
): Promise<ToolOutput> => {
  const file = fileOf(answer)
  if (!file || chatId === null) return { text: `${question}\n${wordsOf(answer)}` }
  const output = await files().read({ accountId, chatId, file, question, vision: vision ?? null, signal })
  return { ...output, text: `${question}\n${output.text}` }
}

const joinOutputs = (outputs: readonly ToolOutput[]): ToolOutput => ({
  text: outputs.map(({ text }) => text).join('\n\n'),
  media: outputs.flatMap(({ media = [] }) => media),
  sources: outputs.flatMap(({ sources = [] }) => sources),
  links: outputs.flatMap(({ links = [] }) => links),
  quotes: outputs.some(({ quotes = false }) => quotes),
})

const wordsOf = (answer: unknown): string => (Array.isArray(answer) ? answer.join(', ') : String(answer))
