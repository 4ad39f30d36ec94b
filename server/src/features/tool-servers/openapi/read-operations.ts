/** From the text of a document to the tools that it describes. Runs in a process that can be killed. */
import type { ListedTool } from '../kind.ts'
import { readBody } from './body-schema.ts'
import { DocumentFault, OperationFault } from './faults.ts'
import { type Operation, methods, placeholder } from './operation.ts'
import { readParameters } from './parameters.ts'
import { isObject, type JsonObject, parseDocument, textOf } from './parse-document.ts'
import { follow } from './references.ts'
import { createSchemaReader } from './schemas.ts'

export interface DocumentToRead {
  readonly text: string
  /** Where its operations are called. */
  readonly baseUrl: string
  /** Whether the document itself was found there: then it says what the path of its operations begins with. */
  readonly isAtBase: boolean
}

export type ReadOperations =
  | { readonly tools: readonly ListedTool[]; readonly revision: string }
  | { readonly fault: string }

/** More than are offered, so that what is left out can be told. */
const mostRead = 256

/** The tools of a document, those left out with their reason; or in a sentence why the document can’t be used. */
export const readOperations = ({ text, baseUrl, isAtBase }: DocumentToRead): ReadOperations => {
  try {
    const document = parseDocument(text)
    const version = textOf(document['openapi'])
    if (!/^3\.[01](\.|$)/.test(version)) throw new DocumentFault(wordsOfVersion(document))
    const base = isAtBase ? baseOfServers(document, baseUrl) : pathOf(new URL(baseUrl))
    const paths = isObject(document['paths']) ? document['paths'] : {}
    const tools: ListedTool[] = []
    for (const [path, given] of Object.entries(paths)) {
      if (tools.length >= mostRead) break
      tools.push(...readPath(document, version.startsWith('3.0'), { path, given, base }))
    }
    if (tools.length === 0) throw new DocumentFault('The document describes no operations.')
    return { tools: tools.slice(0, mostRead), revision: `OpenAPI ${version}`.slice(0, 40) }
  } catch (error) {
    if (error instanceof DocumentFault) return { fault: error.message }
    if (error instanceof RangeError) return { fault: 'The document is nested too deeply.' }
    throw error
  }
}

const wordsOfVersion = (document: JsonObject): string =>
  'swagger' in document
    ? 'This is a Swagger 2.0 document. Convert it to OpenAPI 3 first.'
    : 'This isn’t an OpenAPI 3.0 or 3.1 document.'

/** The first server that the document names, where that is at the same place. */
const baseOfServers = (document: JsonObject, baseUrl: string): string => {
  const [server] = Array.isArray(document['servers']) ? (document['servers'] as readonly unknown[]) : []
  const address = isObject(server) ? textOf(server['url']) : ''
  if (address === '' || /[{}$]/.test(address)) return ''
  const url = URL.parse(address, baseUrl)
  if (!url || url.origin !== new URL(baseUrl).origin)
    throw new DocumentFault(
      'The document names a server at another address. Register that address, and enter where the document is.',
    )
  return pathOf(url)
}

const pathOf = ({ pathname }: URL): string => pathname.replace(/\/+$/, '')

interface PathToRead {
  readonly path: string
  readonly given: JsonObject[string] | undefined
  readonly base: string
}

const readPath = (document: JsonObject, isOld: boolean, { path, given, base }: PathToRead): ListedTool[] => {
  const item = attempt(() => follow(document, given).value)
  if (item instanceof OperationFault) return [leftOut(path, item)]
  return methods.flatMap((method): ListedTool[] => {
    const operation = item[method]
    if (operation === undefined) return []
    const name = nameOf(operation, method, path)
    const tool = attempt(() => readOperation(document, isOld, { path, base, item, method, name }))
    return [tool instanceof OperationFault ? leftOut(name, tool) : tool]
  })
}

const attempt = <T>(work: () => T): T | OperationFault => {
  try {
    return work()
  } catch (error) {
    if (error instanceof OperationFault) return error
    throw error
  }
}

const leftOut = (name: string, { reason }: OperationFault): ListedTool => ({
  name,
  inputSchema: null,
  claimsReadOnly: false,
  fault: reason,
})

const nameOf = (operation: unknown, method: string, path: string): string => {
  const id = isObject(operation) ? textOf(operation['operationId']).trim() : ''
  return id !== '' ? id : `${method}_${path.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_|_$/g, '') || 'root'}`
}

interface OperationToRead {
  readonly path: string
  readonly base: string
  readonly item: JsonObject
  readonly method: (typeof methods)[number]
  readonly name: string
}

const readOperation = (
  document: JsonObject,
  isOld: boolean,
  { path, base, item, method, name }: OperationToRead,
): ListedTool => {
  const operation = item[method]
  if (!isObject(operation) || !isSoundPath(path)) throw new OperationFault('unsupported')
  const schemas = createSchemaReader(document, isOld)
  const taken = new Set<string>()
  const parameters = readParameters(document, schemas, [item['parameters'], operation['parameters']], taken)
  const inPath = new Set(parameters.flatMap(({ parameter }) => (parameter.in === 'path' ? [parameter.name] : [])))
  const named = new Set([...path.matchAll(placeholder)].map(([, one = '']) => one))
  // One that stands nowhere, or a place that nothing is for.
  if (inPath.symmetricDifference(named).size > 0) throw new OperationFault('unsupported')
  const body = method === 'get' ? null : readBody(document, schemas, operation['requestBody'], taken)
  const asked = [
    ...parameters.map(({ parameter, ...rest }) => ({ key: parameter.key, ...rest })),
    ...(body ? [{ key: body.body.key, ...body }] : []),
  ]
  const call: Operation = {
    method,
    base,
    path,
    parameters: parameters.map(({ parameter }) => parameter),
    body: body?.body ?? null,
  }
  const required = asked.filter(({ isRequired }) => isRequired).map(({ key }) => key)
  const words = [textOf(operation['summary']), textOf(operation['description'])].filter((part) => part.trim() !== '')
  return {
    name,
    description: [...words, `${method.toUpperCase()} ${path}`].join('\n'),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(asked.map(({ key, schema }) => [key, schema])),
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    // By HTTP it only reads; whether that is so, an administrator says.
    claimsReadOnly: method === 'get',
    call,
  }
}

/** A path that means what it says once it is part of an address. */
const isSoundPath = (path: string): boolean => {
  if (path.length > 2000 || !/^\/[A-Za-z0-9._~!$&'()*+,;=:@%/{}-]*$/.test(path)) return false
  const filled = path.replace(placeholder, 'x')
  return !/[{}]/.test(filled) && new URL(filled, 'http://host').pathname === filled
}
