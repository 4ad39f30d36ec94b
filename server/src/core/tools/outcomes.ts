/** What came of a call: kept whole, told to its model within bounds, and shown to people as its beginning. */
import { createHash } from 'node:crypto'
import type { ToolResult } from '@atrium/contract/generation'
import { isRefusal } from '../../platform/http/refusal.ts'
import { readResultName } from './builtins/read-result.ts'
import type { CatalogItem } from './catalogue.ts'
import type { ToolsContext } from './context.ts'
import { resultText, wholeText } from './result-text.ts'
import { mostResultLetters } from './rules.ts'
import type { CallOutcome, CallRecord } from './stores/call-records.ts'
import type { ToolkitRequest, ToolkitResult, ToolMedia, ToolOutput, ToolResource } from './types.ts'

const shownLetters = 2000
const mostLetters = 4_194_304
const mostMedia = 10
const mostMediaBytes = 20_971_520
/** As much of a value is drawn on a page; more is text. */
const shownValueLetters = 20_000
const shownResources = 20

interface Keeping {
  readonly accountId: string
  readonly output: ToolOutput
  readonly nextSource: () => number
}

/** Keeps pictures and sound as files; what there is no room for is said in the text. */
export const keepOutcome = async (
  deps: ToolsContext,
  { accountId, output, nextSource }: Keeping,
): Promise<CallOutcome> => {
  const media: CallOutcome['media'] = []
  let lost = 0
  for (const [index, one] of (output.media ?? []).entries()) {
    const kept = index < mostMedia ? await keepMedia(deps, accountId, one, index) : null
    if (kept) media.push(kept)
    else lost += 1
  }
  const notes = lost === 0 ? '' : `\n\n[${lost} files of this result could not be kept.]`
  return {
    text: `${output.text.slice(0, mostLetters)}${notes}`.toWellFormed(),
    isError: output.isError ?? false,
    sources: (output.sources ?? []).map((source) => ({ ...source, number: nextSource() })),
    links: [...(output.links ?? [])],
    media,
    ...(output.resources && { resources: boundResources(output.resources) }),
    ...(output.structured !== undefined && { structured: boundValue(output.structured) }),
    ...(output.quotes && { quotes: true }),
  }
}

const boundResources = (resources: readonly ToolResource[]): ToolResource[] =>
  resources.map((one) => ({ ...one, text: one.text?.slice(0, mostLetters).toWellFormed() ?? null }))

const boundValue = (value: unknown): string => JSON.stringify(value, null, 1).slice(0, mostLetters).toWellFormed()

/** Of a result, what can be put in words. */
export const wordsOf = ({ text, sources, resources, structured }: CallOutcome) => ({
  text,
  sources,
  resources,
  structured,
})

const keepMedia = async (
  { files }: ToolsContext,
  accountId: string,
  { bytes, mediaType, name }: ToolMedia,
  index: number,
): Promise<CallOutcome['media'][number] | null> => {
  if (bytes.byteLength > mostMediaBytes) return null
  try {
    const fileId = await files.save(accountId, bytes)
    return { fileId, mediaType, name: name ?? `${index + 1}`, sizeBytes: bytes.byteLength }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return null
  }
}

/** For people: the beginning, and what there is beside it. */
export const toToolResult = (outcome: CallOutcome): ToolResult => {
  const { isError, media, links, resources = [], structured } = outcome
  const isDrawn = structured !== undefined && structured.length <= shownValueLetters
  const text =
    isDrawn || structured === undefined ? outcome.text : [outcome.text, structured].filter(Boolean).join('\n\n')
  return {
    status: isError ? 'failed' : 'done',
    text: text.slice(0, shownLetters).toWellFormed(),
    ...(text.length > shownLetters && { characters: text.length }),
    ...(isDrawn && { structured }),
    ...(resources.length > 0 && {
      resources: resources.slice(0, shownResources).map((one) => ({
        ...one,
        text: one.text?.slice(0, shownLetters).toWellFormed() ?? null,
      })),
    }),
    ...(media.length > 0 && {
      media: media.map(({ mediaType, name, sizeBytes }, index) => ({ index, mediaType, name, sizeBytes })),
    }),
    ...(links.length > 0 && { links }),
  }
}

interface ResultOf {
  readonly record: CallRecord
  readonly tool: CatalogItem
  readonly request: Pick<ToolkitRequest, 'accountId' | 'chatId' | 'vision'>
}

/** For the model: fenced where others may have written it. */
export const toResult = async (
  { files }: Pick<ToolsContext, 'files'>,
  outcome: CallOutcome,
  { record, tool, request }: ResultOf,
): Promise<ToolkitResult> => ({
  kind: 'result',
  text: resultText({
    ...wordsOf(outcome),
    tool: tool.name,
    fence: (outcome.quotes || holdsWords(tool)) && record.startedAt !== null ? `quoted-${record.id}` : null,
    readOn:
      request.chatId === null
        ? null
        : `To read on, call ${readResultName} with id ${record.id} and an offset, such as {offset}, or words to find.`,
  }),
  images: request.vision === false ? [] : await readImages(files, request.accountId, outcome.media),
  sources: outcome.sources,
  isError: outcome.isError,
  isCut: wholeText(wordsOf(outcome)).length > mostResultLetters,
  digest: digestOf(outcome, record.id),
})

/** Without what is new in each call: its id, the numbers of passages, and where files are kept. */
const digestOf = ({ text, isError, sources, media, resources, structured }: CallOutcome, recordId: string): string => {
  const said = sources.map(({ name, url, passage }) => [name, url, passage])
  const files = media.map(({ mediaType, name, sizeBytes }) => [mediaType, name, sizeBytes])
  return createHash('sha256')
    .update(JSON.stringify([isError, text.replaceAll(recordId, ''), structured, said, resources, files]))
    .digest('hex')
}

/** Whether its results hold words that the model could take for its orders. */
const holdsWords = ({ readsForeignText, readsPrivateData, source }: CatalogItem): boolean =>
  readsForeignText || readsPrivateData || source !== 'builtin'

const readImages = async (files: ToolsContext['files'], accountId: string, media: CallOutcome['media']) => {
  const images = media.filter(({ mediaType }) => /^image\/(png|jpeg|webp|gif)$/.test(mediaType))
  const read = await Promise.all(
    images.map(async ({ fileId, mediaType }) => {
      const bytes = await files.read(accountId, fileId)
      return bytes ? [{ mediaType, data: Buffer.from(bytes).toString('base64') }] : []
    }),
  )
  return read.flat()
}
