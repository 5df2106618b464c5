import { Link, type LinkComponentProps } from '@tanstack/react-router'

/** A link to the list that a page is below. The router would name it the current page to screen readers. */
export const UpLink = ((props: LinkComponentProps<'a'>) => (
  <Link {...props} activeOptions={{ exact: true }} />
)) as typeof Link
