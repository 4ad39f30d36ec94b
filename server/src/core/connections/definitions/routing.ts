/** Where the calls of a definition go, with what administrators set. Pure. */
import { createHash } from 'node:crypto'
import type { Definition, DefinitionSource } from '@atrium/contract/connections'
import type { BundledDefinition } from '../../../providers/definitions.ts'
import { addressOf, resolveCapability, resolveRoute, type ResolvedRoute } from '../../../providers/route.ts'
import type { CapabilityRoute, ConnectionRoute, StoredValues } from '../types.ts'
import { pathUnderBase } from './wire.ts'

/** The names that say where calls go, whatever the definition. Their values are the administrators'. */
const connectionNames = new Set([
  'endpoint',
  'base_url',
  'api_path',
  'models_endpoint',
  'api_url',
  'api_mode',
  'image_endpoint',
  'embedding_endpoint',
  'tts_endpoint',
  'stt_endpoint',
  'audio_endpoint',
  'video_endpoint',
  'voice_clone_endpoint',
  'model',
  'model_id',
])

/** Whether a variable is part of the route, and so one for the whole instance. */
export function isConnectionVariable(definition: Definition, name: string): boolean {
  return (
    connectionNames.has(name) ||
    endpointVariables(definition).has(name) ||
    placesIn(definition).has(name) ||
    (name === 'region' && holdsRegion(definition))
  )
}

/** Whether a variable's value is a whole address. */
export const isAddressVariable = (definition: Definition, name: string): boolean =>
  name !== 'api_mode' &&
  (/^(endpoint|base_url|api_url)$|_endpoint$/.test(name) || endpointVariables(definition).has(name))

/** Never throws: what makes no address is reported as the route's `fault`. */
export function routeOf(
  definition: Definition,
  values: StoredValues = {},
  bundled?: BundledDefinition | null,
): ConnectionRoute {
  const plain = resolve(definition, {}, bundled)
  const moved = Object.keys(values).length > 0 ? resolve(definition, values, bundled) : plain
  return { ...moved, unmoved: moved === plain || JSON.stringify(moved) === JSON.stringify(plain) }
}

/** What a key is bound to. */
export function routeFingerprint(definition: Definition, source: DefinitionSource, route: ConnectionRoute): string {
  const { id, type, api_mode = 'chat_completions', auth } = definition
  const bound: unknown[] = [
    id,
    type,
    api_mode,
    route.url,
    route.modelsUrl,
    auth.header.toLowerCase(),
    auth.prefix ?? '',
  ]
  // Only what there is more than a plain connection has, so that keys of older versions stay bound to theirs.
  if (source === 'bundled') bound.push(source)
  if (route.semantics !== api_mode) bound.push(route.semantics)
  const capabilities = Object.entries(route.capabilities).map(([name, { named: _, ...bare }]) => [name, bare])
  if (capabilities.length > 0) bound.push(Object.fromEntries(capabilities))
  return createHash('sha256').update(JSON.stringify(bound)).digest('hex')
}

/** Every address that calls of this route would go to. */
export const addressesOf = (route: ConnectionRoute): string[] => [
  ...new Set([
    route.url,
    route.modelsUrl,
    ...Object.values(route.capabilities).flatMap(({ url, modelsUrl, others = [] }) => [
      ...(modelsUrl === null ? [url] : [url, modelsUrl]),
      ...others.filter((address) => URL.canParse(address)),
    ]),
  ]),
]

type RouteWithoutVerdict = Omit<ConnectionRoute, 'unmoved'>

function resolve(
  definition: Definition,
  values: StoredValues,
  bundled: BundledDefinition | null | undefined,
): RouteWithoutVerdict {
  try {
    return tryResolve(definition, values, bundled)
  } catch (error) {
    const fault = error instanceof Error ? error.message : 'The parts of its address do not fit together.'
    return { url: definition.endpoint, semantics: 'chat_completions', modelsUrl: '', capabilities: {}, fault }
  }
}

