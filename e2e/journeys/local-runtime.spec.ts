/** The local runtime: downloads, models that are copied and made, memory, and how everybody sees models. */
import { localRuntimeRoutes } from '@atrium/contract/local-runtime'
import type { Page } from '@playwright/test'
import { openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp()
const open = async (page: Page) => {
  await page.goto('/settings/connections')
  await expect(page.getByText(/^Running, version/)).toBeVisible()
}
const rows = (page: Page) => page.locator('#runtime-models').getByRole('listitem')
const row = (page: Page, name: string) => rows(page).filter({ hasText: name })
/** Picks from the menu of a model. */
const pick = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('downloads a model with its progress, stops a download, and deletes a model', async ({ visit }) => {
  const { provider } = testApp
  const page = await visit(testApp, testApp.admin)
  await open(page)
  await expect(page.getByText('Set by environment variable OLLAMA_BASE_URL')).toBeVisible()

  const name = page.getByLabel('Download a model')
  // A hundred seconds, which are not waited for.
  provider.control({ pullSteps: 400, pullStepMs: 250 })
  await name.fill('endless:7b')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const progress = page.getByRole('progressbar', { name: 'Downloading endless:7b' })
  await expect.poll(() => progress.evaluate((bar: { value: number }) => bar.value)).toBeGreaterThan(0.01)

  // A download belongs to the server: the page may go and come back.
  await page.reload()
  await expect.poll(() => progress.evaluate((bar: { value: number }) => bar.value)).toBeGreaterThan(0.02)
  await look(page, 'runtime')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(progress).toHaveCount(0)
  await expect.poll(() => provider.requests.findLast(({ path }) => path === '/api/pull')?.ended).toBe('aborted')

  provider.control({ pullSteps: 3, pullStepMs: 20 })
  await name.fill('small:1b')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await expect(row(page, 'small:1b')).toBeVisible()
  await pick(page, 'small:1b', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row(page, 'small:1b')).toHaveCount(0)
})

test('copies a model, makes one from another, shows what it is, and brings all up to date', async ({ visit }) => {
  const { provider } = testApp
  provider.control({ pullSteps: 2, pullStepMs: 5 })
  const page = await visit(testApp, testApp.admin)
  await open(page)
  await pick(page, 'echo:latest', 'Copy…')
  const copy = page.getByRole('dialog', { name: 'Copy “echo:latest”' })
  await copy.getByRole('button', { name: 'Copy' }).click()
  await expect(copy.getByText('Enter a name without spaces.')).toBeVisible()
  await copy.getByLabel('Name of the copy').fill('mine')
  await page.keyboard.press('Enter')
  await expect(row(page, 'mine:latest')).toBeVisible()

  await pick(page, 'mine:latest', 'Create a model from this…')
  const make = page.getByRole('dialog', { name: 'Create a model' })
  await expect(make.getByLabel('Base model')).toHaveValue('mine:latest')
  await make.getByLabel('Name').fill('brief')
  await make.getByLabel('System prompt').fill('Answer in one sentence.')
  await make.getByLabel('Temperature').fill('7')
  await make.getByRole('button', { name: 'Create' }).click()
  await expect(make.getByText('Enter a number from 0 to 2.')).toBeVisible()
  await look(page, 'runtime-make')
  await make.getByLabel('Temperature').fill('0.2')
  await make.getByRole('button', { name: 'Create' }).click()
  await expect(row(page, 'brief:latest')).toBeVisible()
  await pick(page, 'brief:latest', 'Details')
  const details = page.getByRole('dialog', { name: 'brief:latest' })
  await expect(details.getByText('Answer in one sentence.')).toBeVisible()
  await expect(details.getByText('temperature 0.2')).toBeVisible()
  await look(page, 'runtime-details')
  await details.getByRole('button', { name: 'Close' }).last().click()

  await page.getByRole('button', { name: 'Update all' }).click()
  await expect(page.getByText('All models checked for updates.')).toBeVisible()
  expect(provider.requests.filter(({ path, model }) => path === '/api/pull' && model === 'long:latest')).toHaveLength(1)
})

test('frees memory, of one model and of all', async ({ visit }) => {
  const { provider } = testApp
  for (const model of ['echo', 'long', 'thinker'])
    await fetch(`${provider.url}/api/chat`, { method: 'POST', body: JSON.stringify({ model, messages: [] }) })
  const page = await visit(testApp, testApp.admin)
  await open(page)
  await expect(row(page, 'thinker:latest')).toContainText(/50% in GPU memory · unloads in \d minutes/)
  await pick(page, 'thinker:latest', 'Unload')
  await expect(row(page, 'thinker:latest')).not.toContainText('In memory')
  await page.getByRole('button', { name: 'Unload all' }).click()
  await expect(page.getByText(/In memory/)).toHaveCount(0)
})

test('an administrator hides, names, orders and recommends models, and everybody sees them so', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await open(page)
  await pick(page, 'markdown:latest', 'Hide from members')
  await expect(row(page, 'markdown:latest')).toContainText('Hidden')
  await pick(page, 'long:latest', 'Rename…')
  await page.getByLabel('Display name').fill('The long reader')
  await page.keyboard.press('Enter')
  await expect(row(page, 'long:latest')).toContainText('The long reader')
  await pick(page, 'thinker:latest', 'Recommend')
  await expect(rows(page).first()).toContainText('thinker:latest')
  await pick(page, 'markdown:latest', 'Move up')
  await expect(rows(page).nth(1)).toContainText('markdown:latest')

  const bob = await testApp.account('bob')
  const theirs = await visit(testApp, bob)
  await theirs.goto('/')
  await theirs.getByRole('button', { name: /^Model/ }).click()
  const picker = theirs.getByRole('dialog')
  await expect(picker.getByText('The long reader')).toBeVisible()
  await expect(picker.getByText('markdown', { exact: true })).toHaveCount(0)
})

