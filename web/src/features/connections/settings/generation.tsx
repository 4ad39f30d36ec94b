import {
  connectionsRoutes,
  type Plugin,
  type Variable,
  type VariableValue,
  type VariableValues,
} from '@atrium/contract/connections'
import { RotateCcw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { call } from '../../../api/client.ts'
import { Problem } from '../../../api/errors.ts'
import { keyOf, queryClient } from '../../../api/query.ts'
import { runInTurn } from '../../../api/saves.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Row, useSave } from '../../../blocks/setting-row/row.tsx'
import { VariableControl } from './control.tsx'
import { shownValue, typedValue } from './rules.ts'
import { useText } from 'virtual:words/connections'
import { variableWords } from './variable-words.ts'

/** What an account sets for its own calls: temperature, limits of tokens and the like, each saved by itself. */
export function GenerationFields({ plugin, values }: { plugin: Plugin; values: VariableValues }) {
  const t = useText('connections')
  const variables = (plugin.variables ?? []).filter(({ name }) => values[name]?.isConnection === false)
  if (variables.length === 0) return <p className="py-3 text-muted">{t('generation.none')}</p>
  return variables.map((variable) => (
    <GenerationRow
      key={variable.name}
      plugin={plugin}
      variable={variable}
      value={values[variable.name] as VariableValue}
    />
  ))
}

function GenerationRow({ plugin, variable, value }: { plugin: Plugin; variable: Variable; value: VariableValue }) {
  const t = useText('connections')
  const { saving, save } = useSave()
  const shown = shownValue(value)
  const [text, setText] = useState(shown)
  useEffect(() => setText(shown), [shown])
  const { id } = plugin
  const { name } = variable
  const { label, help } = variableWords(t, plugin, variable)

  const send = (body: { variables: Record<string, string | number | boolean>; unset?: string[] }) =>
    save(async () => {
      const next = await runInTurn(`variables ${id}`, () =>
        call(connectionsRoutes.saveVariables, { params: { id }, body }),
      )
      queryClient.setQueryData(keyOf(connectionsRoutes.variables, { params: { id } }), next)
    })
  function commit(next: string) {
    if (next === shown) return
    const typed = typedValue(variable, next)
    if (typed === undefined) {
      void save(() => Promise.reject(new Problem('validation_failed', wrong)))
    } else void send(typed === null ? { variables: {}, unset: [name] } : { variables: { [name]: typed } })
  }
  const { min, max } = variable
  const wrong = min !== undefined && max !== undefined ? t('fields.between', { min, max }) : t('fields.wrong')
  const source = value.hasValue ? 'fields.byYou' : value.value === null ? 'fields.notSent' : 'fields.default'
  return (
    <Row
      id={`variable-${name}`}
      label={label}
      help={help && <bdi>{help}</bdi>}
      saving={saving}
      source={<Badge tone={value.hasValue ? 'accent' : 'plain'}>{t(source)}</Badge>}
    >
      {(names) => (
        <span className="flex w-64 max-w-full items-center gap-1">
          <VariableControl
            {...names}
            variable={variable}
            sensitive={value.isSensitive}
            value={text}
            placeholder={variable.default === undefined || variable.default === null ? '' : String(variable.default)}
            onChange={setText}
            onCommit={commit}
          />
          <IconButton
            label={t('fields.resetNamed', { name: label })}
            icon={<RotateCcw />}
            size="small"
            disabled={!value.hasValue}
            className={value.hasValue ? undefined : 'invisible'}
            onClick={() => void send({ variables: {}, unset: [name] })}
          />
        </span>
      )}
    </Row>
  )
}
