/** Agents that are installed on the server, and who may talk to them. */
import { z } from 'zod'
import { area } from '../area.ts'
import { Audience, GroupIds, Selection } from '../common.ts'
import { routes } from '../route.ts'
import { agentCliDescription } from './area.ts'

/** One model of an agent that is installed. */
export const AgentModel = z.strictObject({
  /** `<agentId>`, or `<agentId>:<model>`. */
  id: z.string(),
  name: z.string(),
  agentId: z.string(),
  selection: Selection,
  command: z.string(),
  /** Where the command was found. */
  binaryPath: z.string(),
  /** What it says of its version; null until it was asked, and where it did not answer. */
  version: z.string().nullable(),
  state: z.enum(['not-checked', 'ready', 'unreachable']),
  /** Whether it asks for permission in the chat, is started so that it can only read, or goes by its own settings. */
  permissions: z.enum(['ask', 'read-only', 'own']),
  /** Why it cannot be used, in words; null when it can. */
  detail: z.string().nullable(),
})
export type AgentModel = z.infer<typeof AgentModel>

/** Administrators always may. */
export const AgentAudience = Audience
export type AgentAudience = Audience

const Access = z.strictObject({
  enabled: z.boolean(),
  /** The environment says whether agents are offered. */
  lockedByEnv: z.boolean(),
  audience: AgentAudience,
  /** Whose members may, where the audience is groups. */
  groupIds: GroupIds,
})
export type AgentAccess = z.infer<typeof Access>

export const agentCliRoutes = routes({
  models: {
    method: 'get',
    path: '/api/agent-clis/models',
    access: 'user',
    summary: 'List the agents installed on the server, with their models. Empty if you can’t use them',
    returns: z.strictObject({ items: z.array(AgentModel), nextCursor: z.null() }),
  },
  access: {
    method: 'get',
    path: '/api/agent-clis/access',
    access: 'admin',
    summary: 'Get whether agents are offered, and to whom',
    returns: Access,
  },
  updateAccess: {
    method: 'put',
    path: '/api/agent-clis/access',
    access: 'admin',
    audit: 'setting.change',
    proof: true,
    summary: 'Set whether agents are offered, and to whom. They run with the rights of the server’s own user',
    body: Access.omit({ lockedByEnv: true }).partial(),
    returns: Access,
    errors: ['setting_locked'],
  },
})

export const agentCliArea = area(agentCliDescription, { routes: agentCliRoutes, shapes: { AgentModel } })
