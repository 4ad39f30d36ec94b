/** Backups: a folder where they are kept, tried before it is needed. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settingsRoutes } from '@atrium/contract/settings'
import { look } from '../harness/look.ts'
import { openTestApp } from '../harness/test-app.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp()

test('a folder is named and tried, and gets a backup; in Arabic on a phone, too', async ({ visit }) => {
  const folder = join(await mkdtemp(join(tmpdir(), 'backups-')), 'atrium')
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/backups')
  await expect(page.getByText('No destinations yet')).toBeVisible()
  await page.getByRole('button', { name: 'Add a destination' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Second disk')
  await form.getByLabel('Path').fill(folder)
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Test Second disk' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Backups can be stored there' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Test of Second disk' }).getByText('Passed')).toHaveCount(6)
  await page.getByRole('button', { name: 'Back up now' }).click()
  await expect(page.getByText('Backup complete.')).toBeVisible()
  await expect(page.locator('#list').getByText('Second disk')).toBeVisible()
  await page.getByRole('button', { name: 'Run drill now' }).click()
  await expect(page.locator('#drills').getByText('Passed').first()).toBeVisible()
  await page.getByLabel('Hours').fill('12')
  await page.locator('#retention').getByRole('button', { name: 'Save' }).click()
  await expect(page.locator('#retention').getByRole('button', { name: 'Save' })).toBeDisabled()
  await expect(page.getByLabel('Hours')).toHaveValue('12')
  await page.getByRole('button', { name: 'Create recovery key' }).click()
  await expect(page.getByRole('dialog').getByText('Emergency kit')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByText('Not confirmed yet.')).toBeVisible()
  await look(page, 'backups', { themes: ['light', 'dark'] })

  await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'ar' } })
  const phone = await visit(testApp, testApp.admin, { viewport: { width: 360, height: 740 } })
  await phone.goto('/settings/backups')
  await expect(phone.getByText(folder)).toHaveAttribute('dir', 'ltr')
  await look(phone, 'backups-arabic', { themes: ['dark'] })
})
