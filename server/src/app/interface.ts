/** The interface as a document: every route of the contract, with its shapes by name. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as common from '@atrium/contract/common'
import * as generation from '@atrium/contract/generation'
import { z } from 'zod'
import { sessionCookie } from '../core/accounts/index.ts'
import { type OpenApiDocument, openApiDocument, openApiSteps } from '../platform/http/openapi.ts'
import { StaticFile } from '../platform/http/static-file.ts'
import { areas, routesByTag } from './areas.ts'
import { version } from './version.ts'

/** Where the build put the document and the files of the page that shows it; null when this runs from its sources. */
export const builtDocs = (): string | null => {
  const folder = fileURLToPath(new URL('./docs/', import.meta.url))
  return existsSync(join(folder, 'openapi.json')) ? folder : null
}

/** The document, made at once; for the build, and for tools. */
export const interfaceDocument = (): OpenApiDocument => openApiDocument(routesByTag, options())

/** The same for every app of a process: it follows from the contract alone. */
let made: Promise<OpenApiDocument> | null = null

/** The document of the build; from sources it is made when first asked for, in slices so short that nobody waits. */
export const createInterface = (): (() => Promise<OpenApiDocument | StaticFile>) => {
  const folder = builtDocs()
  const built = folder && StaticFile.open(join(folder, 'openapi.json'))
  if (built) return () => Promise.resolve(built)
  return () => (made ??= inSlices())
}

const inSlices = async (): Promise<OpenApiDocument> => {
  const steps = openApiSteps(routesByTag, options())
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const options = () => ({
  title: 'Atrium',
  version,
  description:
    'The HTTP interface of Atrium, a self-hosted AI workspace. Errors are `application/problem+json` with a stable `code`; times are RFC 3339 in UTC.',
  sessionCookie,
  shapes: namedShapes(),
})

/** The shapes that areas name, and the exported schemas with a capital of the modules that several areas share. */
const namedShapes = (): Record<string, z.ZodType> =>
  Object.fromEntries(
    [common, generation, ...areas.map(({ description }) => description.shapes ?? {})]
      .flatMap((shapes) => Object.entries(shapes as Record<string, unknown>))
      .filter((entry): entry is [string, z.ZodObject | z.ZodUnion] => /^[A-Z]/.test(entry[0]) && isNoun(entry[1])),
  )

const isNoun = (value: unknown): boolean => value instanceof z.ZodObject || value instanceof z.ZodUnion
