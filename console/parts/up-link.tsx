import { Link, type LinkComponentProps } from '@tanstack/react-router'

/** A link to the parent list of a page. The router would mark it as the current page for screen readers. */
export const UpLink = ((props: LinkComponentProps<'a'>) => (
  <Link {...props} activeOptions={{ exact: true }} />
)) as typeof Link
