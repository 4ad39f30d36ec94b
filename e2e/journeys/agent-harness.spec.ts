/** The agent daemon, driven from its page by an administrator. */
import { agentHarnessRoutes } from '@atrium/contract/agent-harness'
import { settingsRoutes } from '@atrium/contract/settings'
import type { Page } from '@playwright/test'
import { type AgentDaemon, startAgentDaemon } from '../agent-daemon/daemon.ts'
import { look } from '../harness/look.ts'
import { openTestApp } from '../harness/test-app.ts'
import { expect, onlyInAll, phone, test } from '../harness/test.ts'

// Below the ports that systems give out by themselves, and beside those of the apps.
const port = 30_000 + (process.pid % 1000)
const testApp = openTestApp({ runtime: false, environment: { HARNESS_BASE_URL: `http://127.0.0.1:${port}` } })
let daemon: AgentDaemon | undefined

test.afterAll(() => daemon?.close())

test('a run is started, asks, is answered and followed; automations are kept', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Agents' }).click()
  await expect(page.getByText('Can’t reach the daemon')).toBeVisible()
  await look(page, 'harness-away', { themes: ['light'] })

  daemon = await startAgentDaemon({ port })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()
  await expect(page.getByText('No runs yet')).toBeVisible()
  await look(page, 'harness-empty', { themes: ['light'] })

  await page.getByRole('textbox', { name: 'Task' }).fill('ask before you look')
  await page.getByText('Goal', { exact: true }).click()
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Start' }).click()
  const card = page.getByRole('group', { name: 'Permission for shell' })
  await expect(card).toContainText('ls --all')
  await look(page, 'harness-permission', { themes: ['light', 'dark', 'contrast'] })
  await page.setViewportSize(phone.viewport)
  await look(page, 'harness-phone', { themes: ['light', 'dark'] })
  await card.getByRole('button', { name: 'Allow once' }).click()
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await expect(timeline).toContainText('I looked at it. It is done.')
  await expect(timeline).toContainText('The run ended: Done')
  await expect(timeline).toContainText('Allowed once')
  await expect(page.getByRole('region', { name: 'Artifacts' })).toContainText('summary.md')
  await page.setViewportSize({ width: 1280, height: 800 })
  await look(page, 'harness-run', { themes: ['light', 'dark'] })

  await page.getByRole('tab', { name: 'Automations' }).click()
  await page.getByRole('button', { name: 'New automation' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Morning')
  await page.getByRole('textbox', { name: 'Task' }).fill('Read the news')
  await page.getByRole('textbox', { name: 'Schedule' }).fill('weekly friday 17:30')
  await expect(page.getByText('Every week, Friday at 5:30 PM')).toBeVisible()
  await page.getByRole('button', { name: 'Save' }).click()
  const automation = page.getByRole('listitem').filter({ hasText: 'Morning' })
  await expect(automation).toContainText(/Next in \d+ minutes|Next in 1 minute|Next now|Next in 1 hour/)
  await look(page, 'harness-automations', { themes: ['light', 'dark'] })
  await automation.getByRole('button', { name: 'Pause' }).click()
  await expect(automation).toContainText('Paused')

  await page.getByRole('tab', { name: 'Usage' }).click()
  await expect(page.getByText('Requests: 1.')).toBeVisible()
  await look(page, 'harness-usage', { themes: ['light'] })
  await page.getByRole('tab', { name: 'Configuration' }).click()
  await expect(page.getByRole('textbox', { name: 'Model' })).toHaveValue('qwen3:8b')
  await look(page, 'harness-configuration', { themes: ['light', 'dark'] })

  await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'ar' } })
  await page.getByRole('tab').first().click()
  await expect(page.getByRole('heading', { name: 'الوكلاء', level: 1 })).toBeVisible()
  await page.setViewportSize(phone.viewport)
  await look(page, 'harness-phone-arabic', { themes: ['light'] })
  await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'en' } })
})

