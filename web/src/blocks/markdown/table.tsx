import { Copy } from 'lucide-react'
import { copyText } from '../../lib/copy.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { toast } from '../../ui/toaster.tsx'
import { useText } from 'virtual:words/markdown'
import 'virtual:words/blocks'
import { directionOf } from './direction.ts'
import { Inline } from './inline.tsx'
import type { Tokens } from './lexer.ts'
import { type PlainTable, toCsv, toMarkdown } from './table-text.ts'

/** A table in a box of its own that scrolls sideways. */
export function Table({ token }: { token: Tokens.Table }) {
  const t = useText('markdown')
  const copy = (write: (table: PlainTable) => string) =>
    void copyText(write(plain(token))).then(
      () => toast(t('blocks:copied')),
      () => toast(t('blocks:copyRefused'), { tone: 'danger' }),
    )
  return (
    <div className="group/table relative my-3 pointer-coarse:flex pointer-coarse:flex-col pointer-coarse:items-end">
      <div
        role="region"
        aria-label={t('table.label')}
        tabIndex={0}
        className="max-w-full self-start overflow-x-auto rounded-lg border border-line pointer-coarse:w-full"
      >
        <table dir={directionOf([...token.header, ...token.rows.flat()].map(textOf)) ?? 'ltr'}>
          <thead>
            <tr>
              {token.header.map((cell, column) => (
                <th key={column} dir={directionOf([cell.text])} data-align={cell.align ?? undefined} scope="col">
                  <Inline tokens={cell.tokens} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {token.rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column} dir={directionOf([cell.text])} data-align={cell.align ?? undefined}>
                    <Inline tokens={cell.tokens} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {/* On a screen that is touched it stands below: it would cover a heading for good. */}
      <div className="absolute end-1 top-1 rounded-md bg-sunken opacity-0 transition-opacity group-focus-within/table:opacity-100 group-hover/table:opacity-100 pointer-coarse:static pointer-coarse:bg-transparent pointer-coarse:opacity-100">
        <Menu trigger={<IconButton label={t('table.copy')} icon={<Copy />} size="small" />}>
          <MenuItem onSelect={() => copy(toMarkdown)}>{t('table.asMarkdown')}</MenuItem>
          <MenuItem onSelect={() => copy(toCsv)}>{t('table.asCsv')}</MenuItem>
        </Menu>
      </div>
    </div>
  )
}

const textOf = ({ text }: Tokens.TableCell): string => text

const plain = (token: Tokens.Table): PlainTable => ({
  header: token.header.map(textOf),
  rows: token.rows.map((row) => row.map(textOf)),
})
