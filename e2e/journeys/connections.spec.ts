/** Connections: known providers, imported definitions, keys, routes, settings, tests, and what a model picker makes of it. */
import { connectionsRoutes } from '@atrium/contract/connections'
import { openTestApp } from '../harness/test-app.ts'
import { look } from '../harness/look.ts'
import { composer } from '../harness/talk.ts'
import { startProvider } from '../provider/provider.ts'
import { expect, test } from '../harness/test.ts'

const testApp = openTestApp()

const definition = {
  id: 'far-away',
  name: 'Far away',
  type: 'completion',
  endpoint: 'https://far.example/v1/chat/completions',
  auth: { header: 'Authorization', prefix: 'Bearer ', key_env: 'FAR_AWAY_KEY' },
  model_map: ['distant'],
  variables: [
    { name: 'temperature', type: 'number', label: 'Temperature', default: 0.7, min: 0, max: 2 },
    { name: 'base_url', type: 'string', label: 'Base URL' },
  ],
  documentation_url: 'https://far.example/docs',
}
const file = (value: unknown) => ({
  name: 'definition.json',
  mimeType: 'application/json',
  buffer: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
})

test('a definition is imported, told what is wrong with it, updated after a look at what changes, saved and deleted', async ({
  visit,
}) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/connections')
  await page.getByRole('button', { name: 'Import a definition' }).click()
  const pasted = page.getByLabel('Or paste its JSON')
  await pasted.fill('{\n  "id": oops\n}')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Invalid JSON at 2:9')
  await pasted.fill('{"id": "far-away", "name": "Far away"}')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Missing: type, endpoint, auth, model_map')

  await page
    .getByLabel('Choose a file')
    .first()
    .setInputFiles(file({ ...definition, endpoint: 'ftp://far.example' }))
  await expect(page.getByText('New provider')).toBeVisible()
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('endpoint')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByLabel('Choose a file').first().setInputFiles(file(definition))
  await expect(page.getByText('https://far.example/v1/chat/completions')).toBeVisible()
  await page.getByRole('button', { name: 'Install', exact: true }).click()
  await expect(page).toHaveURL('/settings/connections/far-away')
  await expect(page.getByRole('heading', { name: 'Far away' })).toBeVisible()
  await expect(page).toHaveTitle(/^Far away/)

  await page.getByRole('button', { name: 'Update from file' }).click()
  const chooser = page.getByLabel('Choose a file').first()
  await chooser.setInputFiles(file({ ...definition, id: 'near' }))
  await expect(page.getByRole('alert')).toContainText('This defines “near”, not “far-away”.')
  await chooser.setInputFiles(file({ ...definition, name: 'Further away', model_map: ['distant', 'remote'] }))
  const changes = page.getByRole('list', { name: 'Changes' })
  await expect(changes.getByRole('listitem')).toHaveCount(2)
  await expect(changes).toContainText('Changed name')
  await expect(changes).toContainText('Further away')
  await expect(changes).toContainText('Added model_map › remote')
  await look(page, 'connection-import')
  await page.getByRole('button', { name: 'Replace', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Further away' })).toBeVisible()
  await expect(changes).toBeHidden()
  await expect(page.getByText('2 models')).toBeVisible()

  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  expect((await saving).suggestedFilename()).toBe('far-away.json')

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('for every account')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL('/settings/connections')
  await expect(page.getByRole('article')).toHaveCount(0)
})

test('a known provider is pointed at another address, switched on with a key, refreshed, tested and read', async ({
  visit,
}) => {
  // Not the one that the app may call already.
  const provider = await startProvider()
  provider.control({ apiKey: 'sk-right-0042' })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/connections')
  await page.getByRole('searchbox', { name: 'Search providers' }).fill('groq')
  const entry = page.getByRole('listitem', { name: 'Groq' })
  await expect(entry).toContainText('API key needed')
  await expect(entry.getByRole('link', { name: /Documentation/ })).toHaveAttribute('rel', 'noopener noreferrer')
  await entry.getByRole('link', { name: 'Groq', exact: true }).click()
  await expect(page).toHaveURL('/settings/connections/groq')

  await page.getByRole('textbox', { name: 'Base URL' }).fill(`${provider.url}/v1`)
  await page.getByRole('button', { name: 'Save connection' }).click()
  await expect(page.getByText('This address is in a private network')).toBeVisible()
  await page.getByRole('button', { name: 'Allow and save' }).click()
  await expect(page.getByText(/^Saved\./)).toBeVisible()

  await page.getByLabel('API key', { exact: true }).fill('sk-wrong-9999')
  await page.getByRole('button', { name: 'Switch on' }).click()
  const main = page.getByRole('main')
  await expect(main.getByText('Couldn’t load models.')).toBeVisible()
  await page.getByRole('button', { name: 'Test connection' }).click()
  const steps = page.getByRole('list', { name: 'Test' })
  await expect(steps.getByRole('listitem').filter({ hasText: 'Authenticate' })).toContainText('failed')
  await expect(steps.getByRole('listitem').filter({ hasText: 'Generate one token' })).toContainText('not tested')

  const key = page.locator('#key')
  await key.getByLabel('API key', { exact: true }).fill('sk-right-0042')
  await key.getByRole('button', { name: 'Save key' }).click()
  await expect(main.getByText('Models updated.')).toBeVisible()
  await expect(key).toContainText('ending in 0042')
  await expect(key).toContainText(`${provider.url}/v1/chat/completions`)
  await expect(page.getByText('sk-right')).toHaveCount(0)
  const refresh = page.getByRole('button', { name: 'Refresh models' })
  await refresh.click()
  await expect(main.getByText('Models already up to date.')).toBeVisible()

  // Each step is told when it is done; what is under way can be stopped.
  const testStep = (name: string) => steps.getByRole('listitem').filter({ hasText: name })
  provider.control({ fault: 'stall-headers' })
  await page.getByRole('button', { name: 'Test again' }).click()
  await expect(testStep('List models')).toContainText('passed')
  await expect(testStep('Generate one token')).toContainText('testing')
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(testStep('Generate one token')).toContainText('cancelled')
  await expect(testStep('List models')).toContainText('passed')
  await expect.poll(() => provider.requests.at(-1)?.ended).toBe('aborted')
  provider.control({ fault: null })

  await page.getByRole('button', { name: 'Test again' }).click()
  for (const step of [
    'Resolve host name',
    'Connect to the server',
    'Authenticate',
    'List models',
    'Generate one token',
  ])
    await expect(steps.getByRole('listitem').filter({ hasText: step })).toContainText('passed')

  const catalogue = page.locator('#catalogue')
  await catalogue.getByRole('searchbox', { name: 'Search models' }).fill('embed')
  await expect(catalogue.getByRole('listitem')).toHaveCount(1)
  await expect(catalogue.getByRole('listitem')).toContainText('Embeddings')
  await look(page, 'connection')

  // Its own settings, with where each value is from.
  const temperature = page.getByRole('textbox', { name: 'Temperature' })
  await temperature.fill('9')
  await temperature.press('Enter')
  await expect(page.getByRole('alert')).toContainText('between')
  await temperature.fill('0.3')
  await temperature.press('Enter')
  await expect(page.locator('#variable-temperature')).toContainText('Set by you')
  await page.getByRole('button', { name: 'Reset Temperature' }).click()
  await expect(page.locator('#variable-temperature')).not.toContainText('Set by you')

  // A key stays with its route.
  await page.getByRole('textbox', { name: 'Base URL' }).fill(`${provider.url}/other/v1`)
  await page.getByRole('button', { name: 'Save connection' }).click()
  await expect(key).toContainText('was saved for another address')
  await page.getByRole('button', { name: 'Reset Base URL' }).click()
  await key.getByRole('button', { name: 'Delete key' }).click()
  await expect(key).toContainText('No key saved.')

  await page.getByRole('button', { name: 'Back to Connections' }).click()
  const card = page.getByRole('article', { name: 'Groq' })
  await card.getByRole('switch', { name: 'Use Groq' }).click()
  await expect(card.getByRole('button', { name: 'Refresh models' })).toBeDisabled()
  await look(page, 'connections')
  await provider.close()
})

test('a server that lists no models is connected by their ids, renamed, and given other models', async ({ visit }) => {
  const provider = await startProvider()
  provider.control({ listFault: 'status-404' })
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/connections')
  await page.getByRole('button', { name: 'Add a connection by address' }).click()
  await page.getByLabel('Server address').fill(`${provider.url}/v1`)
  await page.getByLabel('Name', { exact: true }).fill('Quiet box')
  await expect(page.getByLabel('Model ids')).toHaveCount(0)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('button', { name: 'Allow and connect' }).click()
  await page.getByLabel('Model ids').fill('echo\nlong, echo')
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('button', { name: 'Allow and connect' }).click()
  const card = page.getByRole('article', { name: 'Quiet box' })
  await expect(card).toContainText('2 chat models')

  await card.getByRole('link', { name: 'Edit Quiet box' }).click()
  const naming = page.locator('#naming')
  await naming.getByLabel('Name', { exact: true }).fill('Silent box')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Silent box' })).toBeVisible()
  await naming.getByLabel('Model ids').fill('echo')
  await naming.getByLabel('Name', { exact: true }).focus()
  await expect(page.getByText('1 chat model', { exact: true })).toBeVisible()
  await look(page, 'connection-naming')
  provider.control({ listFault: null })
  await page.getByRole('button', { name: 'Refresh models' }).click()
  await expect(page.getByText('5 chat models', { exact: true })).toBeVisible()
  await expect(naming.getByLabel('Model ids')).toHaveCount(0)
  await testApp.admin.api.call(connectionsRoutes.remove, { params: { id: 'quiet-box' } })
  await provider.close()
})

test('a member brings a key of their own and reads the route, but changes neither route nor definition', async ({
  visit,
}) => {
  const bea = await testApp.account('bea')
  const page = await visit(testApp, bea)
  await page.goto('/settings/connections')
  await expect(page.getByRole('button', { name: 'Import a definition' })).toHaveCount(0)
  await expect(page.getByText('No providers connected yet')).toBeVisible()
  await page.getByRole('button', { name: 'Set up Mistral AI' }).click()
  await expect(page.getByRole('button', { name: 'Switch on' })).toBeDisabled()
  await page.getByRole('link', { name: 'Mistral AI', exact: true }).click()
  await expect(page.locator('#route')).toContainText('Only administrators can change it.')
  await expect(page.locator('#route').getByRole('textbox')).toHaveCount(0)
  await expect(page.locator('#definition')).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Temperature' })).toBeVisible()
})

test('a choice whose provider is gone stays in the picker, greyed, with the reason and the way to mend it', async ({
  visit,
}) => {
  const { provider, admin } = testApp
  const { api } = admin
  const { connection } = await api.call(connectionsRoutes.quick, {
    body: { name: 'Short lived', url: `${provider.url}/v1/chat/completions`, allowPrivate: true },
  })
  const page = await visit(testApp, admin)
  await page.goto('/')
  await page.getByRole('button', { name: /^Model: |^Choose a model/ }).click()
  const grid = page.getByRole('grid', { name: 'Choose a model' })
  await page.getByRole('button', { name: /^Short lived/ }).click()
  const row = grid.getByRole('row').filter({ hasText: 'echo' })
  await expect(row.getByRole('button', { name: /^echo ?, from Short lived ?, .*, 1 of \d+$/ })).toBeVisible()
  await row.getByRole('button', { name: 'Add echo to favourites' }).click()
  await expect(row.getByRole('button', { name: /, favourite, 1 of/ })).toBeVisible()
  await row.getByRole('button').first().click()
  await expect(page.getByRole('button', { name: /^Model: echo/ })).toBeVisible()

  await api.call(connectionsRoutes.deactivate, { params: { id: connection.id } })
  await page.reload()
  await expect(composer(page)).toBeFocused()
  await page.keyboard.press('Control+Shift+M')
  await page.getByRole('button', { name: /^Favourites/ }).click()
  const gone = grid.getByRole('link', { name: /^echo ?is unavailable\..*Fix connection/ })
  await expect(gone).toBeVisible()
  await page.getByRole('combobox').fill('echo')
  await expect(gone).toBeVisible()
  await page.getByRole('button', { name: /Favourites: search all sections instead/ }).click()
  await expect(grid.getByRole('button', { name: /^echo ?, from Ollama/ })).toBeVisible()
  await look(page, 'picker-missing')
  await page.getByRole('button', { name: /^Favourites/ }).click()
  await gone.click()
  await expect(page).toHaveURL('/settings/connections')
})

test('a list of models that does not come is given up after ten seconds, with the reason and another try', async ({
  visit,
}) => {
  const page = await visit(testApp, testApp.admin, { own: true })
  await page.clock.install()
  let silent = true
  await page.route('**/api/models', (route) => (silent ? undefined : route.continue()))
  await page.goto('/')
  await expect(composer(page)).toBeVisible()
  await page.getByRole('button', { name: /^Model: |^Choose a model/ }).click()
  await expect(page.getByRole('combobox', { name: 'Search by name, id or provider' })).toBeFocused()
  await page.clock.fastForward(11_000)
  await expect(page.getByRole('alert')).toContainText('The server hasn’t responded for ten seconds.')
  silent = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('grid').getByRole('row').first()).toBeVisible()
})
