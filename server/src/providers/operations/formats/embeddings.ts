/** Texts as vectors, in the common way, the local runtime's, Gemini's and Hugging Face's: each is a question and its reading. */
import { asArray, asCount, asObject, asTokens } from '../../wires/json.ts'
import type { AnswerFormat } from '../format.ts'
import { omitUndefined, unreadableAnswer } from '../route.ts'
import type { EmbeddingAsk, Embeddings } from '../types.ts'
import { embeddingLimits, readVector, readVectors, textsOf, wholeVectors } from '../vectors.ts'

type EmbeddingFormat = AnswerFormat<EmbeddingAsk, Embeddings>

const limits = ({ input, dimensions }: EmbeddingAsk) => embeddingLimits(input.length, dimensions)

export const commonEmbeddings: EmbeddingFormat = {
  say: ({ input, dimensions }, { model }) => ({
    json: omitUndefined({ model, input, dimensions, encoding_format: 'float' }),
  }),
  read({ json }, { input }) {
    const answer = asObject(json)
    const entries = asArray(answer?.['data'])
    if (entries.length !== input.length) throw unreadableAnswer()
    // Entries come in any order, each with its place.
    const vectors: (number[] | undefined)[] = Array.from({ length: input.length })
    for (const [at, entry] of entries.entries()) {
      const place = asCount(asObject(entry)?.['index']) ?? at
      if (place >= input.length) throw unreadableAnswer()
      vectors[place] = readVector(asObject(entry)?.['embedding'])
    }
    const inputTokens = asTokens(asObject(answer?.['usage'])?.['prompt_tokens'])
    return { vectors: wholeVectors(vectors, input.length), inputTokens }
  },
  limits,
}

/** `/api/embed`. */
export const localEmbeddings: EmbeddingFormat = {
  say: ({ input, dimensions }, { model }) => ({ json: omitUndefined({ model, input: textsOf(input), dimensions }) }),
  read({ json }, { input }) {
    const answer = asObject(json)
    const vectors = readVectors(asArray(answer?.['embeddings']), input.length)
    return { vectors, inputTokens: asTokens(answer?.['prompt_eval_count']) }
  },
  limits,
}

/** `:batchEmbedContents`. */
export const geminiEmbeddings: EmbeddingFormat = {
  say: ({ input, dimensions }, { model }) => ({
    json: {
      requests: textsOf(input).map((text) =>
        omitUndefined({ model: `models/${model}`, content: { parts: [{ text }] }, outputDimensionality: dimensions }),
      ),
    },
  }),
  read({ json }, { input }) {
    const entries = asArray(asObject(json)?.['embeddings']).map((entry) => asObject(entry)?.['values'])
    return { vectors: readVectors(entries, input.length), inputTokens: null }
  },
  limits,
}

/** `hf-inference/models/{model}/pipeline/feature-extraction`: nothing but a list of vectors. */
export const huggingfaceEmbeddings: EmbeddingFormat = {
  say: ({ input }) => ({ json: { inputs: textsOf(input) } }),
  read: ({ json }, { input }) => ({ vectors: readVectors(asArray(json), input.length), inputTokens: null }),
  limits,
}
