/** `npm run new-area` in a copy of the tree: what it writes passes every check, and what it refuses changes nothing. */
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyTree } from './copy-tree.mjs'

const minutes = 60_000
const own = [
  'contract/src/reading-lists/',
  'server/src/features/reading-lists/',
  'web/src/features/reading-lists/',
] as const
const lists = ['contract/src/index.ts', 'server/src/app/areas.ts', 'web/src/app/features.ts']

const exportsOf = (text: string): string[] =>
  [...text.matchAll(/^export (?:async )?(?:const|function|interface|type|class) (\w+)/gm)].map(([, name = '']) => name)
/** Those of npm and of other workspaces, not of Node (`node:`) or of Vite (`virtual:`). */
const packagesOf = (text: string): string[] =>
  [...text.matchAll(/from '((?:@[\w-]+\/)?[\w-]+)(?=['/])/g)].map(([, name = '']) => name)

const listedIn = (file: string): string[] => {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.keys({ ...dependencies, ...devDependencies })
}

describe('a new area', () => {
  let tree = ''
  beforeAll(() => {
    tree = copyTree('atrium-area-')
    git('init', '-q')
    git('add', '.')
  }, 2 * minutes)
  afterAll(() => rmSync(tree, { recursive: true, force: true }))

  const git = (...args: string[]) => execFileSync('git', args, { cwd: tree, encoding: 'utf8' })
  /** What differs from the copy as it was: new folders and changed files. */
  const changes = () => {
    const lines = git('status', '--porcelain').split('\n')
    return new Set(lines.filter((line) => /^.[^ ]/.test(line)).map((line) => line.slice(3)))
  }
  /** Runs a command in the copy; gives its exit code and what it wrote. */
  const run = async (command: string, ...args: string[]) => {
    // The tests of the copy are a run of their own.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
    env['PATH'] = `${join(tree, 'node_modules', '.bin')}${delimiter}${env['PATH']}`
    const options = { cwd: tree, env, maxBuffer: 2 ** 26 }
    return await promisify(execFile)(command, args, options).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
        code,
        output: stdout + stderr,
      }),
    )
  }
  const newArea = (...args: string[]) => run('node', 'tools/new-area.mjs', ...args)
  /** With what it wrote, where it failed. */
  const succeed = async (command: string, ...args: string[]) => {
    const { code, output } = await run(command, ...args)
    expect(code, output).toBe(0)
  }

  test.each([
    [[], 'Give one word of 3 to 30 small letters'],
    [['Reading lists'], 'Give one word of 3 to 30 small letters'],
    [['readingLists'], 'Give one word of 3 to 30 small letters'],
    [['news', '--kind', 'news'], 'Say what one of news is called'],
    [['document'], 'There is an area of this name already'],
    [['messages'], 'There is a code of refusals of this name already'],
    [['classes'], 'The code of an area has another use for class.'],
    [['menus', '--kind', 'menu'], 'The code of an area has another use for menu.'],
  ])('is refused for %j, and nothing is written', async (args, sentence) => {
    const { code, output } = await newArea(...args)
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(sentence) })
    expect(output.trim().split('\n')).toHaveLength(1)
    expect(changes()).toEqual(new Set())
  })

  test('stands in three lists and in what is generated from them', async () => {
    await succeed('node', 'tools/new-area.mjs', 'reading-lists')
    expect(changes()).toEqual(new Set([...own, ...lists, 'docs/routes.txt']))
  })

  const passesChecks = () => succeed('node', 'tools/check.mjs', '--code', '--with-new-area')
  // `npm test` leaves most of them to this copy.
  test('passes every check, and so does the tree with it', passesChecks, 30 * minutes)

  test('has no export that nothing else names, and no package that its workspace does not list', () => {
    const files = git('ls-files', '--others', '--exclude-standard', ...own)
      .trim()
      .split('\n')
    const texts = new Map([...files, ...lists].map((file) => [file, readFileSync(join(tree, file), 'utf8')]))
    // What a workspace offers to others, and what the tests over all kinds look for by its name.
    const offered = new Set([`${own[0]}index.ts`, `${own[1]}fixture.ts`])
    const dead = files
      .filter((file) => file.endsWith('.ts') || file.endsWith('.tsx'))
      .filter((file) => !offered.has(file))
      .flatMap((file) => exportsOf(texts.get(file) ?? '').map((name) => ({ file, name })))
      .filter(
        ({ file, name }) =>
          ![...texts].some(([other, text]) => other !== file && new RegExp(`\\b${name}\\b`).test(text)),
      )
    expect(dead).toEqual([])
    const unlisted = files.flatMap((file) => {
      const [workspace = ''] = file.split('/')
      // The runner of tests is the tree's own.
      const places = file.endsWith('.test.ts') ? [workspace, '.'] : [workspace]
      const listed = places.flatMap((place) => listedIn(join(tree, place, 'package.json')))
      return packagesOf(texts.get(file) ?? '').filter((name) => !listed.includes(name))
    })
    expect(unlisted).toEqual([])
  })

  const passesTests = async () => {
    const files = ['resources', 'things', 'matrix'].map((name) => `server/src/app/${name}.test.ts`)
    const words = ['web/src/app/locales.test.ts', 'web/src/features/api-tokens/settings/rights.test.ts']
    // Of those that go over every kind, the ones that the new kind is in. Its statements are tried on PostgreSQL at the end.
    const names = ['-t', '^(?!every kind of thing)|sqlite.*(reading-list|one trash)']
    const tests = [own[1], ...files, ...words]
    await succeed('vitest', 'run', '--maxWorkers=1', ...names, ...tests)
  }
  // It costs as much as the rest of this file.
  if (process.env['ATRIUM_TEST_ALL'] === '1')
    test('passes its own test, and those over all areas, kinds, routes and words', passesTests, 30 * minutes)
})
