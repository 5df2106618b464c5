import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'

type SingleMutation<Data, Variables> = Pick<
  UseMutationResult<Data, Error, Variables>,
  'data' | 'error' | 'isPending' | 'mutate' | 'mutateAsync' | 'reset' | 'variables'
>

/**
 * Returns a mutation that cannot be started while it runs. The second click of a double click arrives before the page
 * is rendered with a disabled button, and could create a second record, for example.
 */
export function useSingleMutation<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
): SingleMutation<Data, Variables> {
  const running = useRef<Promise<Data>>(undefined)
  const mutation = useMutation(options)
  const mutateAsync: typeof mutation.mutateAsync = (...sent) => {
    running.current ??= mutation.mutateAsync(...sent).finally(() => {
      running.current = undefined
    })
    return running.current
  }
  const mutate: typeof mutation.mutate = (...sent) => void mutateAsync(...sent).catch(() => {})
  return { ...mutation, mutate, mutateAsync }
}
