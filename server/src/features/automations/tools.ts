/** What models may do with the automations of an account: list them, make one, and pause one. Changes ask first. */
import { AutomationContent, type Automation, type automationsRoutes } from '@atrium/contract/automations'
import { z } from 'zod'
import { type Tool, defineTool } from '../../platform/areas/tool.ts'
import { nameLine } from '../../platform/areas/tool-text.ts'
import type { Handlers } from '../../platform/http/area.ts'
import { callFor } from '../../platform/http/on-behalf.ts'

type Used = Pick<Handlers<typeof automationsRoutes>, 'list' | 'create' | 'pause'>

const mostListed = 100
/** What a line tells of one. */
type Line = Pick<Automation, 'id' | 'name' | 'status' | 'nextRunAt' | 'lastRun'>

const { name: Name, instructions: Instructions } = AutomationContent.shape

export const automationTools = (handlers: Used): Tool[] => [
  defineTool({
    name: 'list_automations',
    description: 'Lists the user’s automations: what each does, when it runs next, and how its last run ended.',
    arguments: z.strictObject({}),
    sideEffect: false,
    readsPrivateData: true,
    readsForeignText: false,
    sendsData: false,
    async run(_args, { accountId, signal }) {
      const { items } = await callFor({ accountId, signal, resource: null }, handlers.list, {})
      if (items.length === 0) return { text: 'The user has no automations.' }
      const rest = items.length - mostListed
      return {
        text: [...items.slice(0, mostListed).map(toLine), ...(rest > 0 ? [`There are ${rest} more.`] : [])].join('\n'),
      }
    },
  }),

  defineTool({
    name: 'create_automation',
    description:
      'Creates an automation: instructions that a model follows later by itself, in a new chat, with no tools. Without a schedule, it runs when the user starts it.',
    arguments: z.strictObject({
      name: Name,
      instructions: Instructions.describe('What the model is asked each time'),
      schedule: z
        .string()
        .trim()
        .min(9)
        .max(200)
        .optional()
        .describe('Five fields of cron: minute, hour, day of the month, month, day of the week'),
      time_zone: z.string().max(100).default('UTC').describe('Of the schedule, such as Europe/Lisbon'),
    }),
    sideEffect: true,
    readsPrivateData: false,
    readsForeignText: false,
    sendsData: false,
    async run({ name, instructions, schedule, time_zone: timeZone }, { accountId, signal }) {
      const triggers = schedule === undefined ? [] : [{ kind: 'cron' as const, expression: schedule, timeZone }]
      const read = AutomationContent.safeParse({ name, instructions, triggers })
      if (!read.success) return { text: 'There is no such time zone or schedule.', isError: true }
      const made = await callFor({ accountId, signal, resource: null }, handlers.create, { body: read.data })
      return { text: `Created: ${toLine(made)}` }
    },
  }),

  defineTool({
    name: 'pause_automation',
    description: 'Pauses an automation of the user, so that nothing starts it until they resume it.',
    arguments: z.strictObject({
      id: z.string().trim().min(1).max(100).describe('As list_automations gives it'),
    }),
    sideEffect: true,
    readsPrivateData: false,
    readsForeignText: false,
    sendsData: false,
    async run({ id }, { accountId, signal }) {
      const behalf = { accountId, signal, resource: null }
      const paused = await callFor(behalf, handlers.pause, { params: { automationId: id } })
      return { text: `Paused: ${nameLine(paused.name)}` }
    },
  }),
]

const toLine = ({ id, name, status, nextRunAt, lastRun }: Line): string =>
  [
    `${nameLine(name)} (id ${id})`,
    status === 'paused' ? 'paused' : nextRunAt === null ? 'runs when started' : `runs next ${nextRunAt}`,
    ...(lastRun ? [`last run ${lastRun.state}, ${lastRun.scheduledFor}`] : []),
  ].join('; ')