function tryResolve(
  definition: Definition,
  values: StoredValues,
  bundled: BundledDefinition | null | undefined,
): RouteWithoutVerdict {
  const preset = (name: string) => textOf(definition.variables?.find((variable) => variable.name === name)?.default)
  const isDeclared = (name: string) => definition.variables?.some((variable) => variable.name === name) ?? false
  const savedValue = (name: string) => (isDeclared(name) ? textOf(values[name]) : undefined)
  const valueOf = (name: string) => savedValue(name) ?? preset(name)
  const fill = (address: string) => moveRegion(definition, fillPlaces(definition, address, valueOf), valueOf)
  const fillTemplate = (address: string | undefined) => (address === undefined ? undefined : fill(address))

  // A default is no override: the definition's own endpoint counts until somebody sets another one.
  const override = fillTemplate(savedValue('endpoint') ?? savedValue('api_url'))
  const mode = valueOf('api_mode') ?? definition.api_mode
  const main = resolveRoute({
    endpoint: fill(definition.endpoint),
    override,
    baseUrl: fillTemplate(valueOf('base_url') ?? definition.base_url),
    apiPath: fillTemplate(valueOf('api_path') ?? definition.api_path),
    modelsEndpoint: fillTemplate(valueOf('models_endpoint')),
    apiMode: mode === 'responses' ? 'responses' : 'chat_completions',
    defaultPath: pathUnderBase(fill(definition.endpoint), bundled === definition ? bundled.wire : undefined),
  })
  const capabilities = Object.fromEntries(
    Object.entries(definition.capabilities ?? {}).map(([name, block]) => {
      const config = (block.config ?? {}) as Record<string, unknown>
      const set = (key: unknown) => (typeof key === 'string' ? fillTemplate(valueOf(key)) : undefined)
      // A definition of nothing but speech or images has its one endpoint under the general name.
      const general = definition.type === name ? override : undefined
      const url = resolveCapability(
        fill(block.endpoint),
        set(config['endpoint_variable']) ?? set(`${name}_endpoint`) ?? general,
      )
      const list = set(config['models_endpoint_variable']) ?? fillTemplate(block.models_endpoint)
      const named = Object.entries(config)
        .filter(([key, value]) => key.endsWith('endpoint') && textOf(value) !== undefined)
        .map(([key, value]) => [key, fill(String(value))] as const)
      const route: CapabilityRoute = {
        url,
        modelsUrl: list ? addressOf(list) : null,
        ...(named.length > 0 ? { others: named.map(([, address]) => address), named: Object.fromEntries(named) } : {}),
      }
      return [name, route]
    }),
  )
  return { ...main, modelsUrl: listOf(main, bundled, definition, fillTemplate, valueOf), capabilities, fault: null }
}

/** Atrium's own address of a list holds only while calls go where Atrium's own definition sends them. */
function listOf(
  main: ResolvedRoute,
  bundled: BundledDefinition | null | undefined,
  definition: Definition,
  filled: (address: string | undefined) => string | undefined,
  valueOf: (name: string) => string | undefined,
): string {
  const own = bundled === definition && !valueOf('models_endpoint') ? filled(bundled.modelsUrl) : undefined
  if (!own || !bundled) return main.modelsUrl
  const declared = [filled(bundled.endpoint), filled(bundled.base_url)]
  return declared.some((address) => address && new URL(address).host === new URL(main.url).host)
    ? addressOf(own)
    : main.modelsUrl
}

const placePattern = /\{([A-Za-z][A-Za-z0-9_]*)\}/g
const perCall = new Set(['model', 'voice_id', 'job_id'])

/** The names of variables that the definition's addresses contain, as `{name}`. */
function placesIn(definition: Definition): ReadonlySet<string> {
  const { endpoint, base_url = '', api_path = '', capabilities = {} } = definition
  const presets = (definition.variables ?? []).map((variable) => textOf(variable.default) ?? '')
  const blocks = Object.values(capabilities).flatMap((block) => [block.endpoint, block.models_endpoint ?? ''])
  const found = [endpoint, base_url, api_path, ...presets, ...blocks].flatMap((text) => [
    ...text.matchAll(placePattern),
  ])
  return new Set(found.map(([, name = '']) => name).filter((name) => !perCall.has(name)))
}

/** A value within an address is one plain word: it can name no other host and climb out of no path. */
function fillPlaces(definition: Definition, address: string, valueOf: (name: string) => string | undefined): string {
  return address.replace(placePattern, (place, name: string) => {
    const variable = definition.variables?.find((known) => known.name === name)
    if (perCall.has(name) || !variable) return place
    const value = valueOf(name)
    if (!value) throw new Error(`Its address is not complete: an administrator has to set “${variable.label || name}”.`)
    if (!/^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(value) || value.includes('..')) {
      throw new Error(`“${variable.label || name}” stands in the address: it takes letters, digits, dots and hyphens.`)
    }
    return value
  })
}

const hostOf = (address: string): string => /^https?:\/\/[^/?#]*/i.exec(address)?.[0] ?? ''

/** The region that files of people write into the host itself, with a variable of that default beside it. */
const presetRegion = (definition: Definition): string | undefined =>
  textOf(definition.variables?.find(({ name }) => name === 'region')?.default)

function holdsRegion(definition: Definition): boolean {
  const preset = presetRegion(definition)
  return preset !== undefined && hostOf(definition.endpoint).split('.').includes(preset)
}

/** Puts the region that is set in the place of the one that the host holds. */
function moveRegion(definition: Definition, address: string, valueOf: (name: string) => string | undefined): string {
  const [preset, value] = [presetRegion(definition), valueOf('region')]
  if (preset === undefined || value === undefined || value === preset || !holdsRegion(definition)) return address
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(value)) {
    throw new Error('The region is part of the address: use only letters, digits and hyphens.')
  }
  const host = hostOf(address)
  const moved = host.split('.').map((label) => (label === preset ? value : label))
  return moved.join('.') + address.slice(host.length)
}

function endpointVariables({ capabilities = {} }: Definition): ReadonlySet<string> {
  const names = Object.values(capabilities).flatMap((block) => {
    const config = (block.config ?? {}) as Record<string, unknown>
    return [config['endpoint_variable'], config['models_endpoint_variable'], config['voice_clone_endpoint_variable']]
  })
  return new Set(names.filter((name): name is string => typeof name === 'string'))
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
