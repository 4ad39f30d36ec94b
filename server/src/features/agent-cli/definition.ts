/** What is known of an agent: its command, how it tells version and models, and how it speaks. Nothing in the app changes it. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { bundledAgents } from './agents/index.ts'
import { LineTable } from './lines/table.ts'

const Arguments = z.array(z.string().max(1000)).max(50)

const Pattern = z.string().transform((text, context) => {
  try {
    return new RegExp(text, 'u')
  } catch {
    context.addIssue('no regular expression')
    return z.NEVER
  }
})

const common = {
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'lower-case letters, digits and hyphens'),
  name: z.string().min(1).max(80),
  /** A name that is looked up in PATH, or an absolute path. */
  command: z.string().regex(/^(\/.+|[^/]+)$/, 'a name without slashes, or an absolute path'),
  /** How it is asked for its version. */
  version: Arguments.default(['--version']),
  /** What it is started with to answer. */
  args: Arguments.default([]),
  /** Added for a chosen model, which stands in the place of `{model}`; without it the model is set in the session. */
  modelArgs: Arguments.optional(),
  /** Models beside its own default. */
  models: z.array(z.string().min(1).max(200)).max(40).default([]),
  /** How it lists models: where a session begins, or one a line; with a pattern, as that finds them in its lines. */
  listModels: z
    .union([z.literal('session'), Arguments, z.strictObject({ args: Arguments, pattern: Pattern, model: z.string() })])
    .optional(),
  /** Variables of the environment that it gets beside HOME, PATH and the language. */
  environment: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/))
    .max(50)
    .default([]),
  /** Variables that it gets with these values where the environment has them not: what has it ask before it acts. */
  defaults: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string().max(4000)).default({}),
  /** The command by which somebody signs in on the server. */
  signIn: z.string().max(200).optional(),
  /** What it may write in one turn. */
  maxOutputBytes: z.number().int().min(1000).max(500_000_000).default(2_000_000),
}

const AgentDefinition = z.discriminatedUnion('speaks', [
  /** The Agent Client Protocol over its input and output. */
  z.strictObject({ ...common, speaks: z.literal('acp') }),
  /** JSON lines of its own, which its table explains. */
  z.strictObject({
    ...common,
    speaks: z.literal('jsonl'),
    /** Added to go on in a session, which stands in the place of `{session}`. */
    resumeArgs: Arguments.optional(),
    /** Added at the end. */
    lastArgs: Arguments.default([]),
    /** What it does without asking anybody, where it cannot ask. */
    permissions: z.enum(['read-only', 'own']).default('own'),
    lines: LineTable,
  }),
])
export type AgentDefinition = z.infer<typeof AgentDefinition>
export type LinesAgent = Extract<AgentDefinition, { speaks: 'jsonl' }>

/** Whether it asks for permission, is started so that it can only read, or goes by its own settings. */
export const permissionsOf = (agent: AgentDefinition): 'ask' | 'read-only' | 'own' => {
  if (agent.speaks === 'acp' || agent.lines.answers !== undefined) return 'ask'
  return agent.permissions
}

/** The model of an agent that leaves it to itself which one that is. */
export const defaultModel = 'default'

/**
 * The agents of Atrium, and those of the operator's file, which stand in the place of ones with the same id. Throws an
 * Error that names the file when it cannot be used.
 */
export const readAgents = async (file: string | undefined): Promise<readonly AgentDefinition[]> => {
  const known = z.array(AgentDefinition).parse(bundledAgents)
  if (file === undefined) return known
  let own: AgentDefinition[]
  try {
    own = z.array(AgentDefinition).parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new Error(`The agents of AGENT_CLI_FILE cannot be used. ${why}`)
  }
  const byId = new Map([...known, ...own].map((agent) => [agent.id, agent]))
  return [...byId.values()]
}
