/** Web search: set up by an administrator, tried, used for a question, and kept from those who may not. */
import { webSearchRoutes } from '@atrium/contract/web-search'
import { openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp({ runtime: false })

test('an administrator chooses an engine of the own network, and tries it', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/web-search')
  await expect(page.getByRole('switch', { name: 'Web search' })).not.toBeChecked()
  await look(page, 'web-search-off')
  await page.getByRole('textbox', { name: 'Address' }).fill(testApp.provider.url)
  await page.getByRole('textbox', { name: 'Address' }).press('Enter')
  await expect(page.getByText('An administrator can allow exactly this host and port.')).toBeVisible()
  await page.getByRole('button', { name: `Allow ${testApp.provider.address} and save` }).click()
  await expect(page.getByText('An administrator can allow exactly this host and port.')).toHaveCount(0)
  await page.getByRole('switch', { name: 'Web search' }).click()
  await page.getByRole('button', { name: 'Test engine' }).click()
  await expect(page.getByText(/^It works: 3 results in/)).toBeVisible()
  await look(page, 'web-search-on')
  await page.getByRole('combobox', { name: 'Engine', exact: true }).selectOption({ label: 'Tavily' })
  await expect(page.getByText('Turned on, but the engine still needs its address or key.')).toBeVisible()
  await page.getByLabel('API key', { exact: true }).fill('tvly-secret')
  await page.getByRole('button', { name: 'Save key' }).click()
  await expect(page.getByText('A key is saved. It’s never shown again.')).toBeVisible()
  await expect(page.locator('body')).not.toContainText('tvly-secret')
  await page
    .getByRole('combobox', { name: 'Engine', exact: true })
    .selectOption({ label: 'Any engine with a JSON API' })
  await expect(page.getByRole('heading', { name: 'API request' })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await look(page, 'web-search-json')
})

test('only those who may search see the globe', async ({ visit }) => {
  await testApp.admin.api.call(webSearchRoutes.updateConfig, {
    body: { enabled: true, engine: 'searxng', url: testApp.provider.url, allowPrivate: true },
  })
  const vera = await testApp.account('vera')
  const page = await visit(testApp, vera)
  await page.goto('/')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Web search:/ })).toHaveCount(0)
  await testApp.admin.api.call(webSearchRoutes.updateAccess, { body: { mode: 'all-users' } })
  await page.reload()
  await expect(page.getByRole('button', { name: /^Web search:/ })).toBeVisible()
})
