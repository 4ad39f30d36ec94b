/** The shape of plain completions: every prompt becomes a question of its own. Pure. */
import type { CompletionBody } from '@atrium/contract/public-api'
import type { Turn } from '../../../providers/types.ts'
import { type CollectedAnswer, createBlockBuilder, sumUsage, textOf } from './blocks.ts'
import { usageField } from './chat-completions.ts'
import { readOptions, readStop } from './read-request.ts'
import { invalidRequest } from '../refusals.ts'
import { type AnswerInfo, formatEvent, failedChunk, type AnswerPieces, type ApiShape } from './shape.ts'

const maxAnswers = 64

export const completionsShape: ApiShape<CompletionBody> = {
  name: 'completions',
  dialect: 'openai',
  wire: null,
  read(body) {
    if (body.suffix) throw invalidRequest('suffix', 'cannot be taken: models are asked as in a chat')
    const prompts = [body.prompt].flat()
    const each = body.n ?? 1
    if (prompts.length * each > maxAnswers) throw invalidRequest('n', `makes more than ${maxAnswers} answers`)
    const asked = prompts.flatMap((prompt) => Array.from({ length: each }, () => prompt))
    const echo = body.echo === true ? asked : []
    return {
      turns: asked.map((prompt) => readTurn(body, prompt)),
      whole: (answers, about) => sayWhole(answers, about, echo),
      stream: (pieces, about) =>
        sayStream(pieces, about, asked.length, echo, body.stream_options?.include_usage === true),
    }
  },
  limit: (body) => body.max_tokens ?? null,
  failureEvent: failedChunk,
}

const readTurn = (body: CompletionBody, prompt: string): Turn => ({
  model: body.model,
  system: null,
  messages: [{ role: 'user', text: prompt, images: [] }],
  tools: [],
  options: readOptions({
    temperature: body.temperature,
    top_p: body.top_p,
    num_predict: body.max_tokens,
    seed: body.seed,
    presence_penalty: body.presence_penalty,
    frequency_penalty: body.frequency_penalty,
    stop: readStop(body.stop),
  }),
})

const headOf = (about: AnswerInfo) => ({
  id: `cmpl-${about.id}`,
  object: 'text_completion',
  created: about.created,
  model: about.model,
})

const sayWhole = (answers: readonly CollectedAnswer[], about: AnswerInfo, echo: readonly string[]) => ({
  ...headOf(about),
  choices: answers.map((answer, index) => ({
    index,
    text: (echo[index] ?? '') + textOf(answer, 'text'),
    logprobs: null,
    finish_reason: answer.finish,
  })),
  ...usageField(sumUsage(answers)),
})

async function* sayStream(
  pieces: AnswerPieces,
  about: AnswerInfo,
  choices: number,
  echo: readonly string[],
  usage: boolean,
): AsyncGenerator<string> {
  const head = headOf(about)
  const chunk = (index: number, text: string, finish: string | null = null): string =>
    formatEvent({ ...head, choices: [{ index, text, logprobs: null, finish_reason: finish }] })
  const writers = Array.from({ length: choices }, createBlockBuilder)
  const echoed = new Set<number>()
  for await (const { choice, parts } of pieces) {
    let text = ''
    if (!echoed.has(choice) && echo[choice]) text += chunk(choice, echo[choice])
    echoed.add(choice)
    for (const part of parts) {
      for (const change of writers[choice]?.push(part) ?? []) {
        if (change.type === 'delta' && change.block.kind === 'text') text += chunk(choice, change.delta)
      }
    }
    if (text !== '') yield text
  }
  let last = ''
  for (const [index, blocks] of writers.entries()) last += chunk(index, '', blocks.answer().finish)
  const total = sumUsage(writers.map((blocks) => blocks.answer()))
  if (usage) last += formatEvent({ ...head, choices: [], usage: null, ...usageField(total) })
  yield `${last}data: [DONE]\n\n`
}
