/** What an answer looks like, and what an answer that failed says. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chat } from '@atrium/contract/chat'
import { local, openHouse } from '../harness/house.ts'
import { answered, ask, lastMessage, pickModel } from '../harness/talk.ts'
import { expect, smallPicture, test } from '../harness/test.ts'

const house = openHouse({ models: ['echo', 'markdown'] })

test('Markdown is drawn: headings, lists, code, tables, formulas, a diagram, and either direction of writing', async ({
  visit,
}) => {
  const page = await visit(house, house.admin)
  await page.goto('/')
  await pickModel(page, 'markdown')
  await ask(page, 'Show me everything')
  await answered(page)
  const answer = lastMessage(page)
  await expect(answer.getByRole('heading', { name: 'A tour of Markdown' })).toBeVisible()
  await expect(answer.getByRole('checkbox', { name: 'Flour' })).toBeChecked()
  await expect(answer.getByRole('checkbox', { name: 'Salt' })).not.toBeChecked()
  const table = answer.getByRole('table')
  await expect(table.getByRole('columnheader')).toHaveText(['City', 'Country', 'People'])
  await expect(table.getByRole('row', { name: 'Cairo' })).toContainText('10,100,000')
  // Formulas are there for eyes and for screen readers.
  await expect(answer.locator('math')).toHaveCount(2)
  await expect(answer.locator('.katex-html').first()).toBeVisible()
  const diagram = answer.getByRole('img', { name: /^Diagram made from this description: flowchart LR/ })
  await expect(diagram).toBeVisible()
  expect((await diagram.boundingBox())?.width).toBeGreaterThan(200)
  await expect(answer.getByText('مرحبا بالعالم')).toHaveCSS('direction', 'rtl')
  await expect(answer.getByText('Raw HTML')).toBeVisible()

  const code = answer.getByRole('figure', { name: 'Code: TypeScript' })
  await expect(code.locator('[class^="tok-"]').first()).toBeVisible()
  await code.getByRole('button', { name: 'Copy code' }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('export function greet({ name }: Greeting)')

  await answer.getByRole('button', { name: 'Copy as Markdown' }).click()
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^# A tour of Markdown\n[^]*That was all\.\n?$/)
})

test('a picture from elsewhere is asked for after a click only, of the own server, which reaches nothing private', async ({
  visit,
}) => {
  const fetched: string[] = []
  const elsewhere = createServer((req, res) => {
    fetched.push(req.url ?? '')
    res.writeHead(200, { 'content-type': 'image/png' }).end(smallPicture)
  })
  await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening))
  const host = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
  const text = `Here: ![A tree](http://${host}/tree.png) and [more](https://example.com/page)`
  house.provider.control({ answers: [{ match: 'a picture', answer: text }] })
  try {
    const page = await visit(house, house.admin)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto('/')
    await pickModel(page, 'echo')
    await ask(page, 'Show me a picture')
    await answered(page)
    const answer = lastMessage(page)
    const load = answer.getByRole('button', { name: `Load from ${host}` })
    await load.scrollIntoViewIfNeeded()
    expect(asked.filter((url) => url.includes('tree.png'))).toEqual([])
    await load.click()
    await expect(answer).toContainText('This image could not be loaded: A tree')
    const [only, ...more] = asked.filter((url) => url.includes('tree.png'))
    expect(only).toMatch(new RegExp(`^${house.url}/api/chat/pictures`))
    expect(more).toEqual([])
    expect(fetched).toEqual([])

    await answer.getByRole('link', { name: 'more' }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave for example.com?' })
    await expect(dialog).toContainText('https://example.com/page')
    await dialog.getByRole('button', { name: 'Stay here' }).click()
    await expect(dialog).toHaveCount(0)
  } finally {
    house.provider.control({ answers: [] })
    elsewhere.close()
  }
})

for (const { fault, title, says } of [
  { fault: 'status-500', title: 'The provider had a fault', says: /500/ },
  { fault: 'status-401', title: 'The connection is not set up right', says: /API key/ },
  { fault: 'reset', title: 'The provider', says: /./ },
  { fault: 'half-json', title: 'The provider', says: /./ },
] as const) {
  test(`a provider that fails with ${fault} is told in words, what was written stays, and Retry answers`, async ({
    visit,
  }) => {
    const page = await visit(house, house.admin)
    const { id } = await house.admin.api.call(chat.create, { body: { selection: local('echo') } })
    await page.goto(`/chats/${id}`)
    house.provider.control({ fault, times: null, after: 3 })
    await ask(page, 'One two three four five six')
    const card = lastMessage(page).getByRole('alert')
    await expect(card).toContainText(title)
    await expect(card).toContainText(says)
    await expect(page.getByText('sk-leaked-in-body')).toHaveCount(0)
    if (!fault.startsWith('status-')) await expect(lastMessage(page)).toContainText('You said: One')
    await page.reload()
    await expect(card).toContainText(title)

    house.provider.control({ fault: null })
    await card.getByRole('button', { name: 'Try again' }).click()
    await expect(lastMessage(page)).toContainText('You said: One two three four five six')
    await expect(lastMessage(page).getByRole('alert')).toHaveCount(0)
    await answered(page)
  })
}
