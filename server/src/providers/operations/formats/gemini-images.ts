/** Pictures over Gemini's `:generateContent`: sources and results are `inlineData`. */
import { asArray, asObject, asText, asTokens, type Json } from '../../wires/json.ts'
import type { AnswerFormat, FoundImages, Reply } from '../format.ts'
import { moderatedAnswer, omitUndefined, textIn, unreadableAnswer } from '../route.ts'
import { fittingSize } from '../sizes.ts'
import type { ImageAsk, SourcePicture } from '../types.ts'

export const geminiImages: AnswerFormat<ImageAsk, FoundImages> = {
  say(ask, { config }) {
    const aspectRatio = fittingSize(ask.size ?? textIn(config, 'default_size'), config)
    const imageSize = ask.quality ?? textIn(config, 'default_quality')
    const imageConfig = omitUndefined({ aspectRatio, imageSize })
    return {
      json: {
        contents: [{ role: 'user', parts: [...(ask.sources ?? []).map(inlineData), { text: ask.prompt }] }],
        generationConfig: omitUndefined({
          responseModalities: ['TEXT', 'IMAGE'],
          imageConfig: Object.keys(imageConfig).length > 0 ? imageConfig : undefined,
          seed: ask.seed,
        }),
      },
    }
  },

  read(reply) {
    const { parts, usage } = contentIn(reply)
    // Drafts of models that think are no results.
    const pictures = parts
      .filter((part) => part['thought'] !== true)
      .map((part) => asText(asObject(part['inlineData'])?.['data']))
      .filter((data) => data !== '')
      .map((base64) => ({ found: { base64 } }))
    if (pictures.length === 0) throw unreadableAnswer()
    return {
      pictures,
      inputTokens: asTokens(usage?.['promptTokenCount']),
      outputTokens: asTokens(usage?.['candidatesTokenCount']),
    }
  },
}

const inlineData = ({ bytes, mediaType }: SourcePicture): Json => ({
  inlineData: { mimeType: mediaType, data: Buffer.from(bytes).toString('base64') },
})

/** The parts of the answer, and what it cost. Throws `moderated` where something was withheld, `malformed` for no answer. */
export function contentIn({ json }: Reply): { readonly parts: readonly Json[]; readonly usage: Json | null } {
  const answer = asObject(json)
  const candidate = asObject(asArray(answer?.['candidates'])[0])
  if (asText(asObject(answer?.['promptFeedback'])?.['blockReason']) !== '') throw moderatedAnswer()
  const parts = asArray(asObject(candidate?.['content'])?.['parts'])
    .map(asObject)
    .filter((part) => part !== null)
  const hasMedia = parts.some((part) => asObject(part['inlineData']) !== null)
  if (!hasMedia && withheld.test(asText(candidate?.['finishReason']))) throw moderatedAnswer()
  if (!candidate) throw unreadableAnswer()
  return { parts, usage: asObject(answer?.['usageMetadata']) }
}

const withheld = /SAFETY|PROHIBITED_CONTENT|BLOCKLIST|RECITATION|SPII/