test('members download where an administrator lets them, and have nothing else of it', async ({ visit }) => {
  const { provider } = testApp
  provider.control({ pullSteps: 2, pullStepMs: 5 })
  const carol = await testApp.account('carol')
  const page = await visit(testApp, carol)
  await page.goto('/settings/connections')
  await expect(page.getByRole('heading', { name: 'Providers', exact: true })).toBeVisible()
  await expect(page.getByLabel('Download a model')).toHaveCount(0)
  const admin = await visit(testApp, testApp.admin)
  await open(admin)
  await admin.getByRole('radio', { name: 'Everyone' }).click({ force: true })
  await expect
    .poll(() => carol.api.call(localRuntimeRoutes.pullAccess, {}))
    .toEqual({ mode: 'all-users', allowed: true })
  await page.reload()
  await page.getByLabel('Download a model').fill('little')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await expect(page.getByText('little is ready.')).toBeVisible()
  await expect(page.locator('#runtime-models')).toHaveCount(0)
})

test('works on a phone, in the dark, and tells when nothing answers', async ({ visit }) => {
  const { provider } = testApp
  const page = await visit(testApp, testApp.admin, phone)
  await open(page)
  await page.locator('#runtime-models').scrollIntoViewIfNeeded()
  const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect(wide).toBe(0)
  await look(page, 'runtime-phone')
  await provider.close()
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(page.getByRole('alert')).toContainText('No Ollama server found at')
  await expect(page.locator('#runtime-models')).toHaveCount(0)
})

test.describe('where the environment says nothing of the runtime', () => {
  const free = openTestApp({ runtime: false, environment: { OLLAMA_BASE_URL: '' } })

  test('an address that was just typed holds when the switch is clicked next', async ({ visit }) => {
    const { provider } = free
    const page = await visit(free, free.admin)
    await page.goto('/settings/connections')
    const address = page.getByLabel('Address', { exact: true })
    await address.fill(`${provider.url}/`)
    // The click leaves the field, which saves it, and saves the switch in the same moment.
    await page.getByRole('switch', { name: 'Use the local runtime' }).click()
    await expect(page.getByText(/^Running, version/)).toBeVisible()
    await expect(address).toHaveValue(provider.url)
    await page.reload()
    await expect(address).toHaveValue(provider.url)
  })
})