/** Allows what a run asks for, while somebody else denies it just before the page's answer reaches the daemon. */
async function allowTooLate(page: Page, runId: string): Promise<void> {
  const { pendingPermissions } = await testApp.admin.api.call(agentHarnessRoutes.readRun, { params: { id: runId } })
  await page.route('**/permissions/*', async (route) => {
    daemon?.decide(runId, pendingPermissions[0] ?? '', 'deny')
    await route.continue()
  })
  const card = page.getByRole('group', { name: 'Permission for shell' })
  await card.getByRole('button', { name: 'Allow once' }).click()
  await expect(page.getByText('shell was denied elsewhere.')).toBeVisible()
}

test('a permission that was answered elsewhere is told as such', async ({ visit }) => {
  daemon ??= await startAgentDaemon({ port })
  const run = await testApp.admin.api.call(agentHarnessRoutes.startRun, { body: { message: 'ask again' } })
  const page = await visit(testApp, testApp.admin, { own: true })
  await page.goto(`/harness?run=${run.runId}`)
  const card = page.getByRole('group', { name: 'Permission for shell' })
  await expect(card).toBeVisible()
  await allowTooLate(page, run.runId)
  await expect(card).toHaveCount(0)
})

test(
  'of a very long run its last part is shown, and what it asks can be read and answered',
  onlyInAll,
  async ({ visit }) => {
    daemon ??= await startAgentDaemon({ port })
    const body = { message: 'use 1500 tools, then ask' }
    const run = await testApp.admin.api.call(agentHarnessRoutes.startRun, { body })
    const page = await visit(testApp, testApp.admin)
    await page.goto(`/harness?run=${run.runId}`)
    const card = page.getByRole('group', { name: 'Permission for shell' })
    await expect(card).toContainText('ls --all')
    const timeline = page.getByRole('list', { name: 'Timeline' })
    await expect(timeline.getByRole('listitem')).toHaveCount(200)
    await page.getByRole('button', { name: /^Show earlier entries/ }).click()
    await expect(timeline.getByRole('listitem')).toHaveCount(400)
    await timeline.getByText('read', { exact: true }).first().click()
    await expect(timeline.getByText('.md"').first()).toBeVisible()
    await allowTooLate(page, run.runId)
  },
)

test('a run that asks for a great deal at once is answered piece by piece', onlyInAll, async ({ visit }) => {
  daemon ??= await startAgentDaemon({ port })
  const run = await testApp.admin.api.call(agentHarnessRoutes.startRun, { body: { message: 'ask 25 times' } })
  const page = await visit(testApp, testApp.admin, { own: true })
  await page.goto(`/harness?run=${run.runId}`)
  const cards = page.getByRole('group', { name: 'Permission for shell' })
  await expect(cards).toHaveCount(20)
  await expect(page.getByText('ask 25 times asks 5 more. They come as these are answered.')).toBeVisible()
  await cards.first().getByRole('button', { name: 'Deny' }).click()
  await expect(page.getByText('ask 25 times asks 4 more. They come as these are answered.')).toBeVisible()
  await testApp.admin.api.call(agentHarnessRoutes.cancelRun, { params: { id: run.runId } })
})

test('while the daemon is away, what it said last is shown as that', async ({ visit }) => {
  daemon ??= await startAgentDaemon({ port })
  const api = testApp.admin.api
  const run = await api.call(agentHarnessRoutes.startRun, { body: { message: 'wait for the end' } })
  await Promise.all([api.call(agentHarnessRoutes.runs, {}), api.call(agentHarnessRoutes.model, {})])
  await daemon.close()
  daemon = undefined
  const page = await visit(testApp, testApp.admin, { own: true })
  await page.goto(`/harness?run=${run.runId}`)
  await expect(page.getByText(/^Showing the status from/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'wait for the end' })).toBeVisible()
  await expect(page.getByText('The agent is working…')).toHaveCount(0)
  await page.getByRole('tab', { name: 'Configuration' }).click()
  await expect(page.getByRole('textbox', { name: 'Model' })).toHaveValue('qwen3:8b')
})
