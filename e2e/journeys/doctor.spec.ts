/** The doctor's page: what is well, what is not, and the lines that mend it. */
import { settingsRoutes } from '@atrium/contract/settings'
import { openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, onlyInAll, test } from '../harness/test.ts'

const testApp = openTestApp({ environment: { TRUST_PROXY: '1' } })

test('checks the server and the way to it, and shows the lines to change', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/doctor')
  const server = page.locator('#server')
  await expect(server.getByText('Database Passed')).toBeVisible()
  await expect(server.getByText('A message between processes arrived')).toBeVisible()
  const way = page.locator('#way')
  await expect(way.getByText('WebSockets open.')).toBeVisible()
  await expect(way.getByText(/^Ten events sent/)).toBeVisible()
  const proxies = way.getByRole('listitem').filter({ hasText: 'Proxies and client addresses' })
  await expect(proxies).toContainText('Problem')
  await expect(proxies).toContainText('proxy_set_header X-Forwarded-For')
  await proxies.getByRole('combobox').selectOption({ label: 'HAProxy' })
  await expect(proxies).toContainText('option forwardfor')
  await look(page, 'doctor', { themes: ['light', 'dark'] })
})

test('reads from right to left on a phone, with what the server says left as it is', onlyInAll, async ({ visit }) => {
  await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'ar' } })
  const page = await visit(testApp, testApp.admin, { viewport: { width: 360, height: 740 } })
  await page.goto('/settings/doctor')
  await expect(page.locator('#way').getByText('WebSockets open.')).toHaveAttribute('dir', 'ltr')
  await look(page, 'doctor-arabic', { themes: ['dark'] })
  await page.goto('/settings/overview')
  await expect(page.getByRole('link', { name: /^مهام جارية/ })).toBeVisible()
  await look(page, 'overview-arabic', { themes: ['light', 'dark'] })
})
