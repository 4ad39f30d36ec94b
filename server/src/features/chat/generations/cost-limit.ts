/** A bound on what one answer costs, over all of its rounds: the model is asked no more once it is passed. */
import { type CostOf, type UsableModel, estimateTokens } from '../../../core/generation/index.ts'
import { toBillionths } from '../../../core/usage/index.ts'
import { fail } from '../../../platform/http/refusal.ts'
import type { Part } from '../../../providers/types.ts'

type Ask = UsableModel['ask']

/** Until a provider says what it counted, so much of an estimate is believed: nobody is stopped for what cost less. */
const believed = 0.7
/** How much more is written before it is looked at again. */
const lookLetters = 400

/**
 * Asks as `ask` does, again and again for one answer, while all of that costs at most `most`, a decimal amount. Refuses
 * with `cost_limit`, also in the middle, and says first what was used. Without a price there is no bound.
 */
export const askWithin = (most: string, costOf: CostOf, ask: Ask): Ask => {
  const bound = toBillionths(most)
  const used = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }
  /** null: nobody knows. */
  const costWith = (input: number, output: number, cached: number): bigint | null => {
    const cost = costOf({
      inputTokens: used.inputTokens + input,
      outputTokens: used.outputTokens + output,
      cachedTokens: used.cachedTokens + cached,
    })
    return cost && toBillionths(cost.amount)
  }
  return async function* asked(turn, signal) {
    const before = costWith(0, 0, 0)
    if (before !== null && before >= bound) throw fail('cost_limit')
    const heard = { input: null as number | null, output: null as number | null, cached: 0 }
    let text = ''
    let looked = 0
    for await (const parts of ask(turn, signal)) {
      for (const part of parts) {
        if (part.type === 'usage') {
          heard.input = part.inputTokens ?? heard.input
          heard.output = part.outputTokens ?? heard.output
          heard.cached = part.cachedTokens ?? heard.cached
        } else text += lettersOf(part)
      }
      yield parts
      if (text.length - looked < lookLetters || heard.output !== null) continue
      looked = text.length
      const output = Math.floor(estimateTokens(text) * believed)
      const input = heard.input ?? 0
      const cost = costWith(input, output, heard.cached)
      if (cost === null || cost <= bound) continue
      yield [{ type: 'usage', inputTokens: heard.input, outputTokens: output }]
      throw fail('cost_limit')
    }
    used.inputTokens += heard.input ?? 0
    used.outputTokens += heard.output ?? estimateTokens(text)
    used.cachedTokens += heard.cached
  }
}

const lettersOf = (part: Part): string =>
  part.type === 'text' || part.type === 'reasoning' ? part.delta : part.type === 'tool-call' ? part.call.arguments : ''
