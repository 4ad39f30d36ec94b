/** Tools that models use: who may, what runs without a question, what an answer did, and what a person decides. */
import { settingsRoutes } from '@atrium/contract/settings'
import { look } from '../harness/look.ts'
import { openTestApp } from '../harness/test-app.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp()

test('an administrator chooses who has tools, and which of them ask', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/tool-access')
  const policy = page.getByRole('combobox', { name: 'Search documents' })
  await expect(policy).toHaveValue('allow')
  await policy.selectOption({ label: 'Ask first' })
  await expect(page.getByText('Saved')).toBeVisible()
  await look(page, 'tools-access', { themes: ['light', 'dark'] })
  await page.reload()
  await expect(policy).toHaveValue('ask')
  await page.getByText('Nobody', { exact: true }).click()
  await expect(page.getByText('Tools are off. Turn them on to see what there is.')).toBeVisible()
  await page.getByText('Everyone', { exact: true }).click()
  await expect(policy).toHaveValue('ask')

  await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'ar' } })
  await page.setViewportSize(phone.viewport)
  await expect(page.getByText('الأدوات المدمجة')).toBeVisible()
  await look(page, 'tools-access-phone-arabic', { themes: ['light'] })
  await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'en' } })
})
