/** What is wrong with the instance, told to administrators wherever they are. */
import { makeCertificate } from '../../server/src/testing/certificate.ts'
import { openTestApp, password } from '../harness/test-app.ts'
import { createServer } from 'node:tls'
import type { Page } from '@playwright/test'
import { look } from '../harness/look.ts'
import { expect, test } from '../harness/test.ts'

/**
 * The public address, as it were: what answers there has a certificate that is over. Its port is one that no system gives
 * to connections of its own accord, and beside those of the apps.
 */
const port = 31_000 + (process.pid % 1000)
const server = createServer(makeCertificate({ until: Date.UTC(2021, 0, 1) }))
test.beforeAll(() => new Promise<void>((resolve) => server.listen(port, 'localhost', resolve)))
test.afterAll(() => void server.close())

const testApp = openTestApp({ environment: { BASE_URL: `https://localhost:${port}` } })

test('administrators see a line that leads to what is wrong, and others do not', async ({ visit }) => {
  const page = await visit(testApp, null, { own: true })
  await signIn(page, 'ann')
  await expect(page.getByRole('banner')).toContainText('1 problem needs an administrator.')
  await page.getByRole('link', { name: 'See what to do' }).click()
  const open = page.getByRole('region', { name: 'Open problems' })
  await expect(open).toContainText('The certificate of localhost expired')
  await expect(page.getByRole('link', { name: /^Running answers/ })).toContainText('1 process')
  await expect(page.getByRole('link', { name: /^Certificate/ })).toContainText('Not trusted')
  await look(page, 'overview', { themes: ['light', 'dark'] })
  // The doctor may take a while.
  await page.route('**/api/system/doctor', async (route) => {
    await page.waitForTimeout(2500)
    await route.continue()
  })
  await open.getByRole('link', { name: 'How to fix it' }).click()
  await expect(page).toHaveURL(/\/settings\/doctor#certificate$/)
  await expect(page.locator('#certificate')).toHaveClass(/anim-flash/)
  await expect(page.getByText('WebSockets open.')).toBeVisible()
  await look(page, 'alerts', { themes: ['light', 'dark'] })
  // While nobody knows whether there are problems, none is denied.
  await page.route('**/api/system/alerts', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto('/settings/overview')
  await expect(page.getByText('Couldn’t load the open problems')).toBeVisible()
  await expect(page.getByText('No open problems.')).toBeHidden()
  await page.unroute('**/api/system/alerts')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(open).toContainText('The certificate of localhost expired')
  // A household without a mail server need not see for ever that it has none.
  const setup = page.getByRole('heading', { name: 'Finish setting up' })
  await expect(setup).toBeVisible()
  const press = async (name: string) => {
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/api/preferences'))
    await page.getByRole('button', { name }).click()
    await saved
  }
  await press('Hide')
  await expect(setup).toBeHidden()
  await press('Undo')
  await expect(setup).toBeVisible()
  await press('Hide')
  await page.reload()
  await expect(open).toBeVisible()
  await expect(setup).toBeHidden()
  await testApp.account('ben')
  const ben = await visit(testApp, null)
  await signIn(ben, 'ben')
  await expect(ben.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await expect(ben.getByRole('banner')).not.toContainText('administrator')
})

/** By the form, as the session's cookie is one for https here. */
async function signIn(page: Page, username: string) {
  await page.goto('/')
  await page.getByRole('textbox', { name: 'User name' }).fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
