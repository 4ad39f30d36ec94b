/** Code that runs: by the button on it, by a model, and not where an administrator says so. */
import { chatRoutes } from '@atrium/contract/chat'
import { settingsRoutes } from '@atrium/contract/settings'
import { look } from '../harness/look.ts'
import { local, openTestApp } from '../harness/test-app.ts'
import { expect, phone, test } from '../harness/test.ts'

const testApp = openTestApp()

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const program = `import base64, sys
open('dot.png', 'wb').write(base64.b64decode('${dot}'))
open('table.csv', 'w').write('a,b')
print('Fifteen birds')
print('in five fir trees', file=sys.stderr)`

test('code in an answer runs, is stopped, and gives what it makes', async ({ visit }) => {
  const { api } = testApp.admin
  const { id } = await api.call(chatRoutes.create, { body: { selection: local('echo') } })
  const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``
  const content = [fence('py', program), fence('js', 'for (;;);'), fence('sh', 'ls')].join('\n\n')
  for (const [role, text] of [
    ['user', 'Show me'],
    ['assistant', content],
  ] as const)
    await api.call(chatRoutes.addMessage, { params: { sessionId: id }, body: { role, content: text } })
  const page = await visit(testApp, testApp.admin)
  await page.goto(`/chats/${id}`)
  await page.getByRole('button', { name: 'Run Python' }).click()
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result.getByText(/^Finished in/)).toBeVisible()
  await expect(result.getByLabel('Output')).toHaveText('Fifteen birds')
  await expect(result.getByLabel('Errors')).toHaveText('in five fir trees')
  await expect(result.getByRole('link', { name: 'Save table.csv' })).toHaveAttribute('download', 'table.csv')
  await expect(result.getByRole('img', { name: 'dot.png' })).toHaveJSProperty('naturalWidth', 1)
  await look(page, 'code-ran', { themes: ['light', 'dark'] })
  await result.getByRole('button', { name: 'Close result' }).click()
  await page.getByRole('button', { name: 'Run JavaScript' }).click()
  await expect(result.getByText('Running…')).toBeVisible()
  await result.getByRole('button', { name: 'Stop' }).click()
  await expect(result.getByText('Stopped. Files it wrote weren’t saved.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Run Shell/ })).toHaveCount(0)
})

test('a model runs code, and what it makes comes with its answer', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  const { id } = await testApp.admin.api.call(chatRoutes.create, { body: { selection: local('echo') } })
  await page.goto(`/chats/${id}`)
  const code = "open('made.txt', 'w').write('x')\\nopen('/keep/notes.txt', 'w').write('Remember')\\nprint(6 * 7)"
  await page.getByRole('textbox', { name: 'Message' }).fill(`<<run_code {"language":"python","code":"${code}"}>>`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Save made.txt' })).toBeVisible()
  await page.getByRole('button', { name: 'Open the side pane' }).click()
  const pane = page.getByRole('complementary', { name: 'Side pane' })
  await pane.getByRole('tab', { name: 'Code files' }).click()
  await expect(pane.getByText('8 bytes of 50 MB used')).toBeVisible()
  await look(page, 'code-kept')
  await pane.getByRole('button', { name: 'Open notes.txt' }).click()
  await expect(page.getByRole('dialog').getByText('Remember')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goto('/settings/code#keptFiles')
  await expect(page.getByText('8 bytes of your storage')).toBeVisible()
  await look(page, 'code-kept-settings')
  await page.getByRole('button', { name: 'Delete notes.txt' }).click()
  await expect(page.getByText('Nothing kept yet')).toBeVisible()
})

test('an administrator says who can run code', async ({ visit }) => {
  const page = await visit(testApp, testApp.admin)
  await page.goto('/settings/code')
  await expect(page.getByText('Everyone can run code, and so can the models in their chats.')).toBeVisible()
  await look(page, 'code-settings', { themes: ['light', 'dark'] })
  await page.getByText('Nobody', { exact: true }).click()
  await expect(page.getByText('Models can’t run code, and code has no Run button.')).toBeVisible()
  await testApp.admin.api.call(settingsRoutes.update, { body: { language: 'ar' } })
  await page.setViewportSize(phone.viewport)
  await expect(page.getByRole('group', { name: 'من يمكنه تشغيل الشيفرة' })).toBeVisible()
  await look(page, 'code-settings-phone-arabic', { themes: ['light'] })
})
