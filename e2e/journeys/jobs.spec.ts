/** The jobs of everybody: an administrator sees what failed, and has it tried again. */
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { localRuntimeRoutes } from '@atrium/contract/local-runtime'
import { openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp()

test('an administrator finds what failed, has it tried again, and cancels what runs', async ({ visit }) => {
  const { provider, admin } = testApp
  provider.control({ pullSteps: 400, pullStepMs: 250 })
  const { id } = await admin.api.call(localRuntimeRoutes.pull, { body: { name: 'endless:7b' } })
  const page = await visit(testApp, admin)
  await page.goto('/settings/jobs')
  const entries = page.getByRole('region', { name: 'All jobs' }).getByRole('listitem')
  const pull = entries.filter({ hasText: 'Download model' })
  await expect(pull).toContainText('Running')
  await expect(pull).toContainText(admin.user.username)
  await expect(page.getByText('endless:7b')).toHaveCount(0)
  await pull.locator('summary').click()
  await expect(pull).toContainText('Process')
  await look(page, 'jobs', { themes: ['light', 'dark', 'contrast'] })

  await pull.getByRole('button', { name: /^Cancel/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click()
  await expect(pull).toContainText('Cancelled')
  expect((await admin.api.call(durableJobsRoutes.read, { params: { id } })).state).toBe('cancelled')

  await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Failed' })
  await expect(page.getByRole('heading', { name: 'No jobs' })).toBeVisible()
  const gone = await admin.api.call(localRuntimeRoutes.pull, { body: { name: 'absent:1b' } })
  const again = pull.getByRole('button', { name: /^Try again/ })
  await expect(again).toBeVisible()
  await page.setViewportSize(phone.viewport)
  await pull.locator('summary').click()
  await look(page, 'jobs-phone', { themes: ['light'] })
  const answer = page.waitForResponse('**/api/jobs/*/retry')
  await again.click()
  expect((await answer).status()).toBe(200)
  await expect
    .poll(async () => (await admin.api.call(durableJobsRoutes.read, { params: { id: gone.id } })).state)
    .toBe('failed')
})

test('an administrator pauses a type, runs what recurs, and dismisses a failed job at its address', async ({
  visit,
}) => {
  const { admin } = testApp
  const gone = await admin.api.call(localRuntimeRoutes.pull, { body: { name: 'absent:2b' } })
  await expect
    .poll(async () => (await admin.api.call(durableJobsRoutes.read, { params: { id: gone.id } })).state)
    .toBe('failed')
  const page = await visit(testApp, admin)
  await page.goto('/settings/jobs')
  await page.getByRole('button', { name: 'Pause: Download model' }).click()
  const kinds = page.getByRole('region', { name: 'Jobs by type' })
  await expect(kinds.getByRole('row', { name: /Download model Paused/ })).toBeVisible()
  await page.getByRole('button', { name: 'Resume: Download model' }).click()
  await expect(kinds.getByText('Paused', { exact: true })).toHaveCount(0)

  const tries = async () =>
    (await admin.api.call(durableJobsRoutes.attempts, { params: { id: 'every:house.tidy' } })).attempts.length
  const before = await tries()
  await page.locator('#recurring').getByRole('button', { name: 'Run now: Cleanup' }).click()
  await expect.poll(tries).toBeGreaterThan(before)

  await page.goto(`/settings/jobs/${gone.id}`)
  await expect(page.getByText('What to do')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Attempts' }).getByText('Failed').first()).toBeVisible()
  await page.setViewportSize(phone.viewport)
  await look(page, 'job-phone', { themes: ['light', 'dark'] })
  await page.getByRole('button', { name: 'Dismiss: Download model' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss job' }).click()
  await expect(page).toHaveURL(/\/settings\/jobs$/)
  expect((await admin.api.refusal(durableJobsRoutes.read, { params: { id: gone.id } })).code).toBe('job_not_found')

  await admin.api.call(localRuntimeRoutes.pull, { body: { name: 'absent:3b' } })
  await page.goto('/settings/activity')
  await expect(page.getByRole('region', { name: 'Activity' }).getByRole('listitem').first()).toContainText(
    'Download model',
  )
  await look(page, 'activity-phone', { themes: ['light'] })
})
