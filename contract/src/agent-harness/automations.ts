/** What the daemon does by itself, again and again. */
import { z } from 'zod'
import { Time } from '../common.ts'
import { parseSchedule } from '../schedule.ts'
import { HarnessId } from './shapes.ts'

export const HarnessAutomationRoute = z.enum(['report', 'tui', 'telegram'])
export const HarnessAutomationStatus = z.enum(['active', 'paused'])

export const HarnessAutomation = z.strictObject({
  automationId: HarnessId,
  name: z.string(),
  prompt: z.string(),
  schedule: z.string(),
  route: HarnessAutomationRoute,
  status: HarnessAutomationStatus,
  provider: z.string().nullable(),
  model: z.string().nullable(),
  workingDirectory: z.string().nullable(),
  createdAt: Time.nullable(),
  updatedAt: Time.nullable(),
  nextRunAt: Time.nullable(),
  lastRunAt: Time.nullable(),
  lastRunId: HarnessId.nullable(),
  telegramChatId: z.string().nullable(),
  /** On the daemon's machine. */
  reportPath: z.string().nullable(),
})
export type HarnessAutomation = z.infer<typeof HarnessAutomation>

const Schedule = z
  .string()
  .trim()
  .max(200)
  .refine((text) => parseSchedule(text) !== null, {
    message: 'write `hourly`, `every N minutes`, `daily HH:MM`, `weekly <day> HH:MM` or five fields of cron',
  })

const fields = {
  name: z.string().trim().min(1).max(120),
  prompt: z.string().trim().min(1).max(100_000),
  schedule: Schedule,
  route: HarnessAutomationRoute,
  status: HarnessAutomationStatus,
  provider: z.string().trim().max(100),
  model: z.string().trim().max(200),
  telegramChatId: z
    .string()
    .regex(/^-?\d{1,32}$|^@\w{1,64}$/, 'write the id of a chat')
    .nullable(),
}

export const AutomationBody = z
  .strictObject({
    ...fields,
    route: fields.route.default('report'),
    status: fields.status.default('active'),
    provider: fields.provider.optional(),
    model: fields.model.optional(),
    telegramChatId: fields.telegramChatId.optional(),
  })
  .refine(({ route, telegramChatId }) => route !== 'telegram' || Boolean(telegramChatId), {
    message: 'a report to Telegram needs a chat id',
    path: ['telegramChatId'],
  })

export const AutomationChange = z.strictObject(fields).partial()
