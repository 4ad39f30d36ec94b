/** Resources and prompts of tool servers, which people put into their questions themselves (Model Context Protocol). */
import { z } from 'zod'
import { Id } from '../common.ts'
import { routes } from '../route.ts'

/** So many of each are told of one server; the rest is left out. */
export const mostServerResources = 500
export const mostServerPrompts = 200

/** Something that can be read at a server. Every word of it is the server’s. */
export const ServerResource = z.strictObject({
  /** Names it at the server; nothing here ever opens it. */
  uri: z.string(),
  name: z.string(),
  description: z.string(),
  mediaType: z.string().nullable(),
  sizeBytes: z.number().int().nullable(),
})
export type ServerResource = z.infer<typeof ServerResource>

/** Resources whose address has places to fill in (RFC 6570). */
export const ServerResourceTemplate = z.strictObject({
  /** As it is sent back: with its variables in braces. */
  template: z.string(),
  name: z.string(),
  description: z.string(),
  mediaType: z.string().nullable(),
  variables: z.array(z.string()),
})
export type ServerResourceTemplate = z.infer<typeof ServerResourceTemplate>

export const ServerPrompt = z.strictObject({
  /** As it is sent back. */
  name: z.string(),
  title: z.string(),
  description: z.string(),
  arguments: z.array(z.strictObject({ name: z.string(), description: z.string(), required: z.boolean() })),
})
export type ServerPrompt = z.infer<typeof ServerPrompt>

/** What a resource holds: text, or bytes as base64. */
export const ServerFile = z.strictObject({
  /** With an ending, fit for a file. */
  name: z.string(),
  mediaType: z.string(),
  text: z.string().nullable(),
  base64: z.string().nullable(),
})
export type ServerFile = z.infer<typeof ServerFile>

export const ServerPromptMessage = z.strictObject({
  role: z.enum(['user', 'assistant']),
  text: z.string(),
  files: z.array(ServerFile),
})
export type ServerPromptMessage = z.infer<typeof ServerPromptMessage>

const ById = z.strictObject({ id: Id })
const Name = z.string().min(1).max(512)
const Address = z.string().min(1).max(4000)
const Value = z.string().max(10_000)
const Values = z.record(z.string().max(512), Value).refine((values) => Object.keys(values).length <= 50, 'too many')

const common = {
  access: 'user',
  names: 'instance',
  limit: 'tool-server',
  noStore: true,
  params: ById,
  errors: ['tool_server_not_found', 'tool_server_failed', 'tool_unavailable'],
} as const

export const toolContentRoutes = routes({
  serverResources: {
    ...common,
    method: 'get',
    path: '/api/tools/servers/{id}/resources',
    summary: 'List the resources and resource templates of a tool server',
    returns: z.strictObject({
      items: z.array(ServerResource),
      templates: z.array(ServerResourceTemplate),
      nextCursor: z.null(),
    }),
  },
  readServerResource: {
    ...common,
    method: 'post',
    path: '/api/tools/servers/{id}/resources/read',
    summary: 'Read a resource of a tool server, by its address or by a template and its values',
    body: z.union([z.strictObject({ uri: Address }), z.strictObject({ template: Address, values: Values })]),
    returns: z.strictObject({ items: z.array(ServerFile) }),
  },
  serverPrompts: {
    ...common,
    method: 'get',
    path: '/api/tools/servers/{id}/prompts',
    summary: 'List the prompts that a tool server offers',
    returns: z.strictObject({ items: z.array(ServerPrompt), nextCursor: z.null() }),
  },
  readServerPrompt: {
    ...common,
    method: 'post',
    path: '/api/tools/servers/{id}/prompts/read',
    summary: 'Get the messages of a prompt from a tool server. Nothing is sent to a model',
    body: z.strictObject({ name: Name, arguments: Values.default({}) }),
    returns: z.strictObject({ messages: z.array(ServerPromptMessage) }),
  },
  completeServerArgument: {
    ...common,
    method: 'post',
    path: '/api/tools/servers/{id}/completions',
    summary: 'Suggest values for an argument of a prompt or a variable of a resource template while it is typed',
    body: z.strictObject({
      of: z.union([z.strictObject({ prompt: Name }), z.strictObject({ template: Address })]),
      argument: z.strictObject({ name: Name, value: Value }),
      /** What the other arguments are already. */
      others: Values.default({}),
    }),
    returns: z.strictObject({ values: z.array(z.string()) }),
  },
})
