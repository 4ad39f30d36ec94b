/** The audit: read, narrowed down, checked and saved by an administrator; by hand, by keyboard, on a phone, in Arabic. */
import { accountsRoutes } from '@atrium/contract/accounts'
import { settingsRoutes } from '@atrium/contract/settings'
import { createClient } from '../../server/src/testing/client.ts'
import { openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, onlyInAll, test } from '../harness/test.ts'

const testApp = openTestApp()

test('what happened stands in the audit, can be narrowed down, checked and saved', async ({ visit }) => {
  const guest = createClient(testApp.url)
  await guest.answer(accountsRoutes.login, { body: { username: 'ann', password: 'not the right one' } })
  await testApp.admin.api.call(settingsRoutes.updateInstance, { body: { signupEnabled: true } })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/audit')
  const entries = page.getByRole('region', { name: 'Entries' }).getByRole('listitem')
  await expect(entries.filter({ hasText: 'Setting changed' })).toContainText('by ann')
  await expect(entries.filter({ hasText: 'Failed' })).toContainText('Sign-in by someone not signed in · ann')
  await look(page, 'audit', { themes: ['light', 'dark', 'contrast'] })

  await entries.filter({ hasText: 'Setting changed' }).locator('summary').click()
  await expect(entries.filter({ hasText: 'Setting changed' })).toContainText('signupEnabled')
  await page.getByRole('combobox', { name: 'Result' }).selectOption({ label: 'Failed' })
  await expect(entries).toHaveCount(1)
  await page.getByRole('combobox', { name: 'Event' }).selectOption({ label: 'Sharing and access' })
  await expect(page.getByText('No matching entries')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(entries.filter({ hasText: 'Setting changed' })).toHaveCount(1)

  await page.getByRole('searchbox', { name: 'Search entries' }).fill('setting changed')
  await expect(entries).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Search entries' }).fill('signupEnabled')
  await expect(entries).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Search entries' }).fill('')

  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'nothing was changed' })).toBeVisible()
  await page.getByRole('button', { name: 'Export' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/)
})

test(
  'an entry is opened and narrowed down to its person by keyboard alone, on a phone, in Arabic',
  onlyInAll,
  async ({ visit }) => {
    await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'ar' } })
    const page = await visit(testApp, testApp.admin, { viewport: { width: 360, height: 740 } })
    await page.goto('/settings/audit')
    await page.locator('summary').first().focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: /ann.? فقط$/ })).toBeVisible()
    await look(page, 'audit-arabic', { themes: ['dark'] })
    await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'en' } })
  },
)
