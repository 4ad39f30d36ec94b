/** What everybody sees of the workspace: its name and logo, and what is told in banners. */
import { type Account, openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, smallPicture, test } from '../harness/test.ts'

const testApp = openTestApp()
let ben: Account
test.beforeAll(async () => {
  ben = await testApp.account('ben')
})

test('a banner is on open pages at once, is put away, and comes again when it changes', async ({ visit }) => {
  const [page, theirs] = [await visit(testApp, testApp.admin), await visit(testApp, ben)]
  await theirs.goto('/')
  await page.goto('/settings/branding')
  await page.getByRole('button', { name: 'Add banner' }).click()
  const window = page.getByRole('dialog', { name: 'Add banner' })
  await window.getByRole('button', { name: 'Publish' }).click()
  await expect(window.getByText('Enter the text.')).toBeVisible()
  await window.getByRole('textbox', { name: /^Text/ }).fill('Down at nine, see https://status.example.org/today.')
  await window.getByRole('radio', { name: 'Warning' }).check()
  await window.getByLabel('Show it on the sign-in page too').check()
  await look(page, 'banner-form')
  await window.getByRole('button', { name: 'Publish' }).click()
  const banner = theirs.getByRole('banner').getByRole('region', { name: 'Warning' })
  await expect(banner).toContainText('Down at nine')
  await expect(banner.getByRole('link')).toHaveAttribute('href', 'https://status.example.org/today')
  await look(theirs, 'banner')
  await banner.getByRole('button', { name: 'Dismiss' }).click()
  await expect(banner).toHaveCount(0)
  await theirs.reload()
  await expect(theirs.getByRole('main')).toBeVisible()
  await expect(banner).toHaveCount(0)

  const item = page.getByRole('listitem').filter({ hasText: 'Down at nine' })
  await expect(item).toContainText('Showing')
  await item.getByRole('button', { name: /^Edit banner/ }).click()
  const edit = page.getByRole('dialog', { name: 'Edit banner' })
  await edit.getByRole('textbox', { name: /^Text/ }).fill('Down at ten')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(banner).toContainText('Down at ten')
})

test('the workspace has its own name and logo, in titles and for visitors', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/branding')
  await page.getByLabel('Workspace name').fill('Harbour House')
  await page.getByLabel('Workspace name').press('Enter')
  await expect(page).toHaveTitle(/Harbour House$/)
  await page.locator('#logo input[type=file]').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: smallPicture,
  })
  await expect(page.locator('#logo').getByRole('button', { name: 'Remove logo' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main navigation' }).locator('img').first()).toBeVisible()
  await look(page, 'branding')

  const visitor = await visit(testApp, null)
  await visitor.goto('/sign-in')
  await expect(visitor).toHaveTitle(/Harbour House$/)
  await expect(visitor.getByRole('heading', { name: 'Sign in to Harbour House' })).toBeVisible()
  await expect(visitor.getByRole('main').locator('img').first()).toBeVisible()
  await expect(visitor.getByRole('region', { name: 'Warning' })).toContainText('Down at ten')
  await look(visitor, 'sign-in-branded')
})
