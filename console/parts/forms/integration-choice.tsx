import { useQuery } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { allIntegrations } from '../answers/all-integrations.ts'
import { Choice } from './choice.tsx'

interface IntegrationChoiceProps {
  /** The id of an integration, or an empty text. */
  readonly value: string
  /** The label for no integration. */
  readonly none: string
  readonly onChange: (id: string) => void
}

/** Chooses an integration. One that is not in the list remains chosen, so that the filter is always complete. */
export function IntegrationChoice({ value, none, onChange }: IntegrationChoiceProps) {
  const { data = [], isPending, error, refetch } = useQuery({ ...allIntegrations, staleTime: 60_000 })
  const named = data.map(({ id, name }): [string, string] => [id, name])
  const isListed = value === '' || data.some(({ id }) => id === value)
  const unlisted = isPending || error !== null ? `integration ${value}` : `unknown integration ${value}`
  return (
    <>
      <Choice
        label="Integration"
        value={value}
        options={[['', none], ...(isListed ? [] : [[value, unlisted] as const]), ...named]}
        onChange={onChange}
      />
      {error !== null && (
        <span className="failed-text" role="alert">
          The integrations could not be read.{' '}
          <Button className="link" onPress={() => void refetch()}>
            Retry
          </Button>
        </span>
      )}
    </>
  )
}
