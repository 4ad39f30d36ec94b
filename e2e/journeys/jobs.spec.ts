/** The jobs of everybody: an administrator sees what failed, and has it tried again. */
import { durableJobsRoutes } from '@atrium/contract/durable-jobs'
import { localRuntimeRoutes } from '@atrium/contract/local-runtime'
import { openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp()

test('an administrator finds what failed, has it tried again, and cancels what runs', async ({ visit }) => {
  const { provider, admin } = testApp
  provider.control({ pullSteps: 400, pullStepMs: 25 })
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
