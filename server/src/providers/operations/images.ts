/** Pictures from words, over the common `/images/generations`. */
import { isTooLarge, readHead } from '../../platform/formats/picture/head.ts'
import { exchange, translate } from '../exchange.ts'
import { makeHarmless } from '../harmless-text.ts'
import { ProviderFailure } from '../types.ts'
import { asArray, asObject, asText, asTokens, type Json } from '../wires/json.ts'
import { fittingSize } from './sizes.ts'
import { type OperationCall, textIn, unreadableAnswer, omitUndefined } from './route.ts'
import type { ImageAsk, Images, Picture } from './types.ts'

const timeoutMs = 5 * 60_000
const maxBytes = 96 * 1024 * 1024
const maxPictureBytes = 32 * 1024 * 1024
/** Of a picture in base64: its size stands behind a colour profile at most. */
const longestHead = 2 * 1024 * 1024

/** One call. The pictures come as bytes, also where the provider answers with addresses of them. */
export async function generateImages(call: OperationCall, ask: ImageAsk): Promise<Images> {
  const { outbound, url, headers, hasKey, model, config, signal } = call
  const count = ask.count ?? 1
  const size = fittingSize(ask.size ?? textIn(config, 'default_size'), config)
  const body = omitUndefined({
    model,
    prompt: ask.prompt,
    n: config['supports_n'] === false ? undefined : count,
    [textIn(config, 'size_parameter') ?? 'size']: size,
    quality: ask.quality ?? textIn(config, 'default_quality'),
    style: ask.style ?? textIn(config, 'default_style'),
    background: ask.background,
    output_format: ask.format,
    response_format: config['supports_response_format'] === true ? 'b64_json' : undefined,
  })
  const question = { method: 'POST', url, headers, hasKey, body, signal, timeoutMs, maxBytes } as const
  const answer = asObject(await exchange(outbound, question))
  const entries = asArray(answer?.['data']).slice(0, count)
  if (entries.length === 0) throw unreadableAnswer()
  const pictures: Picture[] = []
  for (const entry of entries) pictures.push(await readPicture(call, asObject(entry) ?? {}))
  const usage = asObject(answer?.['usage'])
  return { pictures, inputTokens: asTokens(usage?.['input_tokens']), outputTokens: asTokens(usage?.['output_tokens']) }
}

async function readPicture(call: OperationCall, entry: Json): Promise<Picture> {
  const address = asText(entry['url'])
  const written = asText(entry['b64_json']) || (address.startsWith('data:') ? address : '')
  const data = written ? written.replace(/^data:[^,]{0,100},/, '') : await fetchPicture(call, address)
  const head = readHead(Buffer.from(data.slice(0, longestHead), 'base64'))
  if (!head) throw unreadableAnswer()
  if (isTooLarge(head))
    throw new ProviderFailure('too_large', 'The picture of the provider has more pixels than can be shown.')
  return {
    mediaType: head.mediaType,
    data,
    revisedPrompt: makeHarmless(asText(entry['revised_prompt']).slice(0, 32_000)) || null,
  }
}

/** A picture lies elsewhere, perhaps at another host: it is fetched without the key. */
async function fetchPicture({ outbound, signal }: OperationCall, address: string): Promise<string> {
  if (address === '') throw unreadableAnswer()
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const response = await outbound.request(await outbound.check(address), {
      method: 'GET',
      headers: { accept: 'image/*' },
      signal: AbortSignal.any([signal, late]),
      maxBytes: maxPictureBytes,
    })
    if (response.status !== 200) {
      response.discard()
      throw new ProviderFailure('malformed', 'The provider told where the picture is, but it is not there.')
    }
    const chunks: Uint8Array[] = []
    for await (const chunk of response.body) chunks.push(chunk)
    return Buffer.concat(chunks).toString('base64')
  } catch (error) {
    if (late.aborted && !signal.aborted) throw new ProviderFailure('timeout', 'The picture did not arrive in time.')
    throw translate(error, signal, true)
  }
}
