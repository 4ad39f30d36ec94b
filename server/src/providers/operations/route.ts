/** Where and how an operation is asked: what all of them share. */
import type { Checked, Outbound } from '../../platform/outbound/types.ts'
import type { CallMeasurement } from '../measure.ts'
import { ProviderFailure } from '../types.ts'
import type { About } from './format.ts'
import type { CallNews } from './types.ts'

/** The choices and rules of a capability, as its definition tells them. */
export type Config = Readonly<Record<string, unknown>>

/** One call that was admitted. */
export interface OperationCall {
  readonly outbound: Pick<Outbound, 'check' | 'request'>
  readonly url: Checked<URL>
  /** Further origins that the definition names: the only ones that are asked, or shown the key. */
  readonly origins: readonly string[]
  /** With the key, where there is one. */
  readonly headers: Readonly<Record<string, string>>
  readonly hasKey: boolean
  readonly model: string
  readonly config: Config
  /** Further fields of a request, which the definition names. */
  readonly also: Readonly<Record<string, unknown>>
  readonly variables: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  readonly measure: CallMeasurement
  /** Wants to hear of the call while it runs. */
  readonly heard?: ((news: CallNews) => void) | undefined
  /** Wants so many pictures as far as they are, too: they cost. */
  readonly partials?: number | undefined
}

/** A call that is no call of its own to whoever counts: a question about something that was accepted. */
export type UncountedCall = Omit<OperationCall, 'measure'>

export const aboutOf = ({ url, model, config, also, variables, partials }: UncountedCall): About => ({
  endpoint: url.href,
  model,
  config,
  also,
  variables,
  partials: partials ?? 0,
})

export const unreadableAnswer = (): ProviderFailure =>
  new ProviderFailure('malformed', 'The provider’s response couldn’t be read.')

export const moderatedAnswer = (): ProviderFailure =>
  new ProviderFailure('moderated', 'The provider withheld the result because of its content rules.')

/** Leaves out what is undefined or empty. */
export const omitUndefined = (value: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined && entry !== ''))

export const textIn = (config: Config, name: string): string | undefined => {
  const value = config[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export const figureIn = (config: Config, name: string): number | null => {
  const value = config[name]
  return typeof value === 'number' && value > 0 ? value : null
}

/** As people count them, and providers bill them: not in halves. */
export const charactersIn = (text: string): number => Array.from(text).length
