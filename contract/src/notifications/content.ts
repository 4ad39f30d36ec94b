/** What people are told of: the kinds of all areas, each with its facts. Pages and letters write the sentences. */
import { z } from 'zod'
import { type AreaDescriptions, descriptions } from '../index.ts'
import { OptionalWords, Words } from './words.ts'

type ContentsOf<D> = D extends { readonly notifications: infer N extends Readonly<Record<string, z.ZodObject>> }
  ? { [K in keyof N & string]: { kind: K; facts: z.infer<N[K]> } }[keyof N & string]
  : never

/** What happened: its kind, and what there is to say of it. */
export type NotificationContent = ContentsOf<AreaDescriptions>
export type NotificationKind = NotificationContent['kind']

const factsByKind = new Map(descriptions.flatMap(({ notifications = {} }) => Object.entries(notifications)))
export const notificationKinds = [...factsByKind.keys()] as [NotificationKind, ...NotificationKind[]]
export const NotificationKind = z.enum(notificationKinds)

/** An object with kind, facts and these members besides, for each kind. */
export const withContent = <S extends z.ZodRawShape>(
  shape: S,
): z.ZodType<z.infer<z.ZodObject<S, z.core.$strict>> & NotificationContent> => {
  const [first, ...rest] = [...factsByKind].map(([kind, facts]) =>
    z.strictObject({ ...shape, kind: z.literal(kind), facts }),
  )
  if (!first) throw new Error('No area notifies anybody.')
  return z.discriminatedUnion('kind', [first, ...rest]) as never
}

export const NotificationContent: z.ZodType<NotificationContent> = withContent({})

/** The texts of a notification, by the names of the facts. */
export const wordsOf = ({ kind, facts }: NotificationContent): Readonly<Record<string, string>> => {
  const shape = factsByKind.get(kind)?.shape ?? {}
  return Object.fromEntries(
    Object.entries(facts).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === 'string' && (shape[entry[0]] === Words || shape[entry[0]] === OptionalWords),
    ),
  )
}
