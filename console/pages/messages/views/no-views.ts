import { useIsRestricted, useMayWrite } from '../../../app/session.tsx'

/** Returns the text for a caller who sees no view. Restricted callers see only some views. */
export function useNoViews(): string {
  const isRestricted = useIsRestricted()
  const mayWrite = useMayWrite()
  if (isRestricted) return 'You see only the views of integrations that an admin has granted to you.'
  return mayWrite ? 'No views yet. Search messages, then save the search as a view.' : 'No views yet.'
}
