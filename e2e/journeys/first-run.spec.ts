/** The first two minutes of a server. */
import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsRoutes } from '@atrium/contract/accounts'
import { connectionsRoutes } from '@atrium/contract/connections'
import { createClient } from '../../server/src/testing/client.ts'
import { runRecoveryCommand } from '../../server/src/testing/recovery-command.ts'
import { startAtrium } from '../atrium.ts'
import { openTestApp, password } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { expect, test } from '../harness/test.ts'
import { startProvider } from '../provider/provider.ts'

test.describe('with a model at an address', () => {
  const testApp = openTestApp({ ownProcess: true, empty: true, runtime: false })

  test('a fresh server leads from its administrator over a model to a first answer', async ({ visit }) => {
    const page = await visit(testApp, null)
    await page.goto('/')
    await expect(page).toHaveURL('/welcome')
    await expect(page.getByRole('heading', { name: 'Set up Atrium' })).toBeVisible()
    await page.getByText('Restore a backup instead').click()
    await expect(page.getByText('npm run restore -- --from')).toBeVisible()
    await page.getByText('Restore a backup instead').click()
    await look(page, 'first-run')

    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await expect(page.getByText('7 more characters')).toBeVisible()
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('alert')).toContainText('12')
    await page.getByLabel('Password', { exact: true }).fill('password1234')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('alert')).toContainText('too easy to guess')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()

    await expect(page.getByRole('heading', { name: 'Connect a model' })).toBeVisible()
    // A base address without a name, as most people paste it: where the key goes, it is taken for what it is.
    await page.evaluate(`navigator.clipboard.writeText('${testApp.provider.url}/v1')`)
    await page.getByLabel('API key', { exact: true }).press('ControlOrMeta+v')
    await expect(page.getByLabel('Server address')).toHaveValue(`${testApp.provider.url}/v1`)
    await expect(page.getByLabel('Server address')).toBeFocused()
    await page.getByRole('button', { name: 'Connect', exact: true }).click()

    const asked = page.getByRole('alert')
    await expect(asked).toContainText('This address is in a private network')
    await expect(asked).toContainText(testApp.provider.address)
    await look(page, 'first-run-models', { themes: ['dark'] })
    await asked.getByRole('button', { name: 'Allow and connect' }).click()
    await expect(page.getByText('Models updated.')).toBeVisible()
    const steps = page.getByRole('list', { name: 'Test' })
    await expect(steps.getByRole('listitem').filter({ hasText: 'Authenticate' })).toContainText('passed')

    const first = page.getByRole('region', { name: 'Ask your first question' })
    await first.getByLabel('Question').fill('Who are you?')
    await first.getByRole('button', { name: 'Ask' }).click()
    await expect(first.getByRole('article')).toContainText('You said: Who are you?')
    await expect(first.getByRole('link', { name: 'Open this chat' })).toBeVisible()
    await look(page, 'first-run-answer', { themes: ['dark'] })
    await page.getByRole('button', { name: 'Start chatting' }).click()

    await expect(page).toHaveURL('/')
    await page.getByRole('textbox', { name: 'Message' }).fill('Is anybody there?')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByRole('article').last()).toContainText('You said: Is anybody there?')
  })

  test('a pasted key tells its provider, is tried, and a wrong one can be replaced at once', async ({ visit }) => {
    const client = createClient(testApp.url)
    const session = await client.call(accountsRoutes.login, { body: { username: 'ann', password } })
    if (!('token' in session)) throw new Error('this account has no second factor')
    const api = createClient(testApp.url, session.token)
    const provider = await startProvider()
    provider.control({ apiKey: 'sk-proj-right' })
    const variables = { endpoint: `${provider.url}/v1/chat/completions` }
    await api.call(connectionsRoutes.saveVariables, {
      params: { id: 'openai' },
      body: { variables, allowPrivate: true },
    })

    const page = await visit(testApp, { ...session, api })
    await page.goto('/welcome')
    const maker = page.getByLabel('Provider')
    const key = page.getByLabel('API key', { exact: true })
    await key.fill('a key without a known shape')
    await expect(maker).toHaveValue('')
    await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeDisabled()
    await key.fill('sk-ant-something')
    await expect(maker).toHaveValue('anthropic')
    await key.fill('sk-proj-wrong')
    await expect(maker).toHaveValue('openai')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(page.getByText('Couldn’t load models.')).toBeVisible()

    await page.getByRole('button', { name: 'Add another key' }).click()
    await key.fill('sk-proj-right')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    const steps = page.getByRole('list', { name: 'Test' })
    await expect(steps.getByRole('listitem').filter({ hasText: 'Authenticate' })).toContainText('passed')
    const first = page.getByRole('region', { name: 'Ask your first question' })
    await expect(first).toContainText('OpenAI')
    await first.getByRole('button', { name: 'Ask' }).click()
    await expect(first.getByRole('article')).toContainText('You said: Introduce yourself')
    await provider.close()
  })

  test('what was set up once is not offered to the next visitor', async ({ visit }) => {
    const page = await visit(testApp, null)
    await page.goto('/welcome')
    await expect(page).toHaveURL('/sign-in')
  })

  test('another fresh server takes its backup, and goes on as this one', async ({ visit }) => {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-e2e-backups-'))
    const environment = { DATA_DIR: testApp.atrium.dataDir }
    const made = await runRecoveryCommand(environment, 'backup', 'create', '--to', folder, '--json')
    const { recoveryKey } = JSON.parse(made.out) as { recoveryKey: string }
    // The newest one is damaged, and the one before is the newest that can be read.
    const damaged = await runRecoveryCommand(environment, 'backup', 'create', '--to', folder, '--json')
    const { id } = JSON.parse(damaged.out) as { id: string }
    const names = await readdir(folder, { recursive: true })
    await writeFile(join(folder, names.find((name) => name.endsWith(`manifests/${id}`)) ?? ''), 'damaged')
    const fresh = await startAtrium()
    const page = await visit(testApp, null, { baseURL: fresh.url })
    await page.goto('/welcome')
    await page.getByText('Restore a backup instead').click()
    const restore = page.getByRole('button', { name: 'Restore', exact: true })
    await page.locator('input[type=file]').setInputFiles(folder)
    await expect(page.getByText('to upload')).toBeVisible()
    await page.getByLabel('Recovery key').fill(recoveryKey.replace(/^.{5}/, '00000'))
    await restore.click()
    await expect(page.getByRole('alert')).toContainText('Check these groups of the recovery key: 1.')
    await look(page, 'first-run-restore', { themes: ['dark'] })
    const second = await visit(testApp, null, { baseURL: fresh.url })
    await second.goto('/welcome')
    await page.getByLabel('Recovery key').fill(recoveryKey)
    await page.getByRole('button', { name: 'Choose an older backup…' }).click()
    await expect(page.getByLabel('Backup', { exact: true })).toContainText('Newest: ')
    await restore.click()
    await expect(second.getByRole('status').filter({ hasText: 'You can close this page' })).toBeVisible()
    await expect(page).toHaveURL('/sign-in')
    await expect(second).toHaveURL('/sign-in')
    await second.goto('about:blank')
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
    // The page still fetches what it will need later.
    await page.goto('about:blank')
    await fresh.close()
  })
})

test.describe('without any model', () => {
  const testApp = openTestApp({ ownProcess: true, empty: true, runtime: false })

  test('a fresh server answers from an attached text at once', async ({ visit }) => {
    const page = await visit(testApp, null)
    await page.goto('/')
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'Skip for now' }).click()

    const text = 'The fountain stands in the court.\n\nThe kitchen lies behind the garden, and its door is green.\n'
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Attach files' }).click()
    await (await choosing).setFiles({ name: 'house.md', mimeType: 'text/markdown', buffer: Buffer.from(text) })
    await expect(page.getByRole('list', { name: 'Attachments' })).toContainText('tokens')
    await page.getByRole('textbox', { name: 'Message' }).fill('Where is the kitchen?')
    await page.getByRole('button', { name: 'Send' }).click()
    const answer = page.getByRole('article').last()
    await expect(answer).toContainText('its door is green')
    await expect(answer).toContainText('house.md')
  })
})
