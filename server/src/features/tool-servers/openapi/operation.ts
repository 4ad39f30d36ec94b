/** How an operation of a document is called. It is kept with the tool's definition, and is part of its digest. */
import { z } from 'zod'

const Parameter = z.strictObject({
  /** Of the tool's arguments. */
  key: z.string(),
  /** As the server knows it. */
  name: z.string(),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  style: z.enum(['simple', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json']),
  explode: z.boolean(),
})
export type Parameter = z.infer<typeof Parameter>

const Body = z.strictObject({
  key: z.string(),
  kind: z.enum(['json', 'form', 'multipart', 'text']),
  mediaType: z.string(),
  /** Fields of a multipart form that are files; their values are base64. */
  files: z.array(z.string()),
})
export type Body = z.infer<typeof Body>

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

export const Operation = z.strictObject({
  method: z.enum(methods),
  /** Before its path; without a slash at the end. */
  base: z.string(),
  /** With `{name}` where a parameter stands. */
  path: z.string(),
  parameters: z.array(Parameter),
  body: Body.nullable(),
})
export type Operation = z.infer<typeof Operation>

/** A name in braces. What stands between two braces is letters: it is no parameter. */
export const placeholder = /\{([^{}]*)\}/g
