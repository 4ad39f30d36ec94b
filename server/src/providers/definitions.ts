/**
 * The definitions that come with Atrium: trusted, known to every account, and stored in no database. Each is a file in
 * `definitions/`; a new one is found by itself.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Definition } from '@atrium/contract/connections'
import { z } from 'zod'
import { type FormatName, formatNames } from './operations/formats/index.ts'
import { type WireId, wires } from './wires/index.ts'

/** A definition of ours. What stands here beyond a definition cannot be said by one that is imported. */
export type BundledDefinition = Definition & {
  /** The format that its chat route speaks. An installed definition of the same id keeps it. */
  readonly wire: WireId
  /** The formats of its capabilities, where they are not the common ones. An installed definition of the same id keeps them. */
  readonly formats?: DefinitionFormats | undefined
  /** Whether its own host takes attribution headers. */
  readonly attribution?: boolean | undefined
  /** Whether it is entered by the server's own sign-in instead of a key; administrators only. */
  readonly signIn?: boolean | undefined
  /** A server on the operator's own machine. */
  readonly local?: boolean | undefined
  /** Where its models are listed, when that cannot be derived from the route; for its own unchanged route only. */
  readonly modelsUrl?: string | undefined
  /** Whether it lists no models that could be asked: those it names are all, or those of its variable `deployment`. */
  readonly unlisted?: boolean | undefined
  /** Fields of a request that it refuses, left out of what is said to it. */
  readonly omits?: readonly string[] | undefined
  /** Fields that it insists on, with what is said where nothing else is. */
  readonly insists?: Readonly<Record<string, string>> | undefined
}

export type DefinitionFormats = { readonly [N in keyof typeof formatNames]?: FormatName<N> | undefined }

let known: readonly BundledDefinition[] | null = null

/** All of them, by id. Read with the first call; throws an Error that names the file when one is not in order. */
export const bundledDefinitions = (): readonly BundledDefinition[] =>
  (known ??= readBuilt() ?? readDefinitions(new URL('./definitions/', import.meta.url)))

/** What tools/build-server.mjs has read and checked before, in one file beside the code; null where nothing was built. */
function readBuilt(): readonly BundledDefinition[] | null {
  const built = new URL('./definitions.json', import.meta.url)
  return existsSync(built) ? (JSON.parse(readFileSync(built, 'utf8')) as BundledDefinition[]) : null
}

/** The definitions of a folder, each checked. Throws an Error that names the file. */
export const readDefinitions = (from: URL): readonly BundledDefinition[] =>
  readdirSync(from)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => readOne(file, readFileSync(new URL(file, from), 'utf8')))

function readOne(file: string, text: string): BundledDefinition {
  try {
    const parsed = z.record(z.string(), z.unknown()).parse(JSON.parse(text))
    const own = Object.entries(parsed).filter(([name]) => name in Extra.shape)
    const shared = Object.entries(parsed).filter(([name]) => !(name in Extra.shape))
    const definition = { ...Definition.parse(Object.fromEntries(shared)), ...Extra.parse(Object.fromEntries(own)) }
    if (`${definition.id}.json` !== file) throw new Error(`its id is ${definition.id}; file and id have one name`)
    return definition
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new Error(`The definition ${file} cannot be used. ${why}`)
  }
}

const Formats = z.strictObject({
  embedding: z.enum(formatNames.embedding).optional(),
  image: z.enum(formatNames.image).optional(),
  tts: z.enum(formatNames.tts).optional(),
  stt: z.enum(formatNames.stt).optional(),
  audio: z.enum(formatNames.audio).optional(),
  video: z.enum(formatNames.video).optional(),
})

const Extra = z.strictObject({
  formats: Formats.optional(),
  wire: z.enum(Object.keys(wires) as [WireId, ...WireId[]]),
  attribution: z.boolean().optional(),
  signIn: z.boolean().optional(),
  local: z.boolean().optional(),
  modelsUrl: z.url({ protocol: /^https$/ }).optional(),
  unlisted: z.boolean().optional(),
  omits: z.array(z.string().min(1)).optional(),
  insists: z.record(z.string(), z.string().min(1)).optional(),
})
