/**
 * One thing of every kind, as the tests over all kinds need it. Each area gives those of its own kinds in
 * `fixture.ts`: `export const samples: SamplesOf<typeof xArea> = { … }`.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { AreaDescription } from '@atrium/contract/area'
import { type ResourceKind, resourceKinds } from '@atrium/contract/resources'
import type { Call, Route } from '@atrium/contract/route'
import type { Client, ClientFrame } from './client.ts'

/** How one of a kind is created, read and deleted. */
export interface Sample {
  /** Creates one that is called by a word, or holds it; gives its id once it is all there. */
  make(owner: Client, word: string): Promise<string>
  /** The ids of those that somebody sees. */
  list(client: Client): Promise<string[]>
  /** `ok`, or the code of the refusal. */
  read(client: Client, id: string): Promise<string>
  /** What `read` gives to whom it is not there for. */
  readonly missing: string
  /** Moves it to the trash. */
  remove(owner: Client, id: string): Promise<unknown>
  /** How its readers follow it, where its kind has a stream. */
  readonly live?: Live
}

interface Live {
  /** Starts what is followed, and what goes on until the function is called that it gives. */
  begin(owner: Client, id: string): Promise<() => Promise<unknown>>
  /** The events of its stream, to the end of it. */
  follow(reader: Client, id: string): AsyncGenerator<ClientFrame<{ readonly type: string; readonly data: unknown }>>
}

/** A model of the server in `e2e/provider` that writes for minutes. */
export const slowModel = { providerType: 'local', providerId: null, model: 'long-5000-drip-50' } as const

/** One sample for each kind of an area; a missing one does not compile. */
export type SamplesOf<D extends AreaDescription> = { readonly [K in keyof D['resources'] & string]: Sample }

/** The samples of all areas. Throws where a kind has none. */
export const readSamples = async (): Promise<Readonly<Record<ResourceKind, Sample>>> => {
  const source = join(import.meta.dirname, '..')
  const files = globSync('{core,features}/*/fixture.ts', { cwd: source })
  const given = await Promise.all(files.map((file) => import(join(source, file)) as Promise<{ samples: object }>))
  const samples: Partial<Record<ResourceKind, Sample>> = Object.assign({}, ...given.map((file) => file.samples))
  for (const kind of resourceKinds)
    if (!samples[kind]) throw new Error(`The kind ${kind} has no sample in the fixture.ts of its area.`)
  return samples as Record<ResourceKind, Sample>
}

/** `ok`, or the code of the refusal of a call. */
export const outcomeOf = async <R extends Route>(client: Client, route: R, call: Call<R>): Promise<string> => {
  const response = await client.answer(route, call)
  const { code = 'ok' } = (await response.json()) as { code?: string }
  return response.ok ? 'ok' : code
}

export const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id)
