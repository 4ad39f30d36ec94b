import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { compileScript } from './compile-engine.ts'
import { inScript, literalOf, requireOf } from './script-text.ts'

test('a component in TSX becomes a script that asks for what it imports', () => {
  const { code, imports } = compileScript(
    "import { useState } from 'react'\nexport default function A(): JSX.Element { const [n] = useState<number>(1); return <b>{n}</b> }",
  )
  expect(imports.toSorted()).toEqual(['react', 'react/jsx-runtime'])
  expect(code).toMatch(/exports\.\s*default = A/)
  expect(() => compileScript('export default () => <div')).toThrow(/Unterminated|Unexpected/)
})

test('nothing in a script ends the element that it stands in', () => {
  expect(inScript('a = "</script><!--"')).toBe('a = "<\\/script><\\!--"')
  expect(literalOf('</script>')).not.toContain('<')
})

test('a script is given the libraries that it named, and told of others', () => {
  const code = requireOf(new Map([['react', 'React']]))
  const require_ = runInNewContext(code, { React: 7 }) as (name: string) => unknown
  expect(require_('react')).toBe(7)
  for (const name of ['left-pad', 'constructor', '__proto__']) expect(() => require_(name)).toThrow(name)
})
